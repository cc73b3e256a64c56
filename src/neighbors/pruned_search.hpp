#pragma once
#include <optional>

#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The k nearest other points of every point, the lists of exact_neighbors(), from one pass over all pairs in fewer
/// numbers. Point i becomes z_i = (P x_i, |x_i - P^T P x_i|), P its coordinates along some top singular directions. By
/// the triangle inequality |z_i - z_j| <= |x_i - x_j|. So the k-th smallest true distance of those seen so far bounds
/// the k-th of all from above, and only pairs whose z, in 8-bit integers, may be nearer than that are compared further:
/// by z of all directions, then by their true distance. The pass begins with the k-th distances among the points of
/// near clusters, without which points in groups meet their own late; points that are near in z come first. The
/// number of directions is the one that costs least on a sample of the rows. Nothing where a pass over all pairs in
/// all numbers costs no more: few points, few dimensions, or distances that no few directions tell apart; and for
/// inner products, which are no distances. Memory: no more than exact_neighbors_bytes(). Ranks, which all hold all
/// points, share the pass by the owners of points in that order. Collective. With `most`: instead, nothing where the
/// pass takes more multiplications than that, by a count in which every machine agrees.
[[nodiscard]] std::optional<NeighborLists> pruned_neighbors(const DistributedPoints& points, Index k, Metric metric,
                                                            const RunContext& context,
                                                            std::optional<double> most = std::nullopt);

/// Whether pruned_neighbors() finds all lists within `most`. Takes the time of an SVD of a sample and of 192 rows of
/// distances.
[[nodiscard]] bool pruning_is_cheap(const PointsView& points, Index k, Metric metric, double most,
                                    const RunContext& context);

}  // namespace isogon
