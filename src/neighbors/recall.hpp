#pragma once
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/metric.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The exact lists of some of the points, among all others: list number a belongs to row rows[a]. O(rows n D).
[[nodiscard]] NeighborLists exact_lists_of(const PointsView& points, std::span<const Index> rows, Index k,
                                           Metric metric, const RunContext& context);
/// The same of rows that follow each other, of which no copy is made.
[[nodiscard]] NeighborLists exact_lists_of(const PointsView& points, Range rows, Index k, Metric metric,
                                           const RunContext& context);

/// Of the true neighbours the share that was found: list rows[a] of `found` against list a of `truth`. Found counts
/// what is no farther than the k-th true neighbour, so that one of two equal points is as good as the other.
[[nodiscard]] double recall(const NeighborLists& found, std::span<const Index> rows, const NeighborLists& truth);

}  // namespace isogon
