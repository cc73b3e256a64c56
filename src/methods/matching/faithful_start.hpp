#pragma once
#include <cstdint>

#include "isogon/core/summary.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/faithful.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Projections on the d directions of most variance, where squares begin. Of more than 100,000 points the directions of
/// a sample: the descent leaves them at once, and of a million digits those of all took ten seconds. O(rows D^2).
/// Collective.
[[nodiscard]] Points principal_components(const DistributedPoints& points, Index d, std::uint64_t seed,
                                          const RunContext& context);
/// Bytes that it takes, those of a sample among them.
[[nodiscard]] std::uint64_t start_bytes(Index count, Index dimension, Index d);

/// Where robust stages begin: a layout by sampled attraction and repulsion along the lists, as of umap, in the unit of
/// the lists' distances. `points` may be rows of no numbers. The same on every rank.
[[nodiscard]] Points sampled_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                                    const RunContext& context);

/// The end of what d <= 3 dimensions can do: t-SNE's layout, in the same unit.
[[nodiscard]] Points map_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                                const RunContext& context);

}  // namespace isogon
