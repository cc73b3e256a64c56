#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The nearest centroid of each point by Euclidean distance, the first of equals. O(n L d) time.
[[nodiscard]] std::vector<Index> nearest_centroids(const PointsView& points, const PointsView& centroids,
                                                   const RunContext& context);

/// The mean of the points of each cluster; a cluster without points keeps its centroid from `before`. O(n d) time, in
/// the order of the points.
[[nodiscard]] Points centroids_of(const PointsView& points, const std::vector<Index>& cluster, const Points& before);

/// Lloyd's algorithm from `clusters` random points, drawn by `seed`; returns as many centroids. A cluster without
/// points keeps its centroid. Runs a fixed number of rounds: a search index needs a partition, not a minimum. O(rounds
/// n L d) time.
[[nodiscard]] Points k_means(const PointsView& points, Index clusters, int rounds, std::uint64_t seed,
                             const RunContext& context);

}  // namespace isogon
