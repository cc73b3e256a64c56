#pragma once
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "pairs/quantized_kernel.hpp"

// What the kernels for AVX-512 share: the bounds of a pair of panels, and the marks of rows whose products are there.
// For x86-64 alone; in intrinsics, as Highway 1.0 has no product of bytes.

#define ISOGON_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

namespace isogon {

inline constexpr std::size_t marked_rows_at_once = 4;
inline constexpr std::size_t vnni_vectors = 3;  // of 16 columns
inline constexpr std::size_t vnni_lanes = 16;

/// Of one panel: whole numbers that are surely no more than a/2, and a/2 - R^2/2, over s s'.
struct WholeBounds {
    std::int32_t half_squares[tile_width];  // NOLINT(*-avoid-c-arrays): read by intrinsics
    std::int32_t differences[tile_width];   // NOLINT(*-avoid-c-arrays): likewise
};

/// The bounds, where few marks are expected also in whole numbers for a first comparison: in units of s s', what is
/// near has q_i.q_j - (a_j - R_j^2)/2 more than a_i/2, or q_i.q_j - a_j/2 more than (a_i - R_i^2)/2.
struct alignas(64) PanelBounds {
    ISOGON_VNNI PanelBounds(const QuantizedPoints::Panel& rows, const PanelReach& row_reach,
                            const QuantizedPoints::Panel& columns, const PanelReach& column_reach);

    QuantizedBounds of_rows;  ///< over their step
    QuantizedBounds of_columns;
    WholeBounds whole_rows;
    WholeBounds whole_fours;  ///< the least of four rows
    WholeBounds whole_columns;
    float inverse_step;  ///< of rows
    float column_step;
    bool few_marks;
};

ISOGON_VNNI inline float largest_slack(const QuantizedPoints::Panel& panel, const PanelReach& reach) {
    __m512 most = _mm512_setzero_ps();
    for (std::size_t i = 0; i < tile_width; i += vnni_lanes) {
        most = _mm512_max_ps(most, _mm512_add_ps(_mm512_loadu_ps(panel.errors + i), _mm512_loadu_ps(reach.skins + i)));
    }
    return _mm512_reduce_max_ps(most);
}

/// a/2 and a/2 - R^2/2 of 16 points, as write_bounds() has them.
struct HalfSquares {
    ISOGON_VNNI HalfSquares(const QuantizedPoints::Panel& panel, const PanelReach& reach, float slack_of_other,
                            std::size_t i) {
        const __m512 slack = _mm512_add_ps(_mm512_loadu_ps(panel.errors + i), _mm512_loadu_ps(reach.skins + i));
        const __m512 within =
            _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(reach.radii + i), slack), _mm512_set1_ps(slack_of_other));
        const __m512 bound = _mm512_mul_ps(_mm512_set1_ps(1.0F + bounds_margin), within);
        half = _mm512_mul_ps(_mm512_set1_ps(0.5F * (1.0F - bounds_margin)), _mm512_loadu_ps(panel.squares + i));
        difference = _mm512_fnmadd_ps(_mm512_mul_ps(_mm512_set1_ps(0.5F), bound), bound, half);
    }

    ISOGON_VNNI void store(std::size_t i, float scale, QuantizedBounds& bounds) const {
        _mm512_store_ps(bounds.half_squares + i, _mm512_mul_ps(_mm512_set1_ps(scale), half));
        _mm512_store_ps(bounds.differences + i, _mm512_mul_ps(_mm512_set1_ps(scale), difference));
    }

    __m512 half;
    __m512 difference;
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

/// The least of each four numbers, four times.
ISOGON_VNNI inline __m512i least_of_four(__m512i numbers) {
    const __m512i of_two = _mm512_min_epi32(numbers, _mm512_shuffle_epi32(numbers, _MM_PERM_CDAB));
    return _mm512_min_epi32(of_two, _mm512_shuffle_epi32(of_two, _MM_PERM_BADC));
}

ISOGON_VNNI inline PanelBounds::PanelBounds(const QuantizedPoints::Panel& rows, const PanelReach& row_reach,
                                            const QuantizedPoints::Panel& columns, const PanelReach& column_reach)
    : inverse_step(1.0F / rows.step), column_step(columns.step), few_marks(rows.few_marks) {
    const float inverse_of_columns = 1.0F / columns.step;
    const float slack_of_columns = largest_slack(columns, column_reach);
    const float slack_of_rows = largest_slack(rows, row_reach);
    for (std::size_t i = 0; i < tile_width; i += vnni_lanes) {
        const HalfSquares squares(rows, row_reach, slack_of_columns, i);
        squares.store(i, inverse_step, of_rows);
        if (few_marks) {
            const __m512i half = below(squares.half, inverse_step, inverse_of_columns);
            const __m512i difference = below(squares.difference, inverse_step, inverse_of_columns);
            _mm512_store_si512(whole_rows.half_squares + i, half);
            _mm512_store_si512(whole_rows.differences + i, difference);
            _mm512_store_si512(whole_fours.half_squares + i, least_of_four(half));
            _mm512_store_si512(whole_fours.differences + i, least_of_four(difference));
        }
    }
    for (std::size_t j = 0; j < tile_width; j += vnni_lanes) {
        const HalfSquares squares(columns, column_reach, slack_of_rows, j);
        squares.store(j, 1.0F, of_columns);
        if (few_marks) {
            const __m512i half = below(squares.half, inverse_step, inverse_of_columns);
            _mm512_store_si512(whole_columns.half_squares + j, half);
            _mm512_store_si512(whole_columns.differences + j,
                               below(squares.difference, inverse_step, inverse_of_columns));
        }
    }
}

