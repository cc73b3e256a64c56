#include "neighbors/cluster_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "neighbors/k_means.hpp"
#include "neighbors/nearest_selection.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr std::size_t searched_rows_at_once = 48 * 256;
constexpr Index sample_for_each_cluster = 64;
constexpr int rounds = 8;

/// Sets the last number of a row for k-means, whose rows are the r coordinates and one more number. With inner products
/// that number extends every point to the length of the longest one; queries have 0 there. Then the nearest clusters by
/// Euclidean distance are those of the largest products. For other metrics the number is 0.
void set_last_number(const MetricSpace& space, Index row, double longest, std::span<float> numbers) {
    numbers.back() = 0.0F;
    if (space.metric() == Metric::InnerProduct) {
        const double length = space.prepared_length(row);
        numbers.back() = static_cast<float>(std::sqrt(std::max(0.0, longest * longest - length * length)));
    }
}

double longest_point(const MetricSpace& space) {
    double longest = 0.0;
    for (Index i = 0; i < space.points().count; ++i) {
        longest = std::max(longest, space.prepared_length(i));
    }
    return longest;
}

/// The rows of k-means for the points that `chosen` lists.
Points rows_of(const MetricSpace& space, const PointsView& reduced, std::span<const Index> chosen, double longest) {
    Points rows(static_cast<Index>(chosen.size()), reduced.dimension);
    for (Index r = 0; r < rows.count(); ++r) {
        std::copy(reduced[chosen[r]].begin(), reduced[chosen[r]].end(), rows[r].begin());
        set_last_number(space, chosen[r], longest, rows[r]);
    }
    return rows;
}

}  // namespace

ClusteredPoints::ClusteredPoints(const MetricSpace& space, const PointsView& reduced, Index clusters,
                                 std::uint64_t seed, const RunContext& context) {
    const double longest = space.metric() == Metric::InnerProduct ? longest_point(space) : 0.0;
    const auto requested = std::min<std::uint64_t>(reduced.count, std::uint64_t{clusters} * sample_for_each_cluster);
    const auto sample = sample_rows(reduced.count, static_cast<Index>(requested), seed, RandomStream::NeighborClusters);
    centroids_ = k_means(rows_of(space, reduced, sample, longest).view(), clusters, rounds, seed, context);
    std::vector<Index> cluster_of;
    const std::vector<Index> all = numbers_below(reduced.count);
    for (std::size_t b = 0; b < block_count(all.size(), searched_rows_at_once); ++b) {
        throw_if_cancelled(context);
        const Range range = block_range(b, all.size(), searched_rows_at_once);
        const Points rows = rows_of(space, reduced, std::span(all).subspan(range.begin, range.size()), longest);
        const auto nearest = nearest_centroids(rows.view(), centroids_.view(), context);
        cluster_of.insert(cluster_of.end(), nearest.begin(), nearest.end());
    }
    order(cluster_of);
    pack_points(reduced);
    pack_centroids();
}

