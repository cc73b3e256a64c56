#include <hwy/targets.h>

#include <algorithm>
#include <cstring>

#include "pairs/quantized_kernel.hpp"

// Highway 1.0 has no product of bytes, so these two kernels are in intrinsics.
#if defined(__x86_64__)
#include <immintrin.h>

#define ISOGON_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define ISOGON_AVX2 __attribute__((target("avx2,fma")))

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own headers read what they say is undefined (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 4;
constexpr std::size_t vnni_rows = 8;     // 24 registers of sums, 3 of columns and one of a row
constexpr std::size_t vnni_vectors = 3;  // of 16 columns
constexpr std::size_t vnni_lanes = 16;
constexpr std::size_t vnni_groups = 64;  // of columns at once: 12 KB
constexpr std::size_t avx2_vectors = 2;  // of 8 columns
constexpr std::size_t avx2_lanes = 8;

/// Four components of a row.
std::int32_t four_at(const std::int8_t* group) {
    std::int32_t four = 0;
    std::memcpy(&four, group, sizeof(four));
    return four;
}

/// What the products of each row start with, and what they are compared with.
struct alignas(64) RowTerms {
    /// Of columns q + offset: the instructions take their first operand without sign.
    RowTerms(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows, std::int32_t offset) {
        for (std::size_t i = 0; i < tile_width; ++i) {
            first_sums[i] = -offset * rows.sums[i];
            inverse_steps[i] = 1.0F / rows.steps[i];
            half_squares[i] = inverse_steps[i] * of_rows.half_squares[i];
            differences[i] = inverse_steps[i] * of_rows.differences[i];
        }
    }

    std::int32_t first_sums[tile_width];  // NOLINT(*-avoid-c-arrays): read by intrinsics of another target
    float inverse_steps[tile_width];      // NOLINT(*-avoid-c-arrays): likewise
    float half_squares[tile_width];       // NOLINT(*-avoid-c-arrays): likewise
    float differences[tile_width];        // NOLINT(*-avoid-c-arrays): likewise
};

}  // namespace

