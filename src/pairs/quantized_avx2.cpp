#include <algorithm>
#include <array>

#include "pairs/quantized_kernel.hpp"

// Highway 1.0 has no product of bytes, so this kernel is in intrinsics.
#if defined(__x86_64__)
#include <immintrin.h>

#define ISOGON_AVX2 __attribute__((target("avx2,fma")))

namespace isogon {

namespace {

constexpr std::size_t avx2_rows = 4;
constexpr std::size_t avx2_vectors = 2;  // of 8 columns
constexpr std::size_t avx2_lanes = 8;
constexpr std::int32_t avx2_offset = 64;  // of columns, which are taken without sign

/// The sums with which the products of each row start, as columns are q + offset, and the bounds of these products.
struct PairTerms {
    PairTerms(const QuantizedPoints::Panel& row_panel, const QuantizedPoints::Panel& column_panel)
        : rows(row_panel), columns(column_panel), inverse_step(1.0F / rows.step) {
        QuantizedBounds of_rows;  // NOLINT(*-member-init): written here
        write_bounds(rows, columns, of_rows, of_columns);
        for (std::size_t i = 0; i < tile_width; ++i) {
            first_sums[i] = -avx2_offset * rows.sums[i];
            half_squares[i] = inverse_step * of_rows.half_squares[i];
            differences[i] = inverse_step * of_rows.differences[i];
        }
    }

    const QuantizedPoints::Panel& rows;
    const QuantizedPoints::Panel& columns;
    QuantizedBounds of_columns;
    float inverse_step;
    std::array<std::int32_t, tile_width> first_sums;
    std::array<float, tile_width> half_squares;
    std::array<float, tile_width> differences;
};

/// Adds products of eight components: two of seven bits and their sums fit into 16 bits, as |q| <= 63.
ISOGON_AVX2 inline __m256i add_products(__m256i sums, __m256i columns, __m256i row, __m256i more_columns,
                                        __m256i more_of_row) {
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(columns, row),  //
                                           _mm256_maddubs_epi16(more_columns, more_of_row));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

using Avx2Products = __m256i[avx2_rows][avx2_vectors];  // NOLINT(*-avoid-c-arrays): registers

/// Adds those of some groups, an even number, of four rows and 16 columns.
[[gnu::always_inline]] ISOGON_AVX2 inline void add_groups(const std::int8_t* row_group, const std::int8_t* column_group,
                                                          std::size_t groups, Avx2Products& products) {
    constexpr std::size_t next = tile_width * quantized_group;
    const __m256i half = _mm256_set1_epi8(avx2_offset);
    for (std::size_t g = 0; g < groups; g += 2, column_group += 2 * next, row_group += 2 * next) {
        __m256i of_columns_now[2][avx2_vectors];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < avx2_vectors; ++v) {
            const auto* group = reinterpret_cast<const __m256i*>(column_group) + v;
            of_columns_now[0][v] = _mm256_add_epi8(half, _mm256_load_si256(group));
            of_columns_now[1][v] = _mm256_add_epi8(half, _mm256_load_si256(group + next / sizeof(__m256i)));
        }
#pragma GCC unroll 4
        for (std::size_t r = 0; r < avx2_rows; ++r) {
            const __m256i row = _mm256_set1_epi32(four_at(row_group + r * quantized_group));
            const __m256i more_of_row = _mm256_set1_epi32(four_at(row_group + next + r * quantized_group));
#pragma GCC unroll 2
            for (std::size_t v = 0; v < avx2_vectors; ++v) {
                products[r][v] =
                    add_products(products[r][v], of_columns_now[0][v], row, of_columns_now[1][v], more_of_row);
            }
        }
    }
}

/// Which of eight columns may be near row i, where no product is larger than these.
ISOGON_AVX2 inline std::uint64_t near_columns(__m256 products, const PairTerms& terms, std::size_t i, std::size_t j) {
    const QuantizedBounds& of_columns = terms.of_columns;
    const __m256 of_step = _mm256_set1_ps(terms.inverse_step);
    const __m256 by_row =
        _mm256_fmadd_ps(_mm256_load_ps(of_columns.half_squares + j), of_step, _mm256_set1_ps(terms.differences[i]));
    const __m256 by_column =
        _mm256_fmadd_ps(_mm256_load_ps(of_columns.differences + j), of_step, _mm256_set1_ps(terms.half_squares[i]));
    const __m256 product = _mm256_mul_ps(products, _mm256_set1_ps(terms.columns.step));
    return unsigned(_mm256_movemask_ps(_mm256_cmp_ps(product, _mm256_min_ps(by_row, by_column), _CMP_NLE_UQ)));
}

/// As of AVX-512, of four rows and 16 columns.
[[gnu::always_inline]] ISOGON_AVX2 inline bool may_have_near(const Avx2Products& products, const PairTerms& terms,
                                                             std::size_t i, std::size_t first) {
    std::uint64_t any = 0;
#pragma GCC unroll 4
    for (std::size_t r = 0; r < avx2_rows; ++r) {
        const __m256i rest_of_offset = _mm256_set1_epi32(terms.rows.rest_sums[i + r] * avx2_offset);
#pragma GCC unroll 2
        for (std::size_t v = 0; v < avx2_vectors; ++v) {
            const std::size_t j = first + v * avx2_lanes;
            const __m256 at_most =
                _mm256_fmadd_ps(_mm256_set1_ps(terms.rows.rests[i + r]), _mm256_loadu_ps(terms.columns.rests + j),
                                _mm256_cvtepi32_ps(_mm256_add_epi32(products[r][v], rest_of_offset)));
            any |= near_columns(at_most, terms, i + r, j);
        }
    }
    return any != 0;
}

}  // namespace

ISOGON_AVX2 void mark_with_avx2(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns,
                                TilePlaces& places) {
    constexpr std::size_t columns_at_once = avx2_vectors * avx2_lanes;
    constexpr std::size_t next = tile_width * quantized_group;
    const std::size_t leading = rows.leading_groups;
    const PairTerms terms(rows, columns);
    std::fill_n(places.rows, tile_width, std::uint64_t{0});
    for (std::size_t first = 0; first < tile_width; first += columns_at_once) {
        for (std::size_t i = 0; i < tile_width; i += avx2_rows) {
            Avx2Products products;  // NOLINT(*-member-init): filled below
#pragma GCC unroll 4
            for (std::size_t r = 0; r < avx2_rows; ++r) {
                products[r][0] = products[r][1] = _mm256_set1_epi32(terms.first_sums[i + r]);
            }
            const std::int8_t* column_group = columns.components + first * quantized_group;
            const std::int8_t* row_group = rows.components + i * quantized_group;
            add_groups(row_group, column_group, leading, products);
            if (leading < rows.groups) {
                if (!may_have_near(products, terms, i, first)) {
                    continue;
                }
                add_groups(row_group + leading * next, column_group + leading * next, rows.groups - leading, products);
            }
#pragma GCC unroll 4
            for (std::size_t r = 0; r < avx2_rows; ++r) {
#pragma GCC unroll 2
                for (std::size_t v = 0; v < avx2_vectors; ++v) {
                    const std::size_t j = first + v * avx2_lanes;
                    places.rows[i + r] |= near_columns(_mm256_cvtepi32_ps(products[r][v]), terms, i + r, j) << j;
                }
            }
        }
    }
}

}  // namespace isogon
#endif
