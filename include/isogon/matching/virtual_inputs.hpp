#pragma once
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/matching/similarities.hpp"

namespace isogon {

/// Inputs that are there only to lead from isolated points to their nearest neighbours (Saul 2022b, step 1).
struct VirtualInputs {
    Points points;  ///< the inputs, followed by the virtual ones; on a rank of a communicator its own of these
                    ///< (own_points)
    Index added = 0;
    Index unreachable = 0;  ///< isolated points whose nearest neighbour lies at 90 degrees or more: left alone
};

/// Points that have a direction but no other point above the threshold.
[[nodiscard]] std::vector<Index> isolated_points(const Similarities& s, const RunContext& context = {});

/// For each isolated point, points on the arc between it and its nearest neighbour by cosine, evenly spaced by less
/// than acos(tau), with lengths between theirs. O(isolated n D) time, O((n + added) D) memory.
[[nodiscard]] VirtualInputs add_virtual_inputs(const DistributedPoints& points, const std::vector<Index>& isolated,
                                               double threshold, const RunContext& context);

}  // namespace isogon
