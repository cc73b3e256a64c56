#pragma once
#include "isogon/core/points.hpp"

namespace isogon {

/// What every method asks of its input: at least two points, not all equal, no NaN or infinity (InputError), and a
/// dimension of at most D and below n (InvalidArgument).
void require_points(const PointsView& x, int dimension);

}  // namespace isogon
