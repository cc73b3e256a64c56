#include "quality/tile_angles.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

double TileAngles::operator()(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    if (cosine <= near_cosine) {
        return std::acos(std::max(double{cosine}, -1.0));
    }
    return 2.0 * std::asin(std::min(std::sqrt(squared_distance(i, j)) / 2.0, 1.0));
}

double TileAngles::versine(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    return cosine <= near_cosine ? 1.0 - double{cosine} : squared_distance(i, j) / 2.0;
}

double TileAngles::squared_distance(Index i, Index j) {
    if (measured_row_ != i) {
        measure_row(i);
    }
    return squared_distances_.at(j);
}

void TileAngles::measure_row(Index i) {
    squared_differences(left_, i, right_, depth_, squared_distances_);
    measured_row_ = i;
}

// Short sums of squares are added up in float64.
void squared_differences(PanelView rows, Index i, PanelView columns, std::size_t depth,
                         std::array<double, panel_width>& squares) {
    constexpr std::size_t chunk = 32;
    squares.fill(0.0);
    for (std::size_t begin = 0; begin < depth; begin += chunk) {
        std::array<float, panel_width> sums{};
        const std::size_t end = std::min(begin + chunk, depth);
        for (std::size_t k = begin; k < end; ++k) {
            const float* values = columns.data + k * columns.stride;
            const float row = rows.data[k * rows.stride + i];
            for (std::size_t j = 0; j < panel_width; ++j) {
                const float difference = values[j] - row;
                sums[j] += difference * difference;
            }
        }
        for (std::size_t j = 0; j < panel_width; ++j) {
            squares[j] += double{sums[j]};
        }
    }
}

}  // namespace isogon
