#include <hwy/targets.h>

#include <algorithm>
#include <array>

#include "pairs/quantized_kernel.hpp"

// Highway 1.0 has no product of bytes, so these kernels are in intrinsics.
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define ISOGON_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define ISOGON_AMX __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vnni")))

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own headers read what they say is undefined (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace isogon {

namespace {

constexpr std::size_t marked_rows_at_once = 4;
constexpr std::size_t vnni_rows = 8;     // 24 registers of sums, 3 of columns and one of a row
constexpr std::size_t vnni_vectors = 3;  // of 16 columns
constexpr std::size_t vnni_lanes = 16;
constexpr std::int32_t vnni_offset = 128;  // of columns, which are taken without sign
constexpr std::size_t vnni_groups = 64;    // of columns at once: 12 KB

/// Whether the system lets this process use the registers of matrices: Linux is asked for them, once.
bool has_matrix_unit() {
#if defined(__linux__)
    constexpr long request = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr long tile_data = 18;
    constexpr unsigned tiles_of_bytes = 3U << 24;  // AMX-TILE, AMX-INT8
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & tiles_of_bytes) == tiles_of_bytes &&
           syscall(SYS_arch_prctl, request, tile_data) == 0;
#else
    return false;
#endif
}

}  // namespace

ByteProducts byte_products() {
    if ((hwy::SupportedTargets() & HWY_AVX3) != 0 && __builtin_cpu_supports("avx512vnni") != 0) {
        return has_matrix_unit() ? ByteProducts::Amx : ByteProducts::Vnni;
    }
    return (hwy::SupportedTargets() & HWY_AVX2) != 0 ? ByteProducts::Avx2 : ByteProducts::None;
}

namespace {

/// Some groups of all columns, q + 128.
ISOGON_VNNI inline void copy_unsigned(const QuantizedPoints::Panel& columns, std::size_t first, std::size_t groups,
                                      std::int8_t* unsigned_columns) {
    constexpr std::size_t bytes = quantized_group * tile_width;
    const __m512i half = _mm512_set1_epi8(-128);
    for (std::size_t k = 0; k < groups * bytes; k += sizeof(__m512i)) {
        const __m512i group = _mm512_load_si512(columns.components + first * bytes + k);
        _mm512_store_si512(unsigned_columns + k, _mm512_xor_si512(half, group));
    }
}

/// sums += columns row. In assembly because GCC 12 copies the sums from register to register, twice for each product.
ISOGON_VNNI inline void add_products(__m512i& sums, __m512i columns, __m512i row) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(columns), "v"(row));  // NOLINT(hicpp-no-assembler): see above
}

/// The columns that may be near row i, where no product is larger than these.
ISOGON_VNNI inline std::uint64_t near_columns(__m512 first, __m512 second, __m512 third, const RowTerms& terms,
                                              std::size_t i, float step, const QuantizedBounds& of_columns) {
    const __m512 of_step = _mm512_set1_ps(terms.inverse_step);
    const __m512 half_square = _mm512_set1_ps(terms.half_squares[i]);
    const __m512 difference = _mm512_set1_ps(terms.differences[i]);
    const auto near = [&](std::size_t v, __m512 products) ISOGON_VNNI {
        const std::size_t j = v * vnni_lanes;
        const __m512 by_row = _mm512_fmadd_ps(_mm512_load_ps(of_columns.half_squares + j), of_step, difference);
        const __m512 by_column = _mm512_fmadd_ps(_mm512_load_ps(of_columns.differences + j), of_step, half_square);
        const __m512 product = _mm512_mul_ps(products, _mm512_set1_ps(step));
        // Not "greater": what overflowed to NaN is marked.
        return std::uint64_t{_mm512_cmp_ps_mask(product, _mm512_min_ps(by_row, by_column), _CMP_NLE_UQ)} << j;
    };
    return near(0, first) | near(1, second) | near(2, third);
}

ISOGON_VNNI inline std::uint64_t near_columns(const __m512i* products, const RowTerms& terms, std::size_t i, float step,
                                              const QuantizedBounds& of_columns) {
    return near_columns(_mm512_cvtepi32_ps(products[0]), _mm512_cvtepi32_ps(products[1]),
                        _mm512_cvtepi32_ps(products[2]), terms, i, step, of_columns);
}

using VnniProducts = __m512i[vnni_rows][vnni_vectors];  // NOLINT(*-avoid-c-arrays): registers

