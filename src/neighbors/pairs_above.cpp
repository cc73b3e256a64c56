#include "isogon/neighbors/pairs_above.hpp"

#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/positive_pairs.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr Index sample_size = 480;

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

/// Pairs above, as a sample of rows has them.
double estimated_pairs(const PointsView& points, const std::vector<double>& lengths, const PackedPoints& right,
                       const RunContext& context) {
    const auto rows = sample_rows(points.count, sample_size, 0, RandomStream::NeighborSample);
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
    const std::vector<double> lengths = norms(points);
    std::vector<Index> all(points.count);
    std::iota(all.begin(), all.end(), Index{0});
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
