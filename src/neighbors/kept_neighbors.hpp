#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Compares the neighbours of the inputs, which the lists hold with distances by `metric`, with those of the outputs by
/// distance. Where points tie at the k-th place in the inputs, any of them will do; where they tie in the outputs, each
/// is as likely as the others, and shares are their means over that (neighbors/tied_neighbors.hpp).
/// Without `inputs` (0 points) nothing is known of ties beyond the lists. O(rows n d) time, for rows whose outputs tie
/// O(n (D + d)) each, and O(n (d + k)) memory. Throws Interruption.
[[nodiscard]] KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& inputs,
                                           const PointsView& outputs, Metric metric, const RunContext& context);

}  // namespace isogon