/// Orders the points by cluster, and by row within one.
void ClusteredPoints::order(const std::vector<Index>& cluster_of) {
    first_.assign(std::size_t{centroids_.count()} + 1, 0);
    for (const Index cluster : cluster_of) {
        ++first_[std::size_t{cluster} + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    rows_.resize(cluster_of.size());
    for (Index row = 0; row < cluster_of.size(); ++row) {
        rows_[next[cluster_of[row]]++] = row;
    }
}

Index ClusteredPoints::panels(Index cluster) const {
    return static_cast<Index>(block_count(size(cluster), panel_width));
}

std::span<const Index> ClusteredPoints::rows_of_panel(Index cluster, Index p) const {
    const std::size_t begin = std::size_t{p} * panel_width;
    return std::span(rows_).subspan(first_[cluster] + begin, std::min<std::size_t>(panel_width, size(cluster) - begin));
}

void ClusteredPoints::copy_as_query(Index position, std::span<float> into) const {
    for (Index k = 0; k < packed_.depth(); ++k) {
        into[k] = packed_.at(static_cast<Index>(slots_[position]), k);
    }
    into.back() = 1.0F;
}

void ClusteredPoints::pack_points(const PointsView& reduced) {
    first_panel_.assign(1, 0);
    for (Index c = 0; c < clusters(); ++c) {
        first_panel_.push_back(first_panel_.back() + panels(c));
    }
    slots_.resize(rows_.size());
    packed_ = PackedPoints(static_cast<Index>(first_panel_.back() * panel_width), reduced.dimension);
    for (Index c = 0; c < clusters(); ++c) {
        for (Index position = first_[c]; position < first_[c + 1]; ++position) {
            slots_[position] = first_panel_[c] * panel_width + position - first_[c];
            const auto row = reduced[rows_[position]];
            for (Index k = 0; k < reduced.dimension; ++k) {
                packed_.at(static_cast<Index>(slots_[position]), k) = row[k];
            }
        }
    }
}

void ClusteredPoints::pack_centroids() {
    packed_centroids_ = PackedPoints(centroids_.count(), centroids_.dimension());
    const auto lengths = norms(centroids_.view());
    const Index last = centroids_.dimension() - 1;
    for (Index c = 0; c < centroids_.count(); ++c) {
        for (Index k = 0; k < last; ++k) {
            packed_centroids_.at(c, k) = centroids_[c][k];
        }
        // A query is (q, 1): its last number multiplies -|c|^2 / 2, and not the last number of the centroid.
        packed_centroids_.at(c, last) = static_cast<float>(-0.5 * lengths[c] * lengths[c]);
    }
}

void ClusteredPoints::describe(ArchiveSchema& schema) {
    // The coordinates of reduced points have a length of at most 1, and so has the last number that inner products add.
    // Means of such rows are not longer.
    constexpr double largest = 2.0;
    schema.size("L", {1, "n"});
    schema.add({.name = "centroids", .shape = {"L", {"rank", 1}}, .values = {{-largest, largest}}});
    schema.add(
        {.name = "cluster_of", .scalar = ArchiveArray::Scalar::Uint32, .shape = {"n"}, .values = {{0, {"L", -1}}}});
}

ClusteredPoints::ClusteredPoints(const Archive& archive, const PointsView& reduced)
    : centroids_(archive.points("centroids")) {
    order(archive.numbers<std::uint32_t>("cluster_of", {reduced.count}));
    pack_points(reduced);
    pack_centroids();
}

void ClusteredPoints::save(Archive& archive) const {
    std::vector<std::uint32_t> cluster_of(rows_.size());
    for (Index c = 0; c < clusters(); ++c) {
        for (Index position = first_[c]; position < first_[c + 1]; ++position) {
            cluster_of[rows_[position]] = c;
        }
    }
    archive.add("centroids", centroids_.view());
    archive.add("cluster_of", std::move(cluster_of));
}

std::uint64_t ClusteredPoints::bytes(Index points, Index width, Index clusters) {
    const std::uint64_t padded = points + std::uint64_t{clusters} * panel_width;
    return (padded + 3ULL * clusters) * width * sizeof(float) + points * (2ULL * sizeof(Index) + sizeof(std::size_t));
}

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

/// For each cluster the queries that search it.
std::vector<std::vector<Index>> ClusterSearch::visitors(const PointsView& reduced) const {
    NearestSelection nearest = nearest_clusters(reduced);
    std::vector<std::vector<Index>> visitors(clustered_.clusters());
    for (Index query = 0; query < reduced.count; ++query) {
        for (const auto& probe : nearest.best(query)) {
            visitors[probe.index].push_back(query);
        }
    }
    return visitors;
}

void ClusterSearch::look_into(Index cluster, const PointsView& reduced, std::span<const Index> visitors,
                              PackedPoints& panel, NearestSelection& selection) const {
    alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
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
    PackedPoints panel(static_cast<Index>(panel_width), reduced.dimension);
    for (Index cluster = 0; cluster < visitors_of.size(); ++cluster) {
        look_into(cluster, reduced, visitors_of[cluster], panel, selection);
    }
    return selection;
}

void ClusterSearch::find(const PointsView& reduced, std::span<const Index> queries, std::span<const Index> places,
                         NeighborLists& lists) const {
    NearestSelection selection = candidates(reduced);
    for (Index i = 0; i < reduced.count; ++i) {
        auto found = measured(space_, queries[i], selection.best(i));
        if (found.size() < lists.size) {  // the searched clusters do not contain that many points
            found = nearest_of_all(space_, queries[i], lists.size);
        }
        write_list(found, places[i], lists);
        restore_unit(space_, queries[i], lists, places[i]);
    }
}

}  // namespace isogon
