#include "neighbors/cluster_search.hpp"

#include <algorithm>
#include <array>

#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

RunContext one_thread() {
    RunContext context;
    context.threads = 1;
    return context;
}

/// The queries that `chosen` lists, in the first places of a panel.
void gather(const PointsView& reduced, std::span<const Index> chosen, PackedPoints& panel) {
    for (Index i = 0; i < chosen.size(); ++i) {
        const auto row = reduced[chosen[i]];
        for (Index k = 0; k < reduced.dimension; ++k) {
            panel.at(i, k) = row[k];
        }
    }
}

}  // namespace

NearestSelection ClusterSearch::nearest_clusters(const PointsView& reduced) const {
    NearestSelection nearest(reduced.count, effort_.probes);
    for_each_cross_tile(pack(reduced, {}, {}, one_thread()), clustered_.packed_centroids(), one_thread(),
                        [&](PairTile& tile) { nearest.take_tile(tile, false); });
    return nearest;
}

/// For each cluster the queries that look into it.
std::vector<std::vector<Index>> ClusterSearch::visitors(const PointsView& reduced) const {
    NearestSelection nearest = nearest_clusters(reduced);
    std::vector<std::vector<Index>> visitors(clustered_.clusters());
    for (Index query = 0; query < reduced.count; ++query) {
        for (const auto& probe : nearest.finish(query)) {
            visitors[probe.index].push_back(query);
        }
    }
    return visitors;
}

void ClusterSearch::look_into(Index cluster, const PointsView& reduced, std::span<const Index> visitors,
                              NearestSelection& selection) const {
    alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
    PackedPoints panel(static_cast<Index>(panel_width), reduced.dimension);
    for (std::size_t start = 0; start < visitors.size(); start += panel_width) {
        const auto rows = visitors.subspan(start, std::min(panel_width, visitors.size() - start));
        gather(reduced, rows, panel);
        for (Index p = 0; p < clustered_.panels(cluster); ++p) {
            multiply_panels(panel.panel(0), clustered_.panel(cluster, p), reduced.dimension, values.data(), tile_width);
            const auto columns = clustered_.rows_of_panel(cluster, p);
            selection.take_gathered(values.data(), rows, columns);
        }
    }
}

NearestSelection ClusterSearch::candidates(const PointsView& reduced) const {
    NearestSelection selection(reduced.count, effort_.candidates + 1);
    const auto visitors_of = visitors(reduced);
    for (Index cluster = 0; cluster < visitors_of.size(); ++cluster) {
        look_into(cluster, reduced, visitors_of[cluster], selection);
    }
    return selection;
}

void ClusterSearch::find(const PointsView& reduced, std::span<const Index> queries, std::span<const Index> places,
                         SelfAllowed self, NeighborLists& lists) const {
    NearestSelection selection = candidates(reduced);
    for (Index i = 0; i < reduced.count; ++i) {
        auto found = measured(space_, queries[i], selection.finish(i), self);
        if (found.size() < lists.size) {  // the clusters looked into do not hold that many
            found = nearest_of_all(space_, queries[i], lists.size, self);
        }
        write_list(found, places[i], lists);
    }
}

}  // namespace isogon
