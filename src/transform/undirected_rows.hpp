#pragma once
#include <algorithm>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

/// Where rows go that have no direction, and so no neighbours to be placed by (has_direction): to the mean of the
/// coordinates of the fitted points that have one, where the fit puts them too.
[[nodiscard]] inline std::vector<float> place_without_direction(const PointsView& inputs, const PointsView& coordinates,
                                                                Metric metric) {
    std::vector<double> sums(coordinates.dimension);
    double rows = 0.0;
    for (Index i = 0; i < inputs.count; ++i) {
        if (has_direction(inputs[i], metric)) {
            std::transform(sums.begin(), sums.end(), coordinates[i].begin(), sums.begin(),
                           [](double sum, float value) { return sum + double{value}; });
            rows += 1.0;
        }
    }
    std::vector<float> mean(coordinates.dimension);
    std::transform(sums.begin(), sums.end(), mean.begin(),
                   [rows](double sum) { return static_cast<float>(sum / std::max(rows, 1.0)); });
    return mean;
}

/// The rows without a direction, ascending; counted as "zero_vectors" where there are any.
[[nodiscard]] inline std::vector<Index> undirected_rows(const PointsView& rows, Metric metric, Summary& summary) {
    std::vector<Index> found;
    for (Index i = 0; i < rows.count; ++i) {
        if (!has_direction(rows[i], metric)) {
            found.push_back(i);
        }
    }
    if (!found.empty()) {
        summary.count("zero_vectors", static_cast<double>(found.size()));
    }
    return found;
}

}  // namespace isogon
