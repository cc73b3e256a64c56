#include "distance_jaccard.hpp"

#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon::cli {

namespace {

/// |y_i - y_j|^2 / 2 < 1 - tau as a product: y_i.y_j - |y_i|^2 / 2 > |y_j|^2 / 2 - (1 - tau), by one more component on
/// each side.
double near_pairs(const PointsView& y, const std::vector<float>& halves, double tau, const RunContext& context) {
    const std::vector<float> ones(y.count, 1.0F);
    PackedPoints left = pack(y, ones, halves, context);
    PackedPoints right = pack(y, ones, ones, context);
    for (Index i = 0; i < y.count; ++i) {
        left.at(i, y.dimension) = -halves[i];
    }
    std::vector<double> counts(pair_task_count(y.count));
    const auto reach = static_cast<float>(1.0 - tau);
    for_each_pair_tile(left, right, context, [&](PairTile& tile) {
        std::size_t count = 0;
        for (Index r = 0; r < tile.rows; ++r) {
            for (Index c = tile.diagonal ? r + 1 : 0; c < tile.columns; ++c) {
                const float product = tile.values[std::size_t{r} * panel_width + c];
                count += product - halves[tile.first_column + c] > -reach ? 1U : 0U;
            }
        }
        counts[tile.task] += static_cast<double>(count);
    });
    double sum = 0.0;
    for (const double count : counts) {
        sum += count;
    }
    return sum;
}

}  // namespace

double distance_jaccard(const CsrMatrix<float>& near, const PointsView& coordinates, Index dimension, double tau,
                        const RunContext& context) {
    const PointsView y(coordinates.data, coordinates.count, dimension, coordinates.stride);
    std::vector<float> halves;
    for (const double length : norms(y)) {
        halves.push_back(static_cast<float>(0.5 * length * length));
    }
    constexpr std::size_t rows = 256;
    const double both = parallel_sum(context, y.count, rows, [&](Range range) {
        double count = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            for (const Index j : near.row_indices(static_cast<Index>(i))) {
                double square = 0.0;
                for (Index k = 0; k < dimension; ++k) {
                    const double difference = double{y[static_cast<Index>(i)][k]} - double{y[j][k]};
                    square += difference * difference;
                }
                count += 0.5 * square < 1.0 - tau ? 1.0 : 0.0;
            }
        }
        return count;
    });
    const auto in_x = static_cast<double>(near.entries());
    const double in_y = near_pairs(y, halves, tau, context);
    // Ordered pairs: each of these two ways, and every point with itself, which is near on both sides.
    const auto diagonal = static_cast<double>(y.count);
    return (2.0 * both + diagonal) / (2.0 * (in_x + in_y - both) + diagonal);
}

}  // namespace isogon::cli