/// The columns that may be near row i, where no product is larger than these.
ISOGON_VNNI inline std::uint64_t near_columns(__m512 first, __m512 second, __m512 third, std::size_t i,
                                              const PanelBounds& bounds) {
    const __m512 of_step = _mm512_set1_ps(bounds.inverse_step);
    const __m512 half_square = _mm512_set1_ps(bounds.of_rows.half_squares[i]);
    const __m512 difference = _mm512_set1_ps(bounds.of_rows.differences[i]);
    const auto near = [&](std::size_t v, __m512 products) ISOGON_VNNI {
        const std::size_t j = v * vnni_lanes;
        const __m512 by_row = _mm512_fmadd_ps(_mm512_load_ps(bounds.of_columns.half_squares + j), of_step, difference);
        const __m512 by_column =
            _mm512_fmadd_ps(_mm512_load_ps(bounds.of_columns.differences + j), of_step, half_square);
        const __m512 product = _mm512_mul_ps(products, _mm512_set1_ps(bounds.column_step));
        // Not "greater": what overflowed to NaN is marked.
        return std::uint64_t{_mm512_cmp_ps_mask(product, _mm512_min_ps(by_row, by_column), _CMP_NLE_UQ)} << j;
    };
    return near(0, first) | near(1, second) | near(2, third);
}

ISOGON_VNNI inline std::uint64_t near_columns(const __m512i* products, std::size_t i, const PanelBounds& bounds) {
    return near_columns(_mm512_cvtepi32_ps(products[0]), _mm512_cvtepi32_ps(products[1]),
                        _mm512_cvtepi32_ps(products[2]), i, bounds);
}

/// Whether any of some products, one vector for each 16 columns, is more than these columns' bounds and that of row i.
[[gnu::always_inline]] ISOGON_VNNI inline bool may_have_near(__m512i first, __m512i second, __m512i third,
                                                             const WholeBounds& rows, std::size_t i,
                                                             const WholeBounds& columns) {
    const auto most_over = [&](const std::int32_t* bounds) ISOGON_VNNI {
        const auto* of_columns = reinterpret_cast<const __m512i*>(bounds);
        return _mm512_max_epi32(
            _mm512_max_epi32(_mm512_sub_epi32(first, of_columns[0]), _mm512_sub_epi32(second, of_columns[1])),
            _mm512_sub_epi32(third, of_columns[2]));
    };
    const __mmask16 by_columns =
        _mm512_cmpgt_epi32_mask(most_over(columns.differences), _mm512_set1_epi32(rows.half_squares[i]));
    const __mmask16 by_row =
        _mm512_cmpgt_epi32_mask(most_over(columns.half_squares), _mm512_set1_epi32(rows.differences[i]));
    return _kortestz_mask16_u8(by_columns, by_row) == 0;
}

using RowProducts = __m512i[vnni_vectors];  // NOLINT(*-avoid-c-arrays): registers, or what AMX writes

/// The marks of four rows. Where few are expected most have none, which the largest of their products tell.
[[gnu::always_inline]] ISOGON_VNNI inline void mark_four(const RowProducts* products, std::size_t i,
                                                         const PanelBounds& bounds, TilePlaces& places) {
    const auto most = [&](std::size_t v) ISOGON_VNNI {
        return _mm512_max_epi32(_mm512_max_epi32(products[0][v], products[1][v]),
                                _mm512_max_epi32(products[2][v], products[3][v]));
    };
    if (!bounds.few_marks) {
#pragma GCC unroll 4
        for (std::size_t r = 0; r < marked_rows_at_once; ++r) {
            places.rows[i + r] = near_columns(products[r], i + r, bounds);
        }
        return;
    }
    std::fill_n(places.rows + i, marked_rows_at_once, std::uint64_t{0});
    if (!may_have_near(most(0), most(1), most(2), bounds.whole_fours, i, bounds.whole_columns)) {
        return;
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < marked_rows_at_once; ++r) {
        if (may_have_near(products[r][0], products[r][1], products[r][2], bounds.whole_rows, i + r,
                          bounds.whole_columns)) {
            places.rows[i + r] = near_columns(products[r], i + r, bounds);
        }
    }
}

}  // namespace isogon
