#pragma once
#include "isogon/methods/registry.hpp"

namespace isogon {

/// The method with what all methods do about their input, whatever it is of:
///   - Rows that equal earlier ones in float32 are counted ("duplicates").
///   - Where some row comes more often than a point has neighbours, lists would hold copies alone, those that stand
///     first. Then each distinct row is fitted once (by angles, each direction), neighbours and dimensions are as many
///     as these allow, and all get the coordinates of the one that they equal.
///   - Rows without a direction (DistinctPoints) have no nearest by angle. They are counted ("zero_vectors"); methods
///     on neighbour graphs leave them out, and they lie at the mean of the others' coordinates.
///   - A warning says so, and where one coordinate makes distances or angles nearly alone (input_points.hpp).
/// A graph or affinities that the user gives are taken as they are, unless such a fit has kept them. Of points that
/// ranks share copies and zero vectors are counted, too. O(n D) time and 16 bytes a point before the fit, a copy of the
/// distinct rows where some are not fitted.
[[nodiscard]] Method with_input_rules(Method method);

}  // namespace isogon
