#include "neighbors/k_means.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/nearest_selection.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Points with one more number, 1, so that a product with (c, -|c|^2 / 2) is largest for the nearest c.
PackedPoints pack_rows(const PointsView& points, const RunContext& context) {
    return pack(points, {}, std::vector<float>(points.count, 1.0F), context);
}

PackedPoints pack_centroids(const PointsView& centroids, const RunContext& context) {
    std::vector<float> halves;
    for (const double length : norms(centroids)) {
        halves.push_back(static_cast<float>(-0.5 * length * length));
    }
    return pack(centroids, {}, halves, context);
}

/// The largest of each row so far, and where.
struct Best {
    explicit Best(Index rows) : keys(block_count(rows, tile_width) * tile_width, -infinity), places(rows, 0) {}

    void take(const PairTile& tile) {
        static const std::vector<float> never(tile_width, infinity);
        TilePlaces marked;
        if (!mark_reaching(tile.values, keys.data() + tile.first_row, never.data(), marked)) {
            return;
        }
        for (Index i = 0; i < tile.rows; ++i) {
            for (std::uint64_t bits = marked.rows[i]; bits != 0; bits &= bits - 1) {
                const auto j = static_cast<Index>(std::countr_zero(bits));
                const float key = tile.values[i * tile_width + j];
                if (j < tile.columns && key > keys[tile.first_row + i]) {
                    keys[tile.first_row + i] = key;
                    places[tile.first_row + i] = tile.first_column + j;
                }
            }
        }
    }

    std::vector<float> keys;
    std::vector<Index> places;
};

}  // namespace

Points centroids_of(const PointsView& points, const std::vector<Index>& cluster, const Points& before) {
    std::vector<double> sums(before.values().size());
    std::vector<double> counts(before.count());
    for (Index i = 0; i < points.count; ++i) {
        counts[cluster[i]] += 1.0;
        double* sum = sums.data() + std::size_t{cluster[i]} * points.dimension;
        for (Index k = 0; k < points.dimension; ++k) {
            sum[k] += double{points[i][k]};
        }
    }
    Points means = before;
    for (Index c = 0; c < means.count(); ++c) {
        for (Index k = 0; k < points.dimension && counts[c] > 0.0; ++k) {
            means[c][k] = static_cast<float>(sums[std::size_t{c} * points.dimension + k] / counts[c]);
        }
    }
    return means;
}

std::vector<Index> nearest_centroids(const PointsView& points, const PointsView& centroids, const RunContext& context) {
    const PackedPoints columns = pack_centroids(centroids, context);
    std::vector<Index> nearest;
    nearest.reserve(points.count);
    constexpr std::size_t rows_at_once = 48 * 256;  // packed rows of that many at a time
    for (std::size_t b = 0; b < block_count(points.count, rows_at_once); ++b) {
        throw_if_cancelled_in_task(context);
        const Range range = block_range(b, points.count, rows_at_once);
        const PointsView rows(points.data + range.begin * points.stride, static_cast<Index>(range.size()),
                              points.dimension, points.stride);
        Best best(rows.count);
        for_each_cross_tile(pack_rows(rows, context), columns, context, [&](PairTile& tile) { best.take(tile); });
        nearest.insert(nearest.end(), best.places.begin(), best.places.end());
    }
    return nearest;
}

Points k_means(const PointsView& points, Index clusters, int rounds, std::uint64_t seed, const RunContext& context) {
    const auto rows = sample_rows(points.count, clusters, seed, RandomStream::NeighborClusters);
    Points centroids(static_cast<Index>(rows.size()), points.dimension);
    for (Index c = 0; c < centroids.count(); ++c) {
        std::copy(points[rows[c]].begin(), points[rows[c]].end(), centroids[c].begin());
    }
    for (int round = 0; round < rounds; ++round) {
        throw_if_cancelled(context);
        centroids = centroids_of(points, nearest_centroids(points, centroids.view(), context), centroids);
    }
    return centroids;
}

}  // namespace isogon
