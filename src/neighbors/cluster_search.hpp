#pragma once
#include <span>
#include <vector>

#include "neighbors/clustered_points.hpp"
#include "neighbors/list_completion.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

/// How hard a search tries: larger is slower and finds more.
struct SearchEffort {
    Index probes = 0;      ///< clusters that are looked into for each query, the nearest
    Index candidates = 0;  ///< points whose whole distance is then computed, those of the best keys
};

/// A search among clustered points, on one thread: the nearest clusters of each query, the best keys in them, their
/// distances with care. What a query finds depends on nothing but itself; queries near each other, searched together,
/// share the work of looking into a cluster.
class ClusterSearch {
public:
    ClusterSearch(const MetricSpace& space, const ClusteredPoints& clustered, SearchEffort effort)
        : space_(space), clustered_(clustered), effort_(effort) {}

    /// The candidates of some reduced queries, best keys first once a row is finished. One more of each than the effort
    /// says, for a query that is one of the points finds itself.
    [[nodiscard]] NearestSelection candidates(const PointsView& reduced) const;
    /// The clusters of some reduced queries, nearest first.
    [[nodiscard]] NearestSelection nearest_clusters(const PointsView& reduced) const;
    /// Finds the nearest of some queries, numbers `queries` of the space, of which `reduced` holds the rows, and writes
    /// each one's list, by the query's number or at its own of `places`. A query is not its own neighbour unless `self`
    /// allows it.
    void find(const PointsView& reduced, std::span<const Index> queries, SelfAllowed self, NeighborLists& lists) const {
        find(reduced, queries, queries, self, lists);
    }
    void find(const PointsView& reduced, std::span<const Index> queries, std::span<const Index> places,
              SelfAllowed self, NeighborLists& lists) const;

private:
    [[nodiscard]] std::vector<std::vector<Index>> visitors(const PointsView& reduced) const;
    void look_into(Index cluster, const PointsView& reduced, std::span<const Index> visitors,
                   NearestSelection& selection) const;

    const MetricSpace& space_;
    const ClusteredPoints& clustered_;
    SearchEffort effort_;
};

}  // namespace isogon
