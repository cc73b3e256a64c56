#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon::reference {

/// The definition of a metric, in float64.
double distance(const PointsView& x, Index i, const PointsView& y, Index j, Metric metric);

/// All distances from query i, ascending; the point itself is left out where `queries` are the points.
std::vector<double> sorted_distances(const PointsView& queries, Index i, const PointsView& points, Metric metric);

}  // namespace isogon::reference
