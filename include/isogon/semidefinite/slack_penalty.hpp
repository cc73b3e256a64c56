#pragma once
#include "isogon/core/types.hpp"
#include "isogon/semidefinite/distance_constraints.hpp"

namespace isogon {

/// A price for distances that are missed (DistanceRule::Slack) at which a flat set of points holds together: h^2 / 4, h
/// being the longest way between two points in pairs that are kept, as a search from an outermost point finds it. What
/// pulls at a pair grows with the square of how many hang on it: a chain of h links holds for h^2 / 8, and of a sheet
/// every strip is a chain. Above that distances are stiffer, and the solver has fewer digits left; below, points let
/// go. Points that hang on few others, as two clusters joined by a thread, may need more. At least 1. O(points +
/// constraints).
[[nodiscard]] double slack_penalty(Index points, const DistanceConstraints& constraints);

}  // namespace isogon
