#pragma once
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "pairs/quantized_kernel.hpp"

// The kernels for AVX-512 share this: the bounds of a pair of panels, and the marks of rows whose products are there.
// For x86-64 alone; in intrinsics, as Highway 1.0 has no product of bytes.

#define ISOGON_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

namespace isogon {

inline constexpr std::size_t marked_rows_at_once = 4;
inline constexpr std::size_t vnni_vectors = 3;  // of 16 columns
inline constexpr std::size_t vnni_lanes = 16;

/// The bounds of one panel: whole numbers that are surely no more than a/2, and a/2 - R^2/2, over s s'.
struct alignas(64) WholeBounds {
    std::int32_t half_squares[tile_width];  // NOLINT(*-avoid-c-arrays): read by intrinsics
    std::int32_t differences[tile_width];   // NOLINT(*-avoid-c-arrays): likewise
};

ISOGON_VNNI inline __m512 slacks(const QuantizedPoints::Panel& panel, std::size_t i) {
    return _mm512_add_ps(_mm512_loadu_ps(panel.errors + i), _mm512_loadu_ps(panel.reach.skins + i));
}

ISOGON_VNNI inline float largest_slack(const QuantizedPoints::Panel& panel) {
    return _mm512_reduce_max_ps(
        _mm512_max_ps(_mm512_max_ps(slacks(panel, 0), slacks(panel, vnni_lanes)), slacks(panel, 2 * vnni_lanes)));
}

/// Cut where no product reaches, and the least for what overflowed. Sums of two, and of a product, do not overflow.
ISOGON_VNNI inline __m512i whole_below(__m512 bounds) {
    constexpr float least_bound = -(1 << 30);
    constexpr float most_bound = 1 << 26;
    constexpr float rounding = 1e-6F;
    const __m512 margin = _mm512_fmadd_ps(_mm512_set1_ps(rounding), _mm512_abs_ps(bounds), _mm512_set1_ps(1.0F));
    // Both take the second where one is NaN.
    const __m512 less = _mm512_min_ps(_mm512_set1_ps(most_bound), _mm512_sub_ps(bounds, margin));
    return _mm512_cvtps_epi32(_mm512_max_ps(less, _mm512_set1_ps(least_bound)));
}

/// The bounds of a pair of panels, in units of s s': near points have q_i.q_j above a_i/2 + (a_j - R_j^2)/2, or above
/// (a_i - R_i^2)/2 + a_j/2. In whole numbers, which are some units less, they are compared as fast as products come;
/// what is marked in addition is rare. In float32 they took longer, with these whole numbers for a first comparison.
struct PanelBounds {
    ISOGON_VNNI PanelBounds(const QuantizedPoints::Panel& rows, const QuantizedPoints::Panel& columns)
        : few_marks(rows.few_marks) {
        write(rows, columns, of_rows);
        write(columns, rows, of_columns);
        for (std::size_t i = 0; few_marks && i < tile_width; i += vnni_lanes) {
            write_least_of_four(of_rows.half_squares + i, of_fours.half_squares + i);
            write_least_of_four(of_rows.differences + i, of_fours.differences + i);
        }
    }

    ISOGON_VNNI static void write(const QuantizedPoints::Panel& panel, const QuantizedPoints::Panel& other,
                                  WholeBounds& bounds) {
        const float slack_of_other = largest_slack(other);
        const __m512 inverse = _mm512_set1_ps(1.0F / panel.step);
        const __m512 other_inverse = _mm512_set1_ps(1.0F / other.step);
        for (std::size_t i = 0; i < tile_width; i += vnni_lanes) {
            const __m512 within = _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(panel.reach.radii + i), slacks(panel, i)),
                                                _mm512_set1_ps(slack_of_other));
            const __m512 bound = _mm512_mul_ps(_mm512_set1_ps(1.0F + bounds_margin), within);
            const __m512 half =
                _mm512_mul_ps(_mm512_set1_ps(0.5F * (1.0F - bounds_margin)), _mm512_loadu_ps(panel.squares + i));
            const __m512 difference = _mm512_fnmadd_ps(_mm512_mul_ps(_mm512_set1_ps(0.5F), bound), bound, half);
            const auto whole = [&](__m512 length) ISOGON_VNNI {
                return whole_below(_mm512_mul_ps(_mm512_mul_ps(length, inverse), other_inverse));
            };
            _mm512_store_si512(bounds.half_squares + i, whole(half));
            _mm512_store_si512(bounds.differences + i, whole(difference));
        }
    }

    /// The least of each four numbers, four times.
    ISOGON_VNNI static void write_least_of_four(const std::int32_t* numbers, std::int32_t* least) {
        const __m512i all = _mm512_load_si512(numbers);
        const __m512i of_two = _mm512_min_epi32(all, _mm512_shuffle_epi32(all, _MM_PERM_CDAB));
        _mm512_store_si512(least, _mm512_min_epi32(of_two, _mm512_shuffle_epi32(of_two, _MM_PERM_BADC)));
    }

    WholeBounds of_rows;
    WholeBounds of_fours;  ///< the least of four rows, where few marks are expected
    WholeBounds of_columns;
    bool few_marks;
};

/// Marks those of 16 columns whose product with row i is more than a bound.
ISOGON_VNNI inline __mmask16 near_columns(__m512i products, const WholeBounds& rows, std::size_t i,
                                          const WholeBounds& columns, std::size_t j) {
    const __m512i by_row =
        _mm512_add_epi32(_mm512_load_si512(columns.half_squares + j), _mm512_set1_epi32(rows.differences[i]));
    const __m512i by_column =
        _mm512_add_epi32(_mm512_load_si512(columns.differences + j), _mm512_set1_epi32(rows.half_squares[i]));
    return _mm512_cmpgt_epi32_mask(products, _mm512_min_epi32(by_row, by_column));
}

/// Marks those of all columns.
ISOGON_VNNI inline std::uint64_t near_columns(__m512i first, __m512i second, __m512i third, const PanelBounds& bounds,
                                              std::size_t i) {
    const WholeBounds& rows = bounds.of_rows;
    const WholeBounds& columns = bounds.of_columns;
    return std::uint64_t{near_columns(first, rows, i, columns, 0)} |
           std::uint64_t{near_columns(second, rows, i, columns, vnni_lanes)} << vnni_lanes |
           std::uint64_t{near_columns(third, rows, i, columns, 2 * vnni_lanes)} << 2 * vnni_lanes;
}

using RowProducts = __m512i[vnni_vectors];  // NOLINT(*-avoid-c-arrays): registers, or what AMX writes

/// The marks of four rows. Where few are expected most have none, which the largest of their products tell.
[[gnu::always_inline]] ISOGON_VNNI inline void mark_four(const RowProducts* products, std::size_t i,
                                                         const PanelBounds& bounds, TilePlaces& places) {
    const auto near_any = [&](std::size_t v) ISOGON_VNNI {
        const __m512i largest = _mm512_max_epi32(_mm512_max_epi32(products[0][v], products[1][v]),
                                                 _mm512_max_epi32(products[2][v], products[3][v]));
        return near_columns(largest, bounds.of_fours, i, bounds.of_columns, v * vnni_lanes);
    };
    if (bounds.few_marks && _kortestz_mask16_u8(_kor_mask16(near_any(0), near_any(1)), near_any(2)) != 0) {
        std::fill_n(places.rows + i, marked_rows_at_once, std::uint64_t{0});
        return;
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < marked_rows_at_once; ++r) {
        places.rows[i + r] = near_columns(products[r][0], products[r][1], products[r][2], bounds, i + r);
    }
}

}  // namespace isogon
