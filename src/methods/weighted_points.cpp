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

WeightedPoints weighted_points(const DistributedPoints& all, bool unit, const RunContext& context) {
    const std::vector<double> lengths = norms_of_all(all);
    const double mean = root_mean_square(lengths);
    const auto divisor_of = [&](std::size_t i) { return unit ? lengths[i] : mean; };
    const PointsView& x = all.local();
    WeightedPoints result{Points(x.count, x.dimension), std::vector<float>(lengths.size())};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        result.lengths[i] = lengths[i] == 0.0 ? 0.0F : static_cast<float>(lengths[i] / divisor_of(i));
    }
    parallel_blocks(context, x.count, 256, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::size_t place = all.local_range().begin + i;
            if (lengths[place] == 0.0) {
                continue;
            }
            const auto row = static_cast<Index>(i);
            const double divisor = divisor_of(place);
            for (Index k = 0; k < x.dimension; ++k) {
                result.points[row][k] = static_cast<float>(double{x[row][k]} / divisor);
            }
        }
    });
    return result;
}

}  // namespace isogon
