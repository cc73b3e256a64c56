#pragma once
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/matching/similarities.hpp"

namespace isogon {

struct IsolatedSupport {
    Offset added = 0;       ///< pairs
    Index unreachable = 0;  ///< isolated points at 90 degrees or more from all others: left alone
};

/// Ties isolated points down: S says nothing of a point without a neighbour above tau, so its `neighbors` nearest by
/// cosine (those at less than 90 degrees) join its support, with S_ij = x_i.x_j - tau |x_i||x_j| as it is, at or below
/// zero: a target to be met, no bound. O(isolated n D) time.
[[nodiscard]] IsolatedSupport support_isolated(const DistributedPoints& points, const std::vector<Index>& isolated,
                                               Index neighbors, Similarities& s, const RunContext& context);

}  // namespace isogon
