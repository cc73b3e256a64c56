#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// What a reduction keeps of the k nearest neighbours of some points: shares of them all, and of each.
struct KeptNeighbors {
    double neighbors = 1.0;       ///< of all neighbours, those that are among the k nearest of the outputs
    double all = 1.0;             ///< of the points, those with all k
    double in_order = 1.0;        ///< and in the same order
    std::vector<Index> rows{};    ///< the points that were looked at, ascending
    std::vector<float> shares{};  ///< of the neighbours of each

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

/// The number of indices that two lists share, each without repetition. O(k log k).
[[nodiscard]] Index count_shared(std::span<const Index> first, std::span<const Index> second);

/// Compares lists of k neighbours before and after, one list after the other, for each of the `rows`; without rows all
/// shares are 1. O(rows k log k).
[[nodiscard]] KeptNeighbors compare_neighbors(std::vector<Index> rows, Index k, std::span<const Index> before,
                                              std::span<const Index> after);

/// What outputs keep of neighbours of the inputs; ties as in exact_neighbors(), by angle without zero vectors, which
/// have none. O(rows n d) time and O(n (d + k)) memory. Throws Interruption.
[[nodiscard]] KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& outputs, Metric metric,
                                           const RunContext& context);

}  // namespace isogon
