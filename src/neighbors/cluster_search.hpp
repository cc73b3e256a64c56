#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"

// Approximate search in clusters: the partition (by k-means), the search of the clusters nearest to a query, and the
// choice of how many of them to search.
namespace isogon {

/// Reduced points sorted by cluster, so that near points are adjacent in memory; also in packed form, in which each
/// cluster begins at the begin of a panel.
class ClusteredPoints {
public:
    /// `reduced` holds all points of `space`. At most `clusters` clusters by k-means on a sample. O(n L r) time.
    ClusteredPoints(const MetricSpace& space, const PointsView& reduced, Index clusters, std::uint64_t seed,
                    const RunContext& context);
    /// Loads from an archive that has been checked against the schema of describe().
    ClusteredPoints(const Archive& archive, const PointsView& reduced);
    void save(Archive& archive) const;
    /// Adds to a schema, in which n and rank are known, the arrays that save() writes: "centroids" (L, rank + 1),
    /// "cluster_of" (n).
    static void describe(ArchiveSchema& schema);

    [[nodiscard]] Index clusters() const { return centroids_.count(); }
    [[nodiscard]] Index width() const { return packed_.depth(); }
    [[nodiscard]] Index size(Index cluster) const { return first_[cluster + 1] - first_[cluster]; }
    /// The number of panels of a cluster; the last panel is padded with zeros.
    [[nodiscard]] Index panels(Index cluster) const;
    [[nodiscard]] PanelView<float> panel(Index cluster, Index p) const {
        return packed_.panel(first_panel_[cluster] + p);
    }
    /// The rows of the points in a panel, without the padding.
    [[nodiscard]] std::span<const Index> rows_of_panel(Index cluster, Index p) const;
    /// All rows, cluster by cluster.
    [[nodiscard]] std::span<const Index> rows() const { return rows_; }
    /// Writes the reduced point at a position as a query: (p, 1).
    void copy_as_query(Index position, std::span<float> into) const;

    /// The product of a reduced query with one of these is larger the nearer the cluster.
    [[nodiscard]] const PackedPoints& packed_centroids() const { return packed_centroids_; }

    [[nodiscard]] static std::uint64_t bytes(Index points, Index width, Index clusters);

private:
    void order(const std::vector<Index>& cluster_of);
    void pack_points(const PointsView& reduced);
    void pack_centroids();

    Points centroids_;
    std::vector<Index> first_;
    std::vector<Index> rows_;
    std::vector<Index> first_panel_;
    std::vector<std::size_t> slots_;  ///< for each position, its place in `packed_`
    PackedPoints packed_;
    PackedPoints packed_centroids_;  ///< (c, -|c|^2 / 2): the product with (q, 1) is largest for the nearest
};

/// The effort of a search: larger numbers are slower and find more neighbours.
struct SearchEffort {
    Index probes = 0;      ///< clusters searched for each query, the nearest ones
    Index candidates = 0;  ///< points whose full distance is then computed, those of the best keys
};

/// A search among clustered points, on one thread: the nearest clusters of each query, the best keys in them, then
/// their full distances. The result of a query does not depend on other queries; near queries that are searched
/// together share the products with a cluster.
class ClusterSearch {
public:
    ClusterSearch(const MetricSpace& space, const ClusteredPoints& clustered, SearchEffort effort)
        : space_(space), clustered_(clustered), effort_(effort) {}

    /// The candidates of some reduced queries, best keys first once a row is finished. One more for each query than
    /// effort.candidates, because a query that is one of the points finds itself.
    [[nodiscard]] NearestSelection candidates(const PointsView& reduced) const;
    /// The clusters of some reduced queries, nearest first.
    [[nodiscard]] NearestSelection nearest_clusters(const PointsView& reduced) const;
    /// Finds the nearest of some queries, numbers `queries` of the space, of which `reduced` holds the rows, and writes
    /// each one's list, by the query's number or at its own of `places`.
    void find(const PointsView& reduced, std::span<const Index> queries, NeighborLists& lists) const {
        find(reduced, queries, queries, lists);
    }
    void find(const PointsView& reduced, std::span<const Index> queries, std::span<const Index> places,
              NeighborLists& lists) const;

private:
    [[nodiscard]] std::vector<std::vector<Index>> visitors(const PointsView& reduced) const;
    /// `panel`: room for visitors.
    void look_into(Index cluster, const PointsView& reduced, std::span<const Index> visitors, PackedPoints& panel,
                   NearestSelection& selection) const;

    const MetricSpace& space_;
    const ClusteredPoints& clustered_;
    SearchEffort effort_;
};

/// The exact lists of some of the points, among all others: list number a belongs to row rows[a]. O(rows n D).
[[nodiscard]] NeighborLists exact_lists_of(const PointsView& points, std::span<const Index> rows, Index k,
                                           Metric metric, const RunContext& context);
/// The same for a contiguous range of rows, without a copy of them.
[[nodiscard]] NeighborLists exact_lists_of(const PointsView& points, Range rows, Index k, Metric metric,
                                           const RunContext& context);

/// The true neighbours of some rows: list a is that of row rows[a].
struct TrueNeighbors {
    std::span<const Index> rows;
    const NeighborLists& lists;
};

/// The share of the true neighbours of those rows that `found`, which has the lists of all rows, contains. A neighbour
/// counts as found if it is no farther than the k-th true neighbour, so that of two equal points either one counts.
[[nodiscard]] double recall(const NeighborLists& found, const TrueNeighbors& truth);

struct TunedSearchParameters {
    SearchEffort effort;
    double recall = 0.0;      ///< reached by that effort on the sample; on other rows a little more or less
    double cost_share = 0.0;  ///< its cost for a row, relative to an exhaustive search
};

/// The cheapest effort that finds the share `recall`, with some reserve, of the true neighbours of sample rows. Returns
/// the largest effort if none reaches the recall. For each true
/// neighbour, the number of clusters nearer than its own and the number of points with a better key are counted once:
/// an effort beyond both numbers finds it.
[[nodiscard]] TunedSearchParameters choose_effort(const MetricSpace& space, const ClusteredPoints& clustered,
                                                  const TrueNeighbors& truth, double recall, const RunContext& context);

}  // namespace isogon
