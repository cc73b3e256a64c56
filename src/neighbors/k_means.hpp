#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The nearest centroid of each point by Euclidean distance, the first of equals. O(n L d) time.
[[nodiscard]] std::vector<Index> nearest_centroids(const PointsView& points, const PointsView& centroids,
                                                   const RunContext& context);

/// Lloyd's algorithm from `clusters` of the points, drawn by `seed`: as many centroids. A cluster that loses all its
/// points keeps its place. Runs `rounds` rounds, for a partition that a search can use needs no minimum.
/// O(rounds n L d) time.
[[nodiscard]] Points k_means(const PointsView& points, Index clusters, int rounds, std::uint64_t seed,
                             const RunContext& context);

}  // namespace isogon
