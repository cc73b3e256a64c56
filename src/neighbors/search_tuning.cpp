#include "neighbors/cluster_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

/// Removes the query itself from each list. It need not be the first: with inner products other points may be nearer.
template <class NumberOf>
NeighborLists without_self(const NeighborLists& with_self, const NumberOf& number_of) {
    const Index k = with_self.size - 1;
    NeighborLists lists{.size = k};
    lists.indices.reserve(std::size_t{with_self.count()} * k);
    lists.distances.reserve(std::size_t{with_self.count()} * k);
    for (Index a = 0; a < with_self.count(); ++a) {
        const std::size_t end = lists.indices.size() + k;
        for (Index b = 0; b <= k && lists.indices.size() < end; ++b) {
            if (with_self[a][b] != number_of(a)) {
                lists.indices.push_back(with_self[a][b]);
                lists.distances.push_back(with_self.distances_of(a)[b]);
            }
        }
    }
    return lists;
}

}  // namespace

NeighborLists exact_lists_of(const PointsView& points, std::span<const Index> rows, Index k, Metric metric,
                             const RunContext& context) {
    Points queries(static_cast<Index>(rows.size()), points.dimension);
    for (Index a = 0; a < queries.count(); ++a) {
        std::copy(points[rows[a]].begin(), points[rows[a]].end(), queries[a].begin());
    }
    return without_self(exact_neighbors(queries.view(), points, k + 1, metric, context),
                        [&](Index a) { return rows[a]; });
}

NeighborLists exact_lists_of(const PointsView& points, Range rows, Index k, Metric metric, const RunContext& context) {
    const PointsView queries(points.data + rows.begin * points.stride, static_cast<Index>(rows.size()),
                             points.dimension, points.stride);
    return without_self(exact_neighbors(queries, points, k + 1, metric, context),
                        [&](Index a) { return static_cast<Index>(rows.begin) + a; });
}

namespace {

/// Whether equal distances mean equal nearness: at the ends of float32 all inner products are alike.
bool tells_apart(float distance) {
    using Limits = std::numeric_limits<float>;
    const float size = std::abs(distance);
    return size < Limits::max() && (size >= Limits::min() || size == 0.0F);
}

}  // namespace

double recall(const NeighborLists& found, const TrueNeighbors& truth) {
    const auto& [rows, true_lists] = truth;
    const Index k = std::min(found.size, true_lists.size);
    std::uint64_t hits = 0;
    for (Index a = 0; a < rows.size(); ++a) {
        const float kth = true_lists.distances_of(a)[k - 1];
        const bool or_as_near = tells_apart(kth);
        const auto listed = true_lists[a].first(k);
        for (Index b = 0; b < k; ++b) {
            const float distance = found.distances_of(rows[a])[b];
            const bool near = distance < kth || (distance == kth && or_as_near);
            hits += near || std::ranges::find(listed, found[rows[a]][b]) != listed.end() ? 1U : 0U;
        }
    }
    return rows.empty() ? 1.0 : static_cast<double>(hits) / (static_cast<double>(rows.size()) * k);
}

namespace {

constexpr Index most_candidates = 1024;

/// The positions of a true neighbour, from 0: of its cluster in the order of clusters, of the point in that of keys.
struct Depth {
    Index cluster = 0;
    Index key = 0;
};

/// Position of every wanted index in a list of candidates; the list's end for those that are not in it.
Index position_of(Index wanted, std::span<const NearestSelection::Candidate> list) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const auto& c) { return c.index == wanted; });
    return static_cast<Index>(at - list.begin());
}

class Depths {
public:
    Depths(const MetricSpace& space, const ClusteredPoints& clustered)
        : search_(space, clustered, {clustered.clusters(), std::min(most_candidates, space.points().count)}),
          clustered_(clustered),
          cluster_of_(space.points().count),
          position_of_(space.points().count) {
        Index position = 0;
        for (Index c = 0; c < clustered.clusters(); ++c) {
            for (Index end = position + clustered.size(c); position < end; ++position) {
                cluster_of_[clustered.rows()[position]] = c;
                position_of_[clustered.rows()[position]] = position;
            }
        }
    }

