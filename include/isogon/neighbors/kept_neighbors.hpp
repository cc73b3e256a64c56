#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The nearest neighbours of some points that a reduction keeps: shares of them all, and for each point.
struct KeptNeighbors {
    double neighbors = 1.0;       ///< share of all neighbours that are among the k nearest of the outputs
    double all = 1.0;             ///< share of the points that keep all k
    double in_order = 1.0;        ///< share of the points that keep all k in the same order, as far as these have one
    std::vector<Index> rows{};    ///< the points that were looked at, ascending
    std::vector<float> shares{};  ///< share of each point's neighbours

    /// kept_neighbors() looks at all points up to this number, else at a sample of so many.
    static constexpr Index most_rows = 20000;

    struct OfPoint {
        Index point = 0;
        double share = 0.0;
    };
    /// The points of which fewest are kept, at most so many and none that keeps all; of equal ones the smaller number
    /// first. O(rows).
    [[nodiscard]] std::vector<OfPoint> worst(std::size_t most = 10) const;
};

/// Compares the neighbours of the inputs, which the lists hold with distances by `metric`, with those of the outputs by
/// distance. Where points tie at the k-th place in the inputs, any of them will do; where they tie in the outputs, each
/// is as likely as the others, and shares are their means over that (neighbors/tied_neighbors.hpp).
/// Without `inputs` (0 points) nothing is known of ties beyond the lists. O(rows n d) time, for rows whose outputs tie
/// O(n (D + d)) each, and O(n (d + k)) memory. Throws Interruption.
[[nodiscard]] KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& inputs,
                                           const PointsView& outputs, Metric metric, const RunContext& context);

}  // namespace isogon
