#include "neighbors/exact_neighbors.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "linalg/packed_points.hpp"
#include "neighbors/direct_search.hpp"
#include "neighbors/metric_rows.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"
#include "neighbors/shared_neighbors.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/positive_pairs.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// Points of another set are packed in blocks of this size, so that few queries need no packed copy of all points. A
/// block takes some megabytes and has enough panels for all threads.
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

}  // namespace

std::uint64_t exact_neighbors_bytes(Index points, Index dimension, Index k) {
    return MetricSpace::bytes(points, points, dimension, Metric::Euclidean) +
           NearestSelection::bytes(points, candidates_for(k)) + list_completion_bytes(points, dimension, k) +
           neighbor_bytes(points, k);
}

std::uint64_t exact_search_bytes(Index queries, Index points, Index dimension, Index k) {
    const auto block = static_cast<Index>(std::min<std::size_t>(points, points_at_once(dimension)));
    return MetricSpace::bytes(queries, block, dimension, Metric::Euclidean) + std::uint64_t{points} * sizeof(double) +
           NearestSelection::bytes(queries, candidates_for(k)) + list_completion_bytes(queries, dimension, k) +
           neighbor_bytes(queries, k);
}

NeighborLists exact_neighbors(const PointsView& points, Index k, Metric metric, const RunContext& context) {
    require_neighbors(k, points.count == 0 ? 0 : points.count - 1, "other points");
    require_finite(points, "input");
    if (is_of_products(metric)) {
        return shared_neighbors(points, k, metric, context);
    }
    if (metric != Metric::Correlation) {
        return direct_neighbors({points, points, metric}, k, context);
    }
    const Points rows = centred_rows(points, context);
    return shared_neighbors(rows.view(), k, Metric::Cosine, beside(context, rows.values().size_bytes()));
}

NeighborLists exact_neighbors(const PointsView& queries, const PointsView& points, Index k, Metric metric,
                              const RunContext& context) {
    require_same_dimension(queries, points);
    require_neighbors(k, points.count, "points");
    require_finite(points, "input");
    require_finite(queries, "queries");
    if (metric == Metric::Correlation) {
        const Points left = centred_rows(queries, context);
        const RunContext rest = beside(context, left.values().size_bytes());
        const Points right = centred_rows(points, rest);
        return exact_neighbors(left.view(), right.view(), k, Metric::Cosine, beside(rest, right.values().size_bytes()));
    }
    if (!is_of_products(metric)) {
        return direct_neighbors({queries, points, metric, false}, k, context);
    }
    require_memory(
        context,
        {{"packed points, candidates and lists", exact_search_bytes(queries.count, points.count, points.dimension, k)}},
        "raise the limit, ask for fewer neighbours or search fewer points");
    const MetricSpace space({queries, points, metric, false}, context);
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
    return complete_lists(space, selection, k, {0, queries.count}, context);
}

namespace {

constexpr Index exact_sample_size = 480;

/// Directions of the chosen rows and one more number, so that the product of (u_i, 1) and (u_j, -cosine) is
/// cos(x_i, x_j) - cosine. A zero vector gets zeros: its products are never above zero.
PackedPoints pack_side(const PointsView& points, const std::vector<double>& lengths, std::span<const Index> rows,
                       double last, const RunContext& context) {
    const PackedPoints directions = pack_directions(points, lengths, rows, context);
    PackedPoints packed(directions.count(), directions.depth() + 1);
    for (Index i = 0; i < packed.count(); ++i) {
        for (Index k = 0; k < directions.depth(); ++k) {
            packed.at(i, k) = directions.at(i, k);
        }
        packed.at(i, directions.depth()) = lengths[rows[i]] > 0.0 ? static_cast<float>(last) : 0.0F;
    }
    return packed;
}

/// The number of pairs above the threshold, extrapolated from a sample of rows.
double estimated_pairs(const PointsView& points, const std::vector<double>& lengths, const PackedPoints& right,
                       const RunContext& context) {
    const auto rows = sample_rows(points.count, exact_sample_size, 0, RandomStream::NeighborSample);
    std::vector<double> counts(rows.size(), 0.0);
    for_each_cross_tile(pack_side(points, lengths, rows, 1.0, context), right, context, [&](PairTile& tile) {
        TileEntries hits;
        collect_positive(tile.values, hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            counts[tile.first_row + (hits.places[h] >> tile_place_shift)] += 1.0;
        }
    });
    const double found = std::accumulate(counts.begin(), counts.end(), 0.0);
    return 0.5 * points.count * found / static_cast<double>(rows.size());
}

}  // namespace

CsrMatrix<float> pairs_above(const PointsView& points, double cosine, const RunContext& context) {
    if (!(0.0 < cosine && cosine < 1.0)) {
        throw InvalidArgument("cosine", std::to_string(cosine), "must be above 0 and below 1");
    }
    require_finite(points, "input");
    CsrMatrix<float> upper;
    if (points.count == 0) {
        return upper;
    }
    const std::uint64_t packed = 2 * PackedPoints::bytes(points.count, points.dimension + 1);
    const char* remedy = "raise the limit or the cosine, or take fewer points";
    require_memory(context, {{"packed points", packed}}, remedy);
    const std::vector<double> lengths = norms(points, context);
    const std::vector<Index> all = numbers_below(points.count);
    const PackedPoints right = pack_side(points, lengths, all, -cosine, context);
    const double pairs = estimated_pairs(points, lengths, right, context);
    require_memory(context, {{"packed points", packed}, {"the pairs", static_cast<std::uint64_t>(32.0 * pairs)}},
                   remedy);
    PairRuns runs =
        collect_positive_pairs(pack_side(points, lengths, all, 1.0, context), right, context, "pairs above");
    append_pairs(points.count, runs, upper);
    for (float& value : upper.values) {
        value += static_cast<float>(cosine);
    }
    return upper;
}

}  // namespace isogon
