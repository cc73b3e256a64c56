#include "methods/weighted_points.hpp"

#include <cmath>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

double root_mean_square(const std::vector<double>& lengths) {
    double sum = 0.0;
    for (const double length : lengths) {
        sum += length * length;
    }
    return std::sqrt(sum / static_cast<double>(lengths.size()));
}

}  // namespace

WeightedPoints weighted_points(const PointsView& x, bool unit, const RunContext& context) {
    const std::vector<double> lengths = norms(x);
    const double mean = root_mean_square(lengths);
    WeightedPoints result{Points(x.count, x.dimension), std::vector<float>(x.count)};
    parallel_blocks(context, x.count, 256, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            if (lengths[i] == 0.0) {
                continue;
            }
            const auto row = static_cast<Index>(i);
            const double divisor = unit ? lengths[i] : mean;
            for (Index k = 0; k < x.dimension; ++k) {
                result.points[row][k] = static_cast<float>(double{x[row][k]} / divisor);
            }
            result.lengths[i] = static_cast<float>(lengths[i] / divisor);
        }
    });
    return result;
}

}  // namespace isogon
