#pragma once
#include "neighbors/cluster_search.hpp"

namespace isogon {

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