/// Adds those of some groups of eight rows and all columns.
[[gnu::always_inline]] ISOGON_VNNI inline void add_groups(const std::int8_t* row_group, const std::int8_t* column_group,
                                                          std::size_t groups, VnniProducts& products) {
    constexpr std::size_t next = quantized_group * tile_width;
    for (std::size_t g = 0; g < groups; ++g, row_group += next, column_group += next) {
        __m512i of_columns_now[vnni_vectors];
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vnni_vectors; ++v) {
            of_columns_now[v] = _mm512_load_si512(column_group + v * sizeof(__m512i));
        }
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            const __m512i row = _mm512_set1_epi32(four_at(row_group + r * quantized_group));
#pragma GCC unroll 3
            for (std::size_t v = 0; v < vnni_vectors; ++v) {
                add_products(products[r][v], of_columns_now[v], row);
            }
        }
    }
}

/// Whether any column may be near one of eight rows, from the products of their leading components: those of the others
/// are at most the products of their lengths.
[[gnu::always_inline]] ISOGON_VNNI inline bool may_have_near(const VnniProducts& products,
                                                             const QuantizedPoints::Panel& rows, std::size_t i,
                                                             const QuantizedPoints::Panel& columns,
                                                             const RowTerms& terms, const QuantizedBounds& of_columns) {
    std::uint64_t any = 0;
#pragma GCC unroll 8
    for (std::size_t r = 0; r < vnni_rows; ++r) {
        const __m512 rest = _mm512_set1_ps(rows.rests[i + r]);
        const __m512i rest_of_offset = _mm512_set1_epi32(rows.rest_sums[i + r] * vnni_offset);
        const auto at_most = [&](std::size_t v) ISOGON_VNNI {
            return _mm512_fmadd_ps(rest, _mm512_loadu_ps(columns.rests + v * vnni_lanes),
                                   _mm512_cvtepi32_ps(_mm512_add_epi32(products[r][v], rest_of_offset)));
        };
        any |= near_columns(at_most(0), at_most(1), at_most(2), terms, i + r, columns.step, of_columns);
    }
    return any != 0;
}

}  // namespace

ISOGON_VNNI void mark_with_vnni(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                                const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                                TilePlaces& places) {
    constexpr std::size_t next = quantized_group * tile_width;
    const bool by_leading = rows.rests != nullptr && rows.groups <= vnni_groups;
    const RowTerms terms(rows, of_rows, vnni_offset);
    alignas(64)
        std::int8_t unsigned_columns[vnni_groups * next];  // NOLINT(*-avoid-c-arrays,*-member-init): filled below
    for (std::size_t i = 0; i < tile_width; i += vnni_rows) {
        VnniProducts products;  // NOLINT(*-member-init): filled below
        const std::int8_t* row_group = rows.components + i * quantized_group;
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            products[r][0] = products[r][1] = products[r][2] = _mm512_set1_epi32(terms.first_sums[i + r]);
        }
        std::size_t first = 0;
        if (by_leading) {
            if (i == 0) {
                copy_unsigned(columns, 0, rows.groups, unsigned_columns);
            }
            first = rows.leading_groups;
            add_groups(row_group, unsigned_columns, first, products);
            if (!may_have_near(products, rows, i, columns, terms, of_columns)) {
                std::fill_n(places.rows + i, vnni_rows, std::uint64_t{0});
                continue;
            }
            add_groups(row_group + first * next, unsigned_columns + first * next, rows.groups - first, products);
            first = rows.groups;
        }
        for (; first < rows.groups; first += vnni_groups) {
            const std::size_t groups = std::min(vnni_groups, rows.groups - first);
            if (i == 0 || rows.groups > vnni_groups) {
                copy_unsigned(columns, first, groups, unsigned_columns);
            }
            add_groups(row_group + first * next, unsigned_columns, groups, products);
        }
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            places.rows[i + r] = near_columns(products[r], terms, i + r, columns.step, of_columns);
        }
    }
}

