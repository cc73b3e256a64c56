#include "neighbors/reduced_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr Index most_rows = 20000;

/// Some megabytes of them, and enough that all threads have something to do.
std::size_t reduced_rows_at_once(Index dimension) {
    constexpr std::size_t numbers = 0x1p21;
    constexpr std::size_t least = 1024;
    constexpr std::size_t most = 8192;
    return std::clamp(numbers / std::max<std::size_t>(dimension, 1), least, most);
}

/// Directions are taken in sixteens, a vector of the widest instruction set, until they hold this share of all squares.
/// The share was not tuned: with fewer directions keys cost less, but more candidates are needed.
constexpr double share_kept = 0.9;
constexpr Index step = 16;
constexpr Index most_directions = 256;

Index rank_for(const TruncatedSvd& svd, Index dimension) {
    double squares = 0.0;
    Index rank = 0;
    while (rank < svd.singular_values.size()) {
        squares += svd.singular_values[rank] * svd.singular_values[rank];
        ++rank;
        if (rank % step == 0 && squares >= share_kept * svd.total_squares) {
            break;
        }
    }
    return 2 * rank > dimension ? dimension : rank;
}

TruncatedSvd first_directions(const TruncatedSvd& svd, Index rank) {
    TruncatedSvd first;
    first.directions = DenseMatrix(svd.directions.rows, rank);
    for (std::size_t k = 0; k < svd.directions.rows; ++k) {
        for (Index a = 0; a < rank; ++a) {
            first.directions(k, a) = svd.directions(k, a);
        }
    }
    return first;
}

}  // namespace

ReducedSpace::ReducedSpace(const MetricSpace& space, std::uint64_t seed, const RunContext& context) {
    const Index dimension = space.points().dimension;
    const auto rows = sample_rows(space.points().count, most_rows, seed, RandomStream::NeighborDirections);
    const TruncatedSvd svd = truncated_svd(
        static_cast<Index>(rows.size()), dimension,
        [&](Index row, std::span<float> into) { space.prepare_point(rows[row], into); },
        std::min(dimension, most_directions), context);
    rank_ = rank_for(svd, dimension);
    if (rank_ < dimension) {
        svd_ = first_directions(svd, rank_);
        pack_directions();
    }
}

void ReducedSpace::pack_directions() {
    packed_directions_ = PackedPoints(rank_, static_cast<Index>(svd_->directions.rows));
    for (Index k = 0; k < packed_directions_.depth(); ++k) {
        for (Index a = 0; a < rank_; ++a) {
            packed_directions_.at(a, k) = static_cast<float>(svd_->directions(k, a));
        }
    }
}

void ReducedSpace::describe(ArchiveSchema& schema, const Archive& archive) {
    using Scalar = ArchiveArray::Scalar;
    constexpr double largest = 1.001;  // for an entry of orthonormal directions, to rounding
    const bool all_kept = !archive.has("directions");
    schema.size("rank", {all_kept ? ArchiveBound("D") : ArchiveBound(1), "D"});
    schema.add({.name = "rank", .scalar = Scalar::Uint64, .is = "rank"});
    schema.add({.name = "directions",
                .scalar = Scalar::Float64,
                .shape = {"D", "rank"},
                .values = {{-largest, largest}},
                .optional = true});
}

ReducedSpace::ReducedSpace(const Archive& archive) : rank_(static_cast<Index>(archive.count("rank"))) {
    if (!archive.has("directions")) {
        return;
    }
    const auto& values = archive.numbers<double>("directions", {Archive::any_length, rank_});
    svd_.emplace();
    svd_->directions = DenseMatrix(values.size() / rank_, rank_);
    for (std::size_t place = 0; place < values.size(); ++place) {
        svd_->directions(place / rank_, place % rank_) = values[place];
    }
    pack_directions();
}

void ReducedSpace::save(Archive& archive) const {
    archive.add_count("rank", rank_);
    if (!svd_) {
        return;
    }
    std::vector<double> values;
    for (std::size_t k = 0; k < svd_->directions.rows; ++k) {
        for (Index a = 0; a < rank_; ++a) {
            values.push_back(svd_->directions(k, a));
        }
    }
    archive.add("directions", Array{{svd_->directions.rows, rank_}, std::move(values)});
}

void ReducedSpace::write_coordinates(const Points& prepared, std::size_t first, Points& rows,
                                     const RunContext& context) const {
    if (!svd_) {
        for (Index i = 0; i < prepared.count(); ++i) {
            std::copy(prepared[i].begin(), prepared[i].end(), rows[static_cast<Index>(first + i)].begin());
        }
        return;
    }
    for_each_cross_tile(pack(prepared.view(), {}, {}, context), packed_directions_, context, [&](const PairTile& tile) {
        for (Index i = 0; i < tile.rows; ++i) {
            std::copy_n(tile.values + i * tile_width, tile.columns,
                        rows[static_cast<Index>(first + tile.first_row + i)].begin() + tile.first_column);
        }
    });
}

Points ReducedSpace::reduce_points(const MetricSpace& space, const RunContext& context) const {
    const PointsView& points = space.points();
    Points rows(points.count, width());
    const std::size_t at_once = reduced_rows_at_once(points.dimension);
    for (std::size_t b = 0; b < block_count(points.count, at_once); ++b) {
        throw_if_cancelled(context);
        const Range range = block_range(b, points.count, at_once);
        write_coordinates(space.prepare_points(range, context), range.begin, rows, context);
    }
    for (Index i = 0; i < rows.count() && space.metric() != Metric::InnerProduct; ++i) {
        const auto coordinates = rows[i].first(rank_);
        rows[i][rank_] = static_cast<float>(
            -0.5 * std::inner_product(coordinates.begin(), coordinates.end(), coordinates.begin(), 0.0));
    }
    return rows;
}

Points ReducedSpace::reduce_queries(const MetricSpace& space, Range queries, const RunContext& context) const {
    Points prepared(static_cast<Index>(queries.size()), space.queries().dimension);
    for (Index i = 0; i < prepared.count(); ++i) {
        space.prepare_query(static_cast<Index>(queries.begin + i), prepared[i]);
    }
    Points rows(prepared.count(), width());
    write_coordinates(prepared, 0, rows, context);
    for (Index i = 0; i < rows.count(); ++i) {
        rows[i][rank_] = 1.0F;
    }
    return rows;
}

}  // namespace isogon
