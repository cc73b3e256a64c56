#include <array>

#include "pairs/quantized_kernel.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own headers read what they say is undefined (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "core/parallel.hpp"
#include "pairs/quantized_avx512.hpp"

#define ISOGON_AMX __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vnni")))

namespace isogon {

namespace {

constexpr std::size_t amx_rows = 16;
constexpr std::size_t amx_sums = 4;  // the first registers; then the columns, 16 in each, and the rows
constexpr std::size_t amx_columns = amx_sums;
constexpr std::size_t amx_of_rows = amx_columns + vnni_vectors;
constexpr std::size_t amx_registers = amx_of_rows + 1;

/// LDTILECFG reads this.
struct alignas(64) TileShapes {
    constexpr explicit TileShapes(std::size_t groups) {
        for (std::size_t tile = 0; tile < amx_registers; ++tile) {
            const bool of_columns = amx_columns <= tile && tile < amx_of_rows;
            rows[tile] = static_cast<std::uint8_t>(of_columns ? groups : amx_rows);
            bytes_of_a_row[tile] = static_cast<std::uint16_t>(tile == amx_of_rows ? groups * quantized_group : 64);
        }
    }

    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};         // NOLINT(*-avoid-c-arrays): read by the instruction
    std::uint16_t bytes_of_a_row[16] = {};  // NOLINT(*-avoid-c-arrays): likewise
    std::uint8_t rows[16] = {};             // NOLINT(*-avoid-c-arrays): likewise
};

/// The shapes for even numbers of groups.
constexpr std::array<TileShapes, most_groups_at_once / 2> tile_shapes{TileShapes(2),  TileShapes(4),  TileShapes(6),
                                                                      TileShapes(8),  TileShapes(10), TileShapes(12),
                                                                      TileShapes(14), TileShapes(16)};

// In assembly: GCC 12's intrinsics take no number of a register from a template, and those of the shapes are taken to
// read and write eight bytes.
// NOLINTBEGIN(hicpp-no-assembler)

/// The registers keep their shapes from one call to the next, unless other code has changed them: to look takes a tenth
/// of the time of a change.
ISOGON_AMX inline void shape_tiles(std::size_t groups) {
    const TileShapes& wanted = tile_shapes[groups / 2 - 1];
    TileShapes now(groups);  // overwritten
    asm volatile("sttilecfg %0" : "=m"(now));
    if (_mm512_cmpneq_epi32_mask(_mm512_load_si512(&now), _mm512_load_si512(&wanted)) != 0) {
        asm volatile("ldtilecfg %0" : : "m"(wanted));
    }
}

template <std::size_t tile>
ISOGON_AMX inline void load_tile(const std::int8_t* from, std::size_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(tile) : "memory");
}

/// Register `tile` holds the products of rows 16 a to 16 a + 15 with columns 16 b to 16 b + 15, n = 3 a + b.
template <std::size_t tile>
ISOGON_AMX inline void store_tile(std::int32_t* products, std::size_t n) {
    constexpr std::size_t stride = sizeof(std::int32_t) * tile_width;
    std::int32_t* const to = products + n / vnni_vectors * amx_rows * tile_width + n % vnni_vectors * vnni_lanes;
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(tile) : "memory");
}

/// The products of the n-th 16 x 16 places, of the groups from `first` on. Those four before, whose register these
/// take, are stored only now: a register can be read long after its last product was asked for.
template <std::size_t n>
ISOGON_AMX inline void multiply_tile(const std::int8_t* columns, std::size_t first, bool loads,
                                     std::int32_t* products) {
    constexpr std::size_t next = quantized_group * tile_width;
    constexpr std::size_t sums = n % amx_sums;
    constexpr std::size_t column = n % vnni_vectors;
    if (loads) {
        load_tile<amx_columns + column>(columns + first * next + column * sizeof(__m512i), next);
    }
    if (first == 0) {
        if constexpr (n >= amx_sums) {
            store_tile<sums>(products, n - amx_sums);
        }
        asm volatile("tilezero %%tmm%c0" : : "i"(sums));
    }
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(sums), "i"(amx_of_rows), "i"(amx_columns + column));
}
// NOLINTEND(hicpp-no-assembler)

/// The products of 16 rows with all columns.
template <std::size_t block>
ISOGON_AMX inline void multiply_rows(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                                     std::size_t groups, std::int32_t* products) {
    const std::size_t bytes = rows.groups * quantized_group;
    const bool loads = block == 0 || groups < rows.groups;
    for (std::size_t g = 0; g < rows.groups; g += groups) {
        load_tile<amx_of_rows>(rows.by_point + block * amx_rows * bytes + g * quantized_group, bytes);
        multiply_tile<vnni_vectors * block>(columns.components, g, loads, products);
        multiply_tile<vnni_vectors * block + 1>(columns.components, g, loads, products);
        multiply_tile<vnni_vectors * block + 2>(columns.components, g, loads, products);
    }
}

/// The products of all rows with all columns.
ISOGON_AMX inline void multiply_tiles(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                                      std::int32_t* products) {
    const std::size_t groups = rows.groups / block_count(rows.groups, most_groups_at_once);
    shape_tiles(groups);
    multiply_rows<0>(rows, columns, groups, products);
    multiply_rows<1>(rows, columns, groups, products);
    multiply_rows<2>(rows, columns, groups, products);
    store_tile<1>(products, 5);
    store_tile<2>(products, 6);
    store_tile<3>(products, 7);
    store_tile<0>(products, 8);
}

}  // namespace

ISOGON_AMX void mark_with_amx(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                              TilePlaces& places) {
    alignas(64) std::int32_t products[tile_size];  // NOLINT(*-avoid-c-arrays,*-member-init): filled below
    multiply_tiles(rows, columns, products);
    const PanelBounds bounds(rows, columns);
    for (std::size_t i = 0; i < tile_width; i += marked_rows_at_once) {
        mark_four(reinterpret_cast<const RowProducts*>(products + i * tile_width), i, bounds, places);
    }
}

}  // namespace isogon

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
