#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/pairs/local_pass.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"

// What the passes of the local form and their scans share.
namespace isogon {

inline constexpr float unreachable_product = -std::numeric_limits<float>::infinity();  ///< that no bound reaches

/// Entries on and below the diagonal and beyond the last point are no pairs.
inline void exclude_what_is_no_pair(PairTile& tile) {
    if (!tile.diagonal && tile.rows == tile_width && tile.columns == tile_width) {
        return;
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        float* row = tile.values + i * tile_width;
        const std::size_t end = i < tile.rows ? tile.columns : 0;
        const std::size_t begin = tile.diagonal ? std::min(i + 1, end) : 0;
        std::fill(row, row + begin, unreachable_product);
        std::fill(row + end, row + tile_width, unreachable_product);
    }
}

/// With zeros up to whole panels.
inline std::vector<float> padded(std::vector<float> numbers) {
    numbers.resize(block_count(numbers.size(), tile_width) * tile_width);
    return numbers;
}

/// |y_i|^2, padded. On spheres a zero vector is no point: it is far from all.
inline std::vector<float> squared_norms(const MultiVector<float>& y, DeviationScale scale) {
    constexpr float far_away = 1e30F;
    std::vector<float> squares(block_count(y.rows(), tile_width) * tile_width);
    for (Index i = 0; i < y.rows(); ++i) {
        double sum = 0.0;
        for (Index k = 0; k < y.columns(); ++k) {
            sum += double{y.row(i)[k]} * y.row(i)[k];
        }
        squares[i] = scale == DeviationScale::Absolute && sum == 0.0 ? far_away : static_cast<float>(sum);
    }
    return squares;
}

inline double square(double value) {
    return value * value;
}

/// R of a near pair with |y_i - y_j|^2 = q, and its share of the sum.
inline double keep_distance(const DeviationWeights& weights, double target, double radius, double q, LocalSums& sums) {
    const double a = weights.near(target, radius);
    sums.near_squares += a * square(target - q);
    return a * (target - q);
}

/// R of a pair that may not be nearer than the radius; 0 where it is not.
inline double keep_apart(const DeviationWeights& weights, double radius, double q, double weight, LocalSums& sums) {
    if (!(q < radius)) {
        return 0.0;
    }
    const double b = weight * weights.off(radius);
    sums.off_squares += b * square(radius - q);
    return b * (radius - q);
}

}  // namespace isogon
