#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "pairs/similarities.hpp"

namespace isogon {

struct NearPoint {
    float cosine = 0.0F;  ///< above 0
    Index point = 0;
    friend bool operator==(const NearPoint&, const NearPoint&) = default;
};

/// For each point of `list`, its nearest points by cosine at less than 90 degrees, nearest first; ties go to the
/// smaller index. All ranks receive the result; each compares its local points only. Collective. O(list n D) time.
[[nodiscard]] std::vector<std::vector<NearPoint>> nearest_by_cosine(const DistributedPoints& x,
                                                                    std::span<const Index> list, Index neighbors,
                                                                    const RunContext& context);

/// Artificial inputs on the arcs from isolated points to their nearest neighbours (Saul 2022b, step 1).
struct VirtualInputs {
    Points points;  ///< the inputs, followed by the virtual ones; of ranks those of their own blocks
    Index added = 0;
    Index unreachable = 0;  ///< isolated points with a nearest neighbour at 90 degrees or more: left isolated
};

/// Points that have a direction but no other point above the threshold.
[[nodiscard]] std::vector<Index> isolated_points(const Similarities& s);

/// For each isolated point, points on the arc between it and its nearest neighbour by cosine, evenly spaced by less
/// than acos(tau), with lengths between theirs. O(isolated n D) time, O((n + added) D) memory.
[[nodiscard]] VirtualInputs add_virtual_inputs(const DistributedPoints& points, const std::vector<Index>& isolated,
                                               double threshold, const RunContext& context);

struct IsolatedSupport {
    Offset added = 0;       ///< pairs
    Index unreachable = 0;  ///< isolated points at 90 degrees or more from all others: left isolated
};

/// Constrains isolated points. S has no entry for a point without a neighbour above tau, so its `neighbors` nearest
/// points by cosine (those at less than 90 degrees) are added to its support, with S_ij = x_i.x_j - tau |x_i||x_j|
/// unclamped, at or below zero: an equality target instead of an upper bound. O(isolated n D) time.
[[nodiscard]] IsolatedSupport support_isolated(const DistributedPoints& points, const std::vector<Index>& isolated,
                                               Index neighbors, Similarities& s, const RunContext& context);

}  // namespace isogon
