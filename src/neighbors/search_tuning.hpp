#pragma once
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/cluster_search.hpp"

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

struct TunedSearchParameters {
    SearchEffort effort;
    double recall = 0.0;  ///< what that effort finds of the sample's neighbours; on other rows a little more or less
    double cost_share = 0.0;  ///< its cost for a row, as a share of what looking at all pairs costs
};

/// The cheapest effort that finds the share `recall` of the neighbours of some rows, whose true ones `truth` lists
/// (list a is row rows[a]'s), with some reserve; the utmost effort if none does. For each true neighbour it is known
/// how many clusters are nearer than its own and how many points have a better key: it is found by every effort beyond
/// both.
[[nodiscard]] TunedSearchParameters choose_effort(const MetricSpace& space, const ClusteredPoints& clustered,
                                                  std::span<const Index> rows, const NeighborLists& truth,
                                                  double recall, const RunContext& context);

}  // namespace isogon
