#include "quality/threshold_edge.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

bool is_above(std::span<const float> x, std::span<const float> y, double threshold) {
    double product = 0.0;
    double square_x = 0.0;
    double square_y = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        product += double{x[k]} * double{y[k]};
        square_x += double{x[k]} * double{x[k]};
        square_y += double{y[k]} * double{y[k]};
    }
    return product > 0.0 && product * product > threshold * threshold * square_x * square_y;
}

void settle_edge(const PointsView& points, double threshold, const PairTile& tile, float* values) {
    // A sum of D products in chunks of 128, each rounded once, the sums of the chunks once more; so are the directions.
    const double depth = points.dimension;
    const auto margin = static_cast<float>(std::ldexp(std::min(depth, 128.0) + depth / 128.0 + 8.0, -24));
    const auto edge = static_cast<float>(threshold);
    const float just_above = std::nextafter(edge, 2.0F);
    for (Index i = 0; i < tile.rows; ++i) {
        for (Index j = tile.diagonal ? i + 1 : 0; j < tile.columns; ++j) {
            float& value = values[i * tile_width + j];
            if (std::abs(value - edge) <= margin) {
                const bool above = is_above(points[tile.first_row + i], points[tile.first_column + j], threshold);
                value = above ? std::max(value, just_above) : std::min(value, edge);
            }
        }
    }
}

}  // namespace isogon
