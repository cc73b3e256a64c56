#include "isogon/neighbors/exact_neighbors.hpp"

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "neighbors/list_completion.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

/// Of another set's points so many are packed at a time: a few queries need no copy of all points. Some megabytes, and
/// enough panels that all threads have something to do.
std::size_t points_at_once(Index dimension) {
    constexpr std::size_t numbers = 0x1p21;
    constexpr std::size_t least_panels = 16;
    constexpr std::size_t most_panels = 512;
    return std::clamp(numbers / panel_width / std::max<std::size_t>(dimension, 1), least_panels, most_panels) *
           panel_width;
}

void require_neighbors(Index k, Index most, const std::string& others) {
    if (k < 1 || k > most) {
        throw InvalidArgument("neighbors", std::to_string(k),
                              "must be at least 1 and at most " + std::to_string(most) + ", the number of " + others);
    }
}

void require_same_dimension(const PointsView& queries, const PointsView& points) {
    if (queries.dimension != points.dimension) {
        throw InvalidArgument("query dimension", std::to_string(queries.dimension),
                              "must be " + std::to_string(points.dimension) + ", that of the points");
    }
}

void state_memory(std::uint64_t bytes, const RunContext& context) {
    require_memory(context, {{"packed points, candidates and lists", bytes}},
                   "raise the limit, ask for fewer neighbours or search fewer points");
}

}  // namespace

std::uint64_t exact_neighbors_bytes(Index points, Index dimension, Index k) {
    const std::uint64_t lists = std::uint64_t{points} * k * (sizeof(Index) + sizeof(float));
    return MetricSpace::bytes(points, points, dimension, Metric::Euclidean) +
           NearestSelection::bytes(points, candidates_for(k)) + list_completion_bytes(points, dimension, k) + lists;
}

std::uint64_t exact_search_bytes(Index queries, Index points, Index dimension, Index k) {
    const std::uint64_t lists = std::uint64_t{queries} * k * (sizeof(Index) + sizeof(float));
    const auto block = static_cast<Index>(std::min<std::size_t>(points, points_at_once(dimension)));
    return MetricSpace::bytes(queries, block, dimension, Metric::Euclidean) + std::uint64_t{points} * sizeof(double) +
           NearestSelection::bytes(queries, candidates_for(k)) + list_completion_bytes(queries, dimension, k) + lists;
}

NeighborLists exact_neighbors(const PointsView& points, Index k, Metric metric, const RunContext& context) {
    require_neighbors(k, points.count == 0 ? 0 : points.count - 1, "other points");
    require_finite(points, "input");
    state_memory(exact_neighbors_bytes(points.count, points.dimension, k), context);
    const MetricSpace space(points, points, metric);
    NearestSelection selection(points.count, candidates_for(k));
    {
        const PackedPoints right = space.pack_points(context);
        const PackedPoints left = space.symmetric() ? PackedPoints() : space.pack_queries(context);
        for_each_pair_tile(
            space.symmetric() ? right : left, right, context, [&](PairTile& tile) { selection.take_tile(tile, true); },
            "neighbors");
    }
    return complete_lists(space, selection, k, SelfAllowed::No, context);
}

NeighborLists exact_neighbors(const PointsView& queries, const PointsView& points, Index k, Metric metric,
                              const RunContext& context) {
    require_same_dimension(queries, points);
    require_neighbors(k, points.count, "points");
    require_finite(points, "input");
    require_finite(queries, "queries");
    state_memory(exact_search_bytes(queries.count, points.count, points.dimension, k), context);
    const MetricSpace space(queries, points, metric);
    NearestSelection selection(queries.count, candidates_for(k));
    const PackedPoints left = space.pack_queries(context);
    const std::size_t at_once = points_at_once(points.dimension);
    for (std::size_t b = 0; b < block_count(points.count, at_once); ++b) {
        const Range block = block_range(b, points.count, at_once);
        for_each_cross_tile(
            left, space.pack_points(block, context), context,
            [&](PairTile& tile) {
                tile.first_column += static_cast<Index>(block.begin);
                selection.take_tile(tile, false);
            },
            "neighbors");
    }
    return complete_lists(space, selection, k, SelfAllowed::Yes, context);
}

}  // namespace isogon
