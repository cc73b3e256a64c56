#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "verlet/local_pass.hpp"

// The passes of the local form and their scans share this.
namespace isogon {

inline constexpr float unreachable_product = -std::numeric_limits<float>::infinity();  ///< that no bound reaches

/// Entries on and below the diagonal and beyond the last point are no pairs.
inline void exclude_non_pairs(PairTile& tile) {
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

/// |y_i|^2, padded.
inline std::vector<float> squared_norms(const MultiVector<float>& y) {
    std::vector<float> squares(block_count(y.rows(), tile_width) * tile_width);
    for (Index i = 0; i < y.rows(); ++i) {
        double sum = 0.0;
        for (Index k = 0; k < y.columns(); ++k) {
            sum += double{y.row(i)[k]} * y.row(i)[k];
        }
        squares[i] = static_cast<float>(sum);
    }
    return squares;
}

inline double square(double value) {
    return value * value;
}

}  // namespace isogon
