#include "isogon/transform/new_point_map.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Far from the fitted points coordinates may exceed float32.
void require_in_float(const Points& coordinates) {
    for (Index i = 0; i < coordinates.count(); ++i) {
        const auto row = coordinates[i];
        if (!std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); })) {
            throw InputError("input", "row " + std::to_string(i),
                             "its coordinates are beyond the largest number of float32");
        }
    }
}

}  // namespace

void NewPointMap::require_dimension(const PointsView& rows) const {
    if (rows.dimension != input_dimension()) {
        throw InvalidArgument("input dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(input_dimension()) + ", that of the fitted points");
    }
}

Transformed NewPointMap::transform(const PointsView& rows, const RunContext& context) const {
    require_dimension(rows);
    Transformed result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    const PhaseTimer timer(summary, "transform");
    try {
        result.coordinates = coordinates_of(rows, summary, context);
        require_in_float(result.coordinates);
        summary.message = std::to_string(rows.count) + " points, each on its own";
    } catch (const Interruption& interruption) {
        result.coordinates = Points();
        summary.termination = interruption.reason;
        summary.message = "ended before all points had coordinates";
    }
    return result;
}

}  // namespace isogon