namespace {

constexpr std::size_t amx_rows = 16;

/// What LDTILECFG reads: three tiles of sums, one of rows and three of columns.
struct alignas(64) TileShapes {
    constexpr explicit TileShapes(std::size_t groups) {
        constexpr std::size_t tiles = 7;
        for (std::size_t tile = 0; tile < tiles; ++tile) {
            rows[tile] = static_cast<std::uint8_t>(tile > 3 ? groups : amx_rows);
            bytes_of_a_row[tile] = static_cast<std::uint16_t>(tile == 3 ? groups * quantized_group : 64);
        }
    }

    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};         // NOLINT(*-avoid-c-arrays): read by the instruction
    std::uint16_t bytes_of_a_row[16] = {};  // NOLINT(*-avoid-c-arrays): likewise
    std::uint8_t rows[16] = {};             // NOLINT(*-avoid-c-arrays): likewise
};

/// Of even numbers of groups.
constexpr std::array<TileShapes, most_groups_at_once / 2> tile_shapes{TileShapes(2),  TileShapes(4),  TileShapes(6),
                                                                      TileShapes(8),  TileShapes(10), TileShapes(12),
                                                                      TileShapes(14), TileShapes(16)};

/// The registers keep their shapes from one call to the next, unless other code has changed them: to look takes a tenth
/// of the time of a change. In assembly because GCC 12 takes the intrinsics to read and write eight bytes.
ISOGON_AMX inline void shape_tiles(std::size_t groups) {
    const TileShapes& wanted = tile_shapes[groups / 2 - 1];
    TileShapes now(groups);                    // overwritten
    asm volatile("sttilecfg %0" : "=m"(now));  // NOLINT(hicpp-no-assembler): see above
    if (_mm512_cmpneq_epi32_mask(_mm512_load_si512(&now), _mm512_load_si512(&wanted)) != 0) {
        asm volatile("ldtilecfg %0" : : "m"(wanted));  // NOLINT(hicpp-no-assembler): see above
    }
}

/// The products of all rows with all columns.
ISOGON_AMX inline void multiply_tiles(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                                      std::size_t groups, std::int32_t* products) {
    constexpr std::size_t next = quantized_group * tile_width;
    constexpr std::size_t next_sums = sizeof(std::int32_t) * tile_width;
    const std::size_t bytes = rows.groups * quantized_group;
    for (std::size_t i = 0; i < tile_width; i += amx_rows) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        for (std::size_t g = 0; g < rows.groups; g += groups) {
            _tile_loadd(3, rows.by_point + i * bytes + g * quantized_group, bytes);
            if (i == 0 || groups < rows.groups) {
                const std::int8_t* of_columns = columns.components + g * next;
                _tile_loadd(4, of_columns, next);
                _tile_loadd(5, of_columns + sizeof(__m512i), next);
                _tile_loadd(6, of_columns + 2 * sizeof(__m512i), next);
            }
            _tile_dpbssd(0, 3, 4);
            _tile_dpbssd(1, 3, 5);
            _tile_dpbssd(2, 3, 6);
        }
        _tile_stored(0, products + i * tile_width, next_sums);
        _tile_stored(1, products + i * tile_width + vnni_lanes, next_sums);
        _tile_stored(2, products + i * tile_width + 2 * vnni_lanes, next_sums);
    }
}

/// The bounds in whole numbers, for a first comparison with a whole panel of rows: q_i.q_j s s' - a_i/2 is more than
/// a_j/2 - max(R^2/2 of j, that of any row), or the pair is far.
struct alignas(64) WholeBounds {
    std::int32_t of_rows[tile_width];     // NOLINT(*-avoid-c-arrays): read by intrinsics
    std::int32_t of_columns[tile_width];  // NOLINT(*-avoid-c-arrays): likewise
};

/// Whole numbers that are surely no more than the bounds over s s': cut where no product reaches, and the least for
/// what overflowed. Sums of two, and of a product, do not overflow.
ISOGON_VNNI inline __m512i below(__m512 bounds, float inverse, float other_inverse) {
    constexpr float least = -(1 << 30);
    constexpr float most = 1 << 26;
    constexpr float rounding = 1e-6F;
    const __m512 scaled = _mm512_mul_ps(_mm512_mul_ps(bounds, _mm512_set1_ps(inverse)), _mm512_set1_ps(other_inverse));
    const __m512 margin = _mm512_fmadd_ps(_mm512_set1_ps(rounding), _mm512_abs_ps(scaled), _mm512_set1_ps(2.0F));
    // Both take the second where one is NaN.
    const __m512 less = _mm512_min_ps(_mm512_set1_ps(most), _mm512_sub_ps(scaled, margin));
    return _mm512_cvtps_epi32(_mm512_max_ps(less, _mm512_set1_ps(least)));
}

