#include "transform/placement_rows.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

void require_threshold(double threshold) {
    if (!(threshold > 0.0 && threshold < 1.0)) {
        throw InvalidArgument("threshold", to_text(OptionValue{threshold}),
                              "must be above 0 and below 1, the one that the outputs were fitted with");
    }
}

void require_fitted(const PointsView& inputs, const PointsView& outputs) {
    if (inputs.dimension == 0 || outputs.dimension == 0) {
        throw InvalidArgument("dimension", "0", "fitted inputs and outputs must have at least one coordinate");
    }
    if (inputs.count != outputs.count) {
        throw InvalidArgument("outputs", std::to_string(outputs.count),
                              "must be " + std::to_string(inputs.count) + ", one for each fitted input");
    }
    require_finite(inputs, "fitted inputs");
    require_finite(outputs, "fitted outputs");
}

std::vector<double> lengths_of(const PointsView& rows, Index dimension) {
    if (rows.dimension != dimension) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(dimension) + ", that of the fitted inputs");
    }
    require_finite(rows, "input");
    std::vector<double> lengths = norms(rows);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > double{std::numeric_limits<float>::max()}) {
            throw InputError("input", "row " + std::to_string(i),
                             "its length is beyond the largest number of float32: divide all data by 1000, say");
        }
    }
    return lengths;
}

Points directions_of(const PointsView& rows, const std::vector<double>& lengths, std::span<const Index> chosen) {
    Points unit(static_cast<Index>(chosen.size()), rows.dimension);
    for (Index r = 0; r < unit.count(); ++r) {
        const double length = lengths[chosen[r]];
        std::transform(rows[chosen[r]].begin(), rows[chosen[r]].end(), unit[r].begin(),
                       [length](float value) { return static_cast<float>(double{value} / length); });
    }
    return unit;
}

void add_counts(const PlacementCounts& part, PlacementCounts& sum) {
    sum.isolated += part.isolated;
    sum.unsettled += part.unsettled;
    sum.steps += part.steps;
    sum.passes += part.passes;
    sum.cosine_seconds += part.cosine_seconds;
    sum.product_seconds += part.product_seconds;
    sum.step_seconds += part.step_seconds;
}

std::vector<Index> unknown_rows(const PointsView& rows, const std::vector<double>& lengths, const EqualRowLookup& index,
                                const PointsView& outputs, Placed& placed) {
    std::vector<Index> unknown;
    for (Index i = 0; i < rows.count; ++i) {
        if (const auto fitted = index.find(rows[i])) {
            std::copy_n(outputs[*fitted].begin(), outputs.dimension, placed.outputs[i].begin());
            ++placed.counts.fitted;
        } else if (lengths[i] == 0.0) {
            ++placed.counts.zero_vectors;
        } else {
            unknown.push_back(i);
        }
    }
    return unknown;
}

void write_direction(const Eigen::VectorXd& u, double length, std::span<float> output) {
    std::transform(u.begin(), u.end(), output.begin(),
                   [length](double component) { return static_cast<float>(length * component); });
}

}  // namespace isogon