ByteProducts byte_products() {
    if ((hwy::SupportedTargets() & HWY_AVX3) != 0 && __builtin_cpu_supports("avx512vnni") != 0) {
        return ByteProducts::Vnni;
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

}  // namespace

ISOGON_VNNI void mark_with_vnni(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                                const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                                TilePlaces& places) {
    constexpr std::size_t next = quantized_group * tile_width;
    const RowTerms terms(rows, of_rows, 128);
    alignas(64)
        std::int8_t unsigned_columns[vnni_groups * next];  // NOLINT(*-avoid-c-arrays,*-member-init): filled below
    for (std::size_t i = 0; i < tile_width; i += vnni_rows) {
        __m512i products[vnni_rows][vnni_vectors];
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            products[r][0] = products[r][1] = products[r][2] = _mm512_set1_epi32(terms.first_sums[i + r]);
        }
        for (std::size_t first = 0; first < rows.groups; first += vnni_groups) {
            const std::size_t groups = std::min(vnni_groups, rows.groups - first);
            if (i == 0 || rows.groups > vnni_groups) {
                copy_unsigned(columns, first, groups, unsigned_columns);
            }
            const std::int8_t* row_group = rows.components + (first * tile_width + i) * quantized_group;
            const std::int8_t* column_group = unsigned_columns;
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
#pragma GCC unroll 8
        for (std::size_t r = 0; r < vnni_rows; ++r) {
            const __m512 of_step = _mm512_set1_ps(terms.inverse_steps[i + r]);
            const __m512 half_square = _mm512_set1_ps(terms.half_squares[i + r]);
            const __m512 difference = _mm512_set1_ps(terms.differences[i + r]);
            std::uint64_t marks = 0;
#pragma GCC unroll 3
            for (std::size_t v = 0; v < vnni_vectors; ++v) {
                const std::size_t j = v * vnni_lanes;
                const __m512 by_row = _mm512_fmadd_ps(_mm512_load_ps(of_columns.half_squares + j), of_step, difference);
                const __m512 by_column =
                    _mm512_fmadd_ps(_mm512_load_ps(of_columns.differences + j), of_step, half_square);
                const __m512 product =
                    _mm512_mul_ps(_mm512_cvtepi32_ps(products[r][v]), _mm512_loadu_ps(columns.steps + j));
                // Not "greater": what overflowed to NaN is marked.
                const __mmask16 may_be_near =
                    _mm512_cmp_ps_mask(product, _mm512_min_ps(by_row, by_column), _CMP_NLE_UQ);
                marks |= std::uint64_t{may_be_near} << j;
            }
            places.rows[i + r] = marks;
        }
    }
}

namespace {

/// Adds products of eight components: two of seven bits and their sums fit into 16 bits, as |q| <= 63.
ISOGON_AVX2 inline __m256i add_products(__m256i sums, __m256i columns, __m256i row, __m256i more_columns,
                                        __m256i more_of_row) {
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(columns, row),  //
                                           _mm256_maddubs_epi16(more_columns, more_of_row));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

}  // namespace

ISOGON_AVX2 void mark_with_avx2(const QuantizedPoints::Panel& rows, const QuantizedBounds& of_rows,
                                const QuantizedPoints::Panel& columns, const QuantizedBounds& of_columns,
                                TilePlaces& places) {
    constexpr std::size_t columns_at_once = avx2_vectors * avx2_lanes;
    const RowTerms terms(rows, of_rows, 64);
    const __m256i half = _mm256_set1_epi8(64);
    std::fill_n(places.rows, tile_width, std::uint64_t{0});
    for (std::size_t first = 0; first < tile_width; first += columns_at_once) {
        for (std::size_t i = 0; i < tile_width; i += rows_at_once) {
            __m256i products[rows_at_once][avx2_vectors];
#pragma GCC unroll 4
            for (std::size_t r = 0; r < rows_at_once; ++r) {
                products[r][0] = products[r][1] = _mm256_set1_epi32(terms.first_sums[i + r]);
            }
            const std::int8_t* column_group = columns.components + first * quantized_group;
            const std::int8_t* row_group = rows.components + i * quantized_group;
            constexpr std::size_t next = tile_width * quantized_group;
            for (std::size_t g = 0; g < rows.groups; g += 2, column_group += 2 * next, row_group += 2 * next) {
                __m256i of_columns_now[2][avx2_vectors];
#pragma GCC unroll 2
                for (std::size_t v = 0; v < avx2_vectors; ++v) {
                    const auto* group = reinterpret_cast<const __m256i*>(column_group) + v;
                    of_columns_now[0][v] = _mm256_add_epi8(half, _mm256_load_si256(group));
                    of_columns_now[1][v] = _mm256_add_epi8(half, _mm256_load_si256(group + next / sizeof(__m256i)));
                }
#pragma GCC unroll 4
                for (std::size_t r = 0; r < rows_at_once; ++r) {
                    const __m256i row = _mm256_set1_epi32(four_at(row_group + r * quantized_group));
                    const __m256i more_of_row = _mm256_set1_epi32(four_at(row_group + next + r * quantized_group));
#pragma GCC unroll 2
                    for (std::size_t v = 0; v < avx2_vectors; ++v) {
                        products[r][v] =
                            add_products(products[r][v], of_columns_now[0][v], row, of_columns_now[1][v], more_of_row);
                    }
                }
            }
#pragma GCC unroll 4
            for (std::size_t r = 0; r < rows_at_once; ++r) {
                const __m256 of_step = _mm256_set1_ps(terms.inverse_steps[i + r]);
                const __m256 half_square = _mm256_set1_ps(terms.half_squares[i + r]);
                const __m256 difference = _mm256_set1_ps(terms.differences[i + r]);
#pragma GCC unroll 2
                for (std::size_t v = 0; v < avx2_vectors; ++v) {
                    const std::size_t j = first + v * avx2_lanes;
                    const __m256 by_row =
                        _mm256_fmadd_ps(_mm256_load_ps(of_columns.half_squares + j), of_step, difference);
                    const __m256 by_column =
                        _mm256_fmadd_ps(_mm256_load_ps(of_columns.differences + j), of_step, half_square);
                    const __m256 product =
                        _mm256_mul_ps(_mm256_cvtepi32_ps(products[r][v]), _mm256_loadu_ps(columns.steps + j));
                    const __m256 may_be_near = _mm256_cmp_ps(product, _mm256_min_ps(by_row, by_column), _CMP_NLE_UQ);
                    places.rows[i + r] |= std::uint64_t(unsigned(_mm256_movemask_ps(may_be_near))) << j;
                }
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

void mark_with_avx2(const QuantizedPoints::Panel& /*rows*/, const QuantizedBounds& /*of_rows*/,
                    const QuantizedPoints::Panel& /*columns*/, const QuantizedBounds& /*of_columns*/,
                    TilePlaces& /*places*/) {}

}  // namespace isogon
#endif
