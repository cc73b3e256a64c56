#pragma once
#include <optional>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The k nearest other points of every point, the lists of exact_neighbors(), from two passes over all pairs in fewer
/// numbers. Point i becomes z_i = (P x_i, |x_i - P^T P x_i|), P its coordinates along some top singular directions. By
/// the triangle inequality |z_i - z_j| <= |x_i - x_j|. So:
///   1. the k-th smallest true distance among the nearest by z bounds the k-th of all from above;
///   2. only pairs whose z are nearer than that bound can be neighbours, and their true distances are computed.
/// The number of directions is the one that costs least on a sample of the rows. Nothing where the passes over all
/// pairs themselves cost no more: few points, few dimensions, or distances that no few directions tell apart; and for
/// inner products, which are no distances. Memory: no more than exact_neighbors_bytes().
[[nodiscard]] std::optional<NeighborLists> pruned_neighbors(const PointsView& points, Index k, Metric metric,
                                                            const RunContext& context);

}  // namespace isogon
