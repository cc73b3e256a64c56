#pragma once
#include "distributed/rank_group.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The lists of exact_neighbors() of points that ranks share, all of which each rank has, on every rank, to the bits of
/// one process. Each rank finds the neighbours of those of its own blocks: on each of R ranks (2 - 1/R) / R of the
/// pairs. Points are finite, 1 <= k < points.count(). Memory exact_neighbors_bytes(). Collective.
[[nodiscard]] NeighborLists shared_neighbors(const DistributedPoints& points, Index k, Metric metric,
                                             const RunContext& context);

/// Lists of all rows on every rank, each of which has filled those of its own blocks. Collective.
void all_gather_lists(const RankGroup& ranks, const RowBlocks& blocks, NeighborLists& lists);

}  // namespace isogon
