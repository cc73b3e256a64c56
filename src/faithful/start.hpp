#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Where the stages of faithful begin.
namespace isogon {

/// Projections on the d directions of most variance, in the unit of the lists' distances. Of more than 100,000 points
/// the directions of a sample: the descent leaves them at once, and of a million digits those of all took ten seconds.
/// O(rows D^2). Collective.
[[nodiscard]] Points principal_components(const DistributedPoints& points, const NeighborLists& lists, Index d,
                                          std::uint64_t seed, const RunContext& context);
/// Bytes that it takes, those of a sample among them.
[[nodiscard]] std::uint64_t start_bytes(Index count, Index dimension, Index d);

/// Of a layout, beyond the scale of the lists: its points are crowded, and robust stages draw neighbours together in
/// fewer updates than they push others apart. At 1 the vectors of bench/by-distance keep less, and digits need twice
/// the scans; 1.25 differs little, and 2 keeps less of 280,000 digits.
inline constexpr double layout_expansion = 1.5;

/// A layout by attraction along the lists and sampled repulsion, as of umap, with each point's own radius: pairs
/// attract by log(1 + E / R) and repel by log(1 + R / E), both squared, R = max(r_i, r_j)^2. It begins at the principal
/// components, or for points that are rows of no numbers at the graph's spectrum. Its scale is layout_expansion. The
/// same on every rank. O(n K d) an epoch.
[[nodiscard]] Points sampled_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                                    const RunContext& context);
[[nodiscard]] std::uint64_t layout_bytes(Index points, Index neighbors, Index d);

/// The points of a map, with their neighbours.
struct MapInput {
    PointsView points;  ///< may be rows of no numbers
    const NeighborLists& lists;
    PointsView start{};  ///< the user's; 0 points: none
    Metric metric = Metric::Euclidean;
    bool lists_are_given = false;  ///< by the user: then they are t-SNE's too; else it has its own, which are more
};

/// The layout of t-SNE in d <= 3 dimensions, in the same unit.
[[nodiscard]] Points map_layout(const MapInput& input, Index d, std::uint64_t seed, const RunContext& context);

}  // namespace isogon
