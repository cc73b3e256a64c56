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
/// The same for a contiguous range of rows, without a copy of them.
[[nodiscard]] NeighborLists exact_lists_of(const PointsView& points, Range rows, Index k, Metric metric,
                                           const RunContext& context);

/// The share of the true neighbours that was found: list rows[a] of `found` against list a of `truth`. A neighbour
/// counts as found if it is no farther than the k-th true neighbour, so that of two equal points either one counts.
[[nodiscard]] double recall(const NeighborLists& found, std::span<const Index> rows, const NeighborLists& truth);

struct TunedSearchParameters {
    SearchEffort effort;
    double recall = 0.0;      ///< of that effort on the sample; on other rows a little more or less
    double cost_share = 0.0;  ///< its cost for a row, relative to an exhaustive search
};

/// The cheapest effort that finds the share `recall`, with some reserve, of the neighbours of sample rows. List a of
/// `truth` has the true neighbours of row rows[a]. Returns the largest effort if none reaches the recall. For each true
/// neighbour, the number of clusters nearer than its own and the number of points with a better key are counted once:
/// an effort beyond both numbers finds it.
[[nodiscard]] TunedSearchParameters choose_effort(const MetricSpace& space, const ClusteredPoints& clustered,
                                                  std::span<const Index> rows, const NeighborLists& truth,
                                                  double recall, const RunContext& context);

}  // namespace isogon
