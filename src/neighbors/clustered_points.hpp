#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "neighbors/metric_space.hpp"

namespace isogon {

/// Reduced points by cluster, so that those near each other lie side by side: position by position, and once more
/// packed, each cluster from the begin of a panel.
class ClusteredPoints {
public:
    /// `reduced` holds all points of `space`. At most `clusters` clusters by k-means on a sample. O(n L r) time.
    ClusteredPoints(const MetricSpace& space, const PointsView& reduced, Index clusters, std::uint64_t seed,
                    const RunContext& context);
    /// As an archive holds it that describe() has been required of.
    ClusteredPoints(const Archive& archive, const PointsView& reduced);
    void save(Archive& archive) const;
    /// Says of a schema that knows n and rank what an archive of this holds: "centroids" (L, rank + 1), "cluster_of"
    /// (n).
    static void describe(ArchiveSchema& schema);

    [[nodiscard]] Index clusters() const { return centroids_.count(); }
    [[nodiscard]] Index width() const { return packed_.depth(); }
    [[nodiscard]] Index size(Index cluster) const { return first_[cluster + 1] - first_[cluster]; }
    /// The panels of a cluster: points size(cluster), the last panel filled up with zeros.
    [[nodiscard]] Index panels(Index cluster) const;
    [[nodiscard]] PanelView panel(Index cluster, Index p) const { return packed_.panel(first_panel_[cluster] + p); }
    /// The rows of the points in a panel, without what fills it up.
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
    std::vector<std::size_t> slots_;  ///< of a position, its place in `packed_`
    PackedPoints packed_;
    PackedPoints packed_centroids_;  ///< (c, -|c|^2 / 2): the product with (q, 1) is largest for the nearest
};

}  // namespace isogon
