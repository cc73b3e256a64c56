#include <hwy/targets.h>

#include <algorithm>

#include "pairs/quantized_kernel.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own headers read what they say is undefined (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "pairs/quantized_avx512.hpp"

namespace isogon {

namespace {

constexpr std::size_t vnni_rows = 8;       // 24 registers of sums, 3 of columns and one of a row
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

using VnniProducts = RowProducts[vnni_rows];  // NOLINT(*-avoid-c-arrays): registers

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
                                                             const PanelBounds& bounds) {
    std::uint64_t any = 0;
#pragma GCC unroll 8
    for (std::size_t r = 0; r < vnni_rows; ++r) {
        const __m512 rest = _mm512_set1_ps(rows.rests[i + r]);
        const __m512i rest_of_offset = _mm512_set1_epi32(rows.rest_sums[i + r] * vnni_offset);
        const auto at_most = [&](std::size_t v) ISOGON_VNNI {
            const __m512 of_rests = _mm512_mul_ps(rest, _mm512_loadu_ps(columns.rests + v * vnni_lanes));
            return _mm512_add_epi32(_mm512_add_epi32(products[r][v], rest_of_offset),
                                    _mm512_cvt_roundps_epi32(of_rests, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC));
        };
        any |= near_columns(at_most(0), at_most(1), at_most(2), bounds, i + r);
    }
    return any != 0;
}

}  // namespace

ISOGON_VNNI void mark_with_vnni(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                                TilePlaces& places) {
    constexpr std::size_t next = quantized_group * tile_width;
    const bool by_leading = rows.rests != nullptr && rows.groups <= vnni_groups;
    const PanelBounds bounds(rows, columns);
    alignas(64)
        std::int8_t unsigned_columns[vnni_groups * next];  // NOLINT(*-avoid-c-arrays,*-member-init): filled below
    for (std::size_t i = 0; i < tile_width; i += vnni_rows) {
        VnniProducts products;  // NOLINT(*-member-init): filled below
        const std::int8_t* row_group = rows.components + i * quantized_group;
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            products[r][0] = products[r][1] = products[r][2] = _mm512_set1_epi32(-vnni_offset * rows.sums[i + r]);
        }
        std::size_t first = 0;
        if (by_leading) {
            if (i == 0) {
                copy_unsigned(columns, 0, rows.groups, unsigned_columns);
            }
            first = rows.leading_groups;
            add_groups(row_group, unsigned_columns, first, products);
            if (!may_have_near(products, rows, i, columns, bounds)) {
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
#pragma GCC unroll 2
        for (std::size_t r = 0; r < vnni_rows; r += marked_rows_at_once) {
            mark_four(products + r, i + r, bounds, places);
        }
    }
}

}  // namespace isogon

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