ISOGON_VNNI void write_whole_bounds(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                                    const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                                    WholeBounds& bounds) {
    const float inverse = 1.0F / rows.step;
    const float other_inverse = 1.0F / columns.step;
    __m512 farthest = _mm512_setzero_ps();
    for (std::size_t i = 0; i < tile_width; i += vnni_lanes) {
        const __m512 half_squares = _mm512_load_ps(of_rows.half_squares + i);
        farthest = _mm512_max_ps(farthest, _mm512_sub_ps(half_squares, _mm512_load_ps(of_rows.differences + i)));
        _mm512_store_si512(bounds.of_rows + i, below(half_squares, inverse, other_inverse));
    }
    const __m512 farthest_of_rows = _mm512_set1_ps(_mm512_reduce_max_ps(farthest));
    for (std::size_t j = 0; j < tile_width; j += vnni_lanes) {
        const __m512 by_rows = _mm512_sub_ps(_mm512_load_ps(of_columns.half_squares + j), farthest_of_rows);
        const __m512 least = _mm512_min_ps(by_rows, _mm512_load_ps(of_columns.differences + j));
        _mm512_store_si512(bounds.of_columns + j, below(least, inverse, other_inverse));
    }
}

/// Whether any column may be near the row, by the whole numbers.
ISOGON_VNNI inline __mmask16 may_have_near(const __m512i* products, const WholeBounds& bounds, std::size_t i) {
    const auto* least = reinterpret_cast<const __m512i*>(bounds.of_columns);
    const __m512i most = _mm512_max_epi32(
        _mm512_max_epi32(_mm512_sub_epi32(products[0], least[0]), _mm512_sub_epi32(products[1], least[1])),
        _mm512_sub_epi32(products[2], least[2]));
    return _mm512_cmpgt_epi32_mask(most, _mm512_set1_epi32(bounds.of_rows[i]));
}

}  // namespace

ISOGON_AMX void mark_with_amx(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                              const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                              TilePlaces& places) {
    const std::size_t groups = rows.groups / block_count(rows.groups, most_groups_at_once);
    shape_tiles(groups);
    alignas(64) std::int32_t products[tile_size];  // NOLINT(*-avoid-c-arrays,*-member-init): filled below
    multiply_tiles(rows, columns, groups, products);
    WholeBounds bounds;  // NOLINT(*-member-init): filled below
    write_whole_bounds(rows, of_rows, columns, of_columns, bounds);
    const RowTerms terms(rows, of_rows, 0);
    const auto of_row = [&](std::size_t i) { return reinterpret_cast<const __m512i*>(products + i * tile_width); };
    for (std::size_t i = 0; i < tile_width; i += marked_rows_at_once) {
        __mmask16 near[marked_rows_at_once];  // NOLINT(*-avoid-c-arrays): registers
#pragma GCC unroll 4
        for (std::size_t r = 0; r < marked_rows_at_once; ++r) {
            near[r] = may_have_near(of_row(i + r), bounds, i + r);
            places.rows[i + r] = 0;
        }
        const __mmask16 any = _kor_mask16(_kor_mask16(near[0], near[1]), _kor_mask16(near[2], near[3]));
        if (_kortestz_mask16_u8(any, any) != 0) {
            continue;
        }
        for (std::size_t r = 0; r < marked_rows_at_once; ++r) {
            if (near[r] != 0) {
                const __m512i* of_this = of_row(i + r);
                places.rows[i + r] = near_columns(of_this, terms, i + r, columns.step, of_columns);
            }
        }
    }
}

}  // namespace isogon

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#else
namespace isogon {

ByteProducts byte_products() {
    return ByteProducts::None;
}

void mark_with_vnni(const QuantizedPoints::Panel& /*rows*/, const QuantizedBounds& /*of_rows*/,
                    const QuantizedPoints::Panel& /*columns*/, const QuantizedBounds& /*of_columns*/,
                    TilePlaces& /*places*/) {}

void mark_with_amx(const QuantizedPoints::Panel& /*rows*/, const QuantizedBounds& /*of_rows*/,
                   const QuantizedPoints::Panel& /*columns*/, const QuantizedBounds& /*of_columns*/,
                   TilePlaces& /*places*/) {}

}  // namespace isogon
#endif
