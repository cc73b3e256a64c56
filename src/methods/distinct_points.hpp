#pragma once
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// Points of which no two are equal, number by number.
struct DistinctPoints {
    std::vector<Index> rows{};   ///< the first of each, ascending
    std::vector<Index> place{};  ///< of every point, the place in `rows` of the one that it equals
};

/// O(n log n) comparisons.
[[nodiscard]] DistinctPoints distinct_points(const PointsView& points);

}  // namespace isogon