    /// Measures the depths of the true neighbours of a range of the rows, into their places.
    void measure(const TrueNeighbors& truth, Range range, std::vector<Depth>& depths) const {
        Points reduced(static_cast<Index>(range.size()), clustered_.width());
        for (std::size_t a = range.begin; a < range.end; ++a) {
            clustered_.copy_as_query(position_of_[truth.rows[a]], reduced[static_cast<Index>(a - range.begin)]);
        }
        NearestSelection clusters = search_.nearest_clusters(reduced.view());
        NearestSelection keys = search_.candidates(reduced.view());
        for (Index i = 0; i < reduced.count(); ++i) {
            const auto cluster_order = clusters.finish(i);
            const auto key_order = keys.finish(i);
            const auto a = static_cast<Index>(range.begin + i);
            for (Index b = 0; b < truth.lists.size; ++b) {
                const Index neighbor = truth.lists[a][b];
                depths[std::size_t{a} * truth.lists.size + b] = {position_of(cluster_of_[neighbor], cluster_order),
                                                                 position_of(neighbor, key_order)};
            }
        }
    }

private:
    ClusterSearch search_;
    const ClusteredPoints& clustered_;
    std::vector<Index> cluster_of_;
    std::vector<Index> position_of_;
};

std::vector<Depth> depths_of(const MetricSpace& space, const ClusteredPoints& clustered, const TrueNeighbors& truth,
                             const RunContext& context) {
    std::vector<Depth> depths(truth.rows.size() * truth.lists.size);
    const Depths all(space, clustered);
    parallel_blocks(context, truth.rows.size(), panel_width, [&](Range range) { all.measure(truth, range, depths); });
    return depths;
}

/// A grid from `first` to `last` in steps of a quarter.
std::vector<Index> grid(Index first, Index last) {
    std::vector<Index> values;
    for (Index value = std::min(first, last); value < last; value += std::max<Index>(1, value / 4)) {
        values.push_back(value);
    }
    values.push_back(last);
    return values;
}

/// Cost of the search for one row, in multiplications of the panel product. A key costs its product and a constant for
/// the selection. A candidate costs six times its numbers, because they are read from random places in memory. These
/// are estimates that balance probes against candidates; an error costs time, not recall.
class Costs {
public:
    Costs(const MetricSpace& space, const ClusteredPoints& clustered)
        : dimension_(space.points().dimension), width_(clustered.width()), clusters_(clustered.clusters()) {
        const double n = space.points().count;
        for (Index c = 0; c < clustered.clusters(); ++c) {
            mean_size_ += double{static_cast<double>(clustered.size(c))} * clustered.size(c) / n;
        }
        exact_ = 0.5 * n * (dimension_ + look);
    }

    [[nodiscard]] double share(SearchEffort effort) const {
        const double keys = (clusters_ + effort.probes * mean_size_) * (width_ + look);
        return (keys + effort.candidates * 6.0 * (dimension_ + look)) / exact_;
    }

private:
    static constexpr double look = 24.0;
    double dimension_;
    double width_;
    double clusters_;
    double mean_size_ = 0.0;  ///< mean size of clusters, weighted by size: larger ones are searched more often
    double exact_ = 0.0;
};

double share_found(const std::vector<Depth>& depths, SearchEffort effort) {
    const auto found = std::count_if(depths.begin(), depths.end(), [&](const Depth& depth) {
        return depth.cluster < effort.probes && depth.key <= effort.candidates;  // the row itself may stand before it
    });
    return static_cast<double>(found) / static_cast<double>(depths.size());
}

}  // namespace

TunedSearchParameters choose_effort(const MetricSpace& space, const ClusteredPoints& clustered,
                                    const TrueNeighbors& truth, double recall, const RunContext& context) {
    const std::vector<Depth> depths = depths_of(space, clustered, truth, context);
    const Costs costs(space, clustered);
    // Twice the standard deviation that a sample of so many neighbours has, were they independent.
    const double requested = recall + 2.0 * std::sqrt(recall * (1.0 - recall) / static_cast<double>(depths.size()));
    const Index most = std::min<Index>(most_candidates, space.points().count - 1);
    TunedSearchParameters best{{clustered.clusters(), most}, 0.0, std::numeric_limits<double>::infinity()};
    for (const Index probes : grid(1, clustered.clusters())) {
        for (const Index candidates : grid(std::min(truth.lists.size, most), most)) {
            const SearchEffort effort{probes, candidates};
            if (costs.share(effort) < best.cost_share && share_found(depths, effort) >= requested) {
                best = {effort, 0.0, costs.share(effort)};
            }
        }
    }
    best.recall = share_found(depths, best.effort);
    best.cost_share = costs.share(best.effort);
    return best;
}

}  // namespace isogon
