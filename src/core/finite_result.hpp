#pragma once
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

// The one check of every result on its way out: nothing that is not finite is given away.
namespace isogon {

/// The name of the part that is not finite, as a user would look for it: "the coordinates of row 3", "residual"; empty
/// if all is finite. O(n d).
[[nodiscard]] std::string part_not_finite(const PointsView& coordinates, const Summary& summary);

/// Makes a run that has such a part a numerical failure, whose message ends with the remedy; one that had failed before
/// keeps its reason. Numbers of the summary that are not finite are left out.
void fail_by(const std::string& part, const std::string& remedy, Summary& summary);

/// The same for new points among fitted ones: a result with such a part fails, and has no coordinates.
void fail_unless_finite(Points& placed, Summary& summary);

}  // namespace isogon
