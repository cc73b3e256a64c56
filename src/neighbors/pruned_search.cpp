#include "neighbors/pruned_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/distance_kernel.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

constexpr Index least_points = 4096;  // below, a pass over all pairs takes a fraction of a second
constexpr Index least_dimension = 96;
constexpr Index rows_of_svd = 20000;
constexpr Index rows_of_plan = 192;
constexpr std::array<Index, 9> directions_tried{16, 24, 32, 48, 64, 96, 128, 160, 192};

/// The largest |z_i - z_j| that a pair may have whose distance by x is this or less: the coordinates of z are rounded,
/// each by some millionths of the point's length.
double longest_by_z(const MetricSpace& space, Index point, float distance) {
    constexpr double rounding = 4e-6;
    return space.metric() == Metric::Cosine
               ? std::sqrt(2.0 * std::max(0.0, double{distance})) + 2.0 * rounding
               : (1.0 + rounding) * space.scale() * double{distance} + 2.0 * rounding * space.prepared_length(point);
}

/// The least key of such a pair in the space of z.
float least_key_by_z(const MetricSpace& space, Index point, float distance, const MetricSpace& z, Index row) {
    const double length = longest_by_z(space, point, distance);
    const double key =
        z.least_key(row, static_cast<float>(space.metric() == Metric::Cosine ? 0.5 * length * length : length));
    const auto rounded = static_cast<float>(key);
    return double{rounded} > key ? std::nextafter(rounded, -std::numeric_limits<float>::infinity()) : rounded;
}

/// The points in fewer numbers, z.
class Contraction {
public:
    Contraction(const MetricSpace& space, const RunContext& context) : space_(space) {
        const Index dimension = space.points().dimension;
        const auto rows = sample_rows(space.points().count, rows_of_svd, 0, RandomStream::NeighborDirections);
        const TruncatedSvd svd = truncated_svd(
            static_cast<Index>(rows.size()), dimension,
            [&](Index row, std::span<float> into) { space.prepare_point(rows[row], into); },
            std::min(dimension / 4, directions_tried.back()), context);
        coordinates_ = Points(space.points().count, static_cast<Index>(svd.directions.columns));
        constexpr std::size_t at_once = 4096;
        for (std::size_t b = 0; b < block_count(coordinates_.count(), at_once); ++b) {
            throw_if_cancelled(context);
            project_rows(block_range(b, coordinates_.count(), at_once), svd, context);
        }
    }

    [[nodiscard]] Index most_directions() const { return coordinates_.dimension(); }

    /// z of some rows.
    [[nodiscard]] Points operator()(std::span<const Index> rows, Index directions) const {
        Points z(static_cast<Index>(rows.size()), directions + 1);
        for (Index r = 0; r < z.count(); ++r) {
            write(rows[r], directions, z[r]);
        }
        return z;
    }

    /// z of all.
    [[nodiscard]] Points operator()(Index directions) const {
        Points z(coordinates_.count(), directions + 1);
        for (Index i = 0; i < z.count(); ++i) {
            write(i, directions, z[i]);
        }
        return z;
    }

private:
    void project_rows(Range rows, const TruncatedSvd& svd, const RunContext& context) {
        Points prepared(static_cast<Index>(rows.size()), space_.points().dimension);
        parallel_blocks(context, rows.size(), 256, [&](Range part) {
            for (std::size_t i = part.begin; i < part.end; ++i) {
                space_.prepare_point(static_cast<Index>(rows.begin + i), prepared[static_cast<Index>(i)]);
            }
        });
        const Points along = project(prepared.view(), svd, context);
        for (Index i = 0; i < along.count(); ++i) {
            std::ranges::copy(along[i], coordinates_[static_cast<Index>(rows.begin + i)].begin());
        }
    }

    void write(Index i, Index directions, std::span<float> z) const {
        const auto from = coordinates_[i];
        double rest = space_.prepared_length(i) * space_.prepared_length(i);
        for (Index k = 0; k < directions; ++k) {
            z[k] = from[k];
            rest -= double{from[k]} * from[k];
        }
        z[directions] = static_cast<float>(std::sqrt(std::max(0.0, rest)));
    }

    const MetricSpace& space_;
    Points coordinates_;
};

/// The number of directions whose passes cost least; 0 where a pass over all numbers costs less. From rows of which the
/// distance of the k-th neighbour is known.
class Plan {
public:
    Plan(const MetricSpace& space, Index k, const RunContext& context)
        : space_(space),
          context_(context),
          rows_(sample_rows(space.points().count, rows_of_plan, 0, RandomStream::NeighborSample)),
          lists_(exact_lists_of(space.points(), rows_, k, space.metric(), context)) {}

    [[nodiscard]] Index directions(const Contraction& contraction) const {
        // In multiplications of a dense product, by measurement: a true distance reads both points from memory.
        constexpr double of_a_number = 2.0;
        constexpr double of_a_candidate = 3000.0;
        const double points = space_.points().count;
        const double dimension = space_.points().dimension;
        double least = 0.5 * points * dimension;
        Index best = 0;
        for (const Index directions : directions_tried) {
            if (directions > contraction.most_directions()) {
                break;
            }
            const double cost = points * (directions + 1.0) +
                                candidates(contraction, directions) * (of_a_candidate + of_a_number * dimension);
            if (cost < least) {
                least = cost;
                best = directions;
            }
        }
        return best;
    }

private:
    /// Pairs a point whose true distance the second pass would compute.
    [[nodiscard]] double candidates(const Contraction& contraction, Index directions) const {
        const Points all = contraction(directions);
        const Points some = contraction(rows_, directions);
        const MetricSpace z(some.view(), all.view(), space_.metric());
        std::vector<float> thresholds(rows_.size());
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const auto row = static_cast<Index>(r);
            thresholds[r] = least_key_by_z(space_, rows_[r], lists_.distances_of(row).back(), z, row);
        }
        std::vector<double> counts(rows_.size(), 0.0);
        for_each_cross_tile(z.pack_queries(context_), z.pack_points(context_), context_, [&](PairTile& tile) {
            for (Index i = 0; i < tile.rows; ++i) {
                const float* keys = tile.values + std::size_t{i} * tile_width;
                const float threshold = thresholds[tile.first_row + i];
                counts[tile.first_row + i] += static_cast<double>(
                    std::count_if(keys, keys + tile.columns, [&](float key) { return key >= threshold; }));
            }
        });
        return std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(rows_.size());
    }

    const MetricSpace& space_;
    const RunContext& context_;
    std::vector<Index> rows_;
    NeighborLists lists_;
};

