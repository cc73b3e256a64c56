#pragma once
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon::cli {

/// Mean and standard deviation (over n, as scikit-learn's StandardScaler) of every column of some points, in float64.
struct ColumnScales {
    std::vector<double> mean;
    std::vector<double> deviation;  ///< 0 for a column of equal numbers
};

/// Two passes, so that no digits cancel, by one thread. The points must be finite. Throws Interruption. O(n D).
[[nodiscard]] ColumnScales column_scales(const PointsView& points, const RunContext& context);

/// (x - mean) / deviation, and x - mean where the deviation is 0, in the points' own order. `source` is what messages
/// call the points. States its memory, n D floats. Throws InputError for a number beyond float32, LimitExceeded,
/// Interruption. O(n D).
[[nodiscard]] Points standardized(const PointsView& points, const ColumnScales& scales, const std::string& source,
                                  const RunContext& context);

}  // namespace isogon::cli
