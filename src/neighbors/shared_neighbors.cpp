#include "neighbors/shared_neighbors.hpp"

#include <span>
#include <utility>

#include "distributed/agreement.hpp"
#include "distributed/rank_group.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"
#include "neighbors/pruned_search.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

/// Finds neighbours by the products of all pairs of points, which every rank has.
NeighborLists neighbors_by_products(const PointsView& points, Index k, Metric metric, const RankGroup& ranks,
                                    const RunContext& context) {
    const RowBlocks blocks = pair_blocks(points.count);
    const MetricSpace space({points, points, metric}, context);
    NearestSelection selection(points.count, candidates_for(k));
    {
        const PackedPoints right = space.pack_points(context);
        const PackedPoints left = space.symmetric() ? PackedPoints() : space.pack_queries(context);
        for_each_pair_tile_of(
            ranks.own_blocks(blocks), space.symmetric() ? right : left, right, context,
            [&](PairTile& tile) { selection.take_tile(tile, true); }, "neighbors");
    }
    NeighborLists lists;
    RunContext alone = context;  // ranks have different numbers of rows to search again
    alone.agree_on_stop = nullptr;
    on_all_ranks(ranks, [&] { lists = complete_lists(space, selection, k, ranks.own_rows(blocks), alone); });
    all_gather_lists(ranks, blocks, lists);
    return lists;
}

}  // namespace

NeighborLists shared_neighbors(const DistributedPoints& points, Index k, Metric metric, const RunContext& context) {
    require_memory(
        context,
        {{"packed points, candidates and lists", exact_neighbors_bytes(points.count(), points.dimension(), k)}},
        "raise the limit, ask for fewer neighbours or search fewer points");
    if (auto lists = pruned_neighbors(points, k, metric, context)) {
        require_distances(*lists);
        return *std::move(lists);
    }
    return neighbors_by_products(points.local(), k, metric, ranks_of(points), context);
}

void all_gather_lists(const RankGroup& ranks, const RowBlocks& blocks, NeighborLists& lists) {
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(lists.indices)));
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(lists.distances)));
}

}  // namespace isogon