/// The k nearest of each row, while pairs that may be among them are offered in any order.
class NearestOfRows {
public:
    /// `z` of as many directions as there are: it tells most pairs apart that fewer did not, at a fraction of the time
    /// of a true distance.
    NearestOfRows(const MetricSpace& space, const Points& z, Index k)
        : space_(space), z_(z), k_(k), best_(space.points().count) {}

    void offer(Index row, Index other) {
        auto& best = best_[row];
        if (best.size() == k_ && are_farther(row, other, best.back().distance)) {
            return;
        }
        const Neighbor candidate{space_.distance(row, other), other};
        if (best.size() == k_ && !(candidate < best.back())) {
            return;
        }
        if (best.size() == k_) {
            best.pop_back();
        }
        best.insert(std::upper_bound(best.begin(), best.end(), candidate), candidate);
    }

    [[nodiscard]] NeighborLists lists() const {
        NeighborLists lists = empty_lists(static_cast<Index>(best_.size()), k_);
        for (Index row = 0; row < best_.size(); ++row) {
            write_list(best_[row], row, lists);
        }
        return lists;
    }

private:
    [[nodiscard]] bool are_farther(Index row, Index other, float distance) const {
        constexpr double rounding = 1.0 + 1e-5;  // of a sum of squares in float32
        const double longest = longest_by_z(space_, row, distance);
        return squared_difference(z_[row], 1.0F, z_[other], 1.0F) > rounding * longest * longest;
    }

    const MetricSpace& space_;
    const Points& z_;
    Index k_;
    std::vector<std::vector<Neighbor>> best_;
};

/// Thresholds of the keys by z below which no pair of a row can be one of its k nearest; padded by "never".
std::vector<float> thresholds_of(const MetricSpace& space, const MetricSpace& z, const PackedPoints& left,
                                 const PackedPoints& right, Index k, const RunContext& context) {
    const Index count = space.points().count;
    NearestSelection selection(count, candidates_for(k));
    for_each_pair_tile(
        left, right, context, [&](PairTile& tile) { selection.take_tile(tile, true); }, "neighbors");
    std::vector<float> thresholds(block_count(count, tile_width) * tile_width, std::numeric_limits<float>::infinity());
    parallel_blocks(context, count, 64, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto row = static_cast<Index>(i);
            const auto found = measured(space, row, selection.finish(row), SelfAllowed::Yes);
            thresholds[i] = least_key_by_z(space, row, found[k - 1].distance, z, row);
        }
    });
    return thresholds;
}

/// Offers the pairs of a tile that reach the threshold of one of their points to that point.
void offer_pairs(const PairTile& tile, const std::vector<float>& thresholds, NearestOfRows& nearest) {
    const float* rows = thresholds.data() + tile.first_row;
    const float* columns = thresholds.data() + tile.first_column;
    TilePlaces places;
    if (!mark_reaching(tile.values, rows, columns, places)) {
        return;
    }
    for (Index i = 0; i < tile.rows; ++i) {
        const Index first = tile.diagonal ? i + 1 : 0;  // beyond the last column thresholds are "never", rows' are not
        for (std::uint64_t marked = places.rows[i] >> first << first; marked != 0; marked &= marked - 1) {
            const auto j = static_cast<Index>(std::countr_zero(marked));
            const float key = tile.values[i * tile_width + j];
            if (j < tile.columns && key >= rows[i]) {
                nearest.offer(tile.first_row + i, tile.first_column + j);
            }
            if (j < tile.columns && key >= columns[j]) {
                nearest.offer(tile.first_column + j, tile.first_row + i);
            }
        }
    }
}

}  // namespace

std::optional<NeighborLists> pruned_neighbors(const PointsView& points, Index k, Metric metric,
                                              const RunContext& context) {
    if (points.count < least_points || points.dimension < least_dimension || metric == Metric::InnerProduct) {
        return std::nullopt;
    }
    const MetricSpace space(points, points, metric);
    Points reduced;
    Points finest;
    {
        const Contraction contraction(space, context);
        const Index directions = Plan(space, k, context).directions(contraction);
        if (directions == 0) {
            return std::nullopt;
        }
        reduced = contraction(directions);
        finest = contraction(contraction.most_directions());
    }
    const MetricSpace z(reduced.view(), reduced.view(), metric);
    const PackedPoints right = z.pack_points(context);
    const PackedPoints queries = z.symmetric() ? PackedPoints() : z.pack_queries(context);
    const PackedPoints& left = z.symmetric() ? right : queries;
    const std::vector<float> thresholds = thresholds_of(space, z, left, right, k, context);
    NearestOfRows nearest(space, finest, k);
    for_each_pair_tile(
        left, right, context, [&](PairTile& tile) { offer_pairs(tile, thresholds, nearest); }, "neighbors");
    return nearest.lists();
}

}  // namespace isogon
