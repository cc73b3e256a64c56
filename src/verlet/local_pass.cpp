#include "verlet/local_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr float unreachable_product = -std::numeric_limits<float>::infinity();  // that no bound reaches

/// Entries on and below the diagonal and beyond the last point are no pairs.
void exclude_non_pairs(PairTile& tile) {
    if (!tile.diagonal && tile.rows == tile_width && tile.columns == tile_width) {
        return;
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        float* row = tile.values + i * tile_width;
        const std::size_t end = i < tile.rows ? tile.columns : 0;
        const std::size_t begin = tile.diagonal ? std::min(i + 1, end) : 0;
        std::fill(row, row + begin, unreachable_product);
        std::fill(row + end, row + tile_width, unreachable_product);
    }
}

/// |y_i|^2, with zeros up to whole panels.
std::vector<float> squared_norms(const MultiVector<float>& y) {
    std::vector<float> squares(block_count(y.rows(), tile_width) * tile_width);
    for (Index i = 0; i < y.rows(); ++i) {
        double sum = 0.0;
        for (Index k = 0; k < y.columns(); ++k) {
            sum += double{y.row(i)[k]} * y.row(i)[k];
        }
        squares[i] = static_cast<float>(sum);
    }
    return squares;
}

double square(double value) {
    return value * value;
}

/// The places of some targets become hits; they are excluded from what is found by products.
void append_targets(const TiledSparseMatrix::Tile& targets, float* products, TileEntries& hits) {
    for (std::size_t k = 0; k < targets.count; ++k) {
        const std::uint32_t place = targets.places[k];
        hits.places[hits.count++] = place;
        products[(place >> tile_place_shift) * tile_width + (place & tile_place_mask)] = unreachable_product;
    }
}

}  // namespace

PairLoss::PairLoss(const std::vector<float>& radii, const LossShape& shape)
    : off_support_weight_(shape.off_support_weight), step_(shape.robust_step) {
    constexpr double least_share_of_mean = 1e-6;  // of squared radii
    const double sum = std::accumulate(radii.begin(), radii.end(), 0.0);
    least_ = least_share_of_mean * (sum > 0.0 ? sum / static_cast<double>(radii.size()) : 1.0);
}

double PairLoss::rho(double squared_deviation) const {
    return std::isinf(step_) ? squared_deviation : step_ * elementary::log1p(squared_deviation / step_);
}

double PairLoss::keep_distance(double target, double radius, double q, LocalSums* sums) const {
    const double weight = near_weight(target, radius);
    const double squared_deviation = weight * square(target - q);
    if (sums != nullptr) {
        sums->near_squares += rho(squared_deviation);
    }
    return slope(squared_deviation) * weight * (target - q);
}

double PairLoss::keep_apart(double radius, double q, LocalSums* sums) const {
    if (!(q < radius)) {
        return 0.0;
    }
    const double weight = of(radius);
    const double squared_deviation = weight * square(radius - q);
    if (sums != nullptr) {
        sums->off_squares += off_support_weight_ * rho(squared_deviation);
    }
    return off_support_weight_ * slope(squared_deviation) * weight * (radius - q);
}

/// The residuals of one tile.
class LocalPass::Visit {
public:
    Visit(const LocalPass& pass, const std::vector<float>& squares, const MultiVector<float>& y,
          MultiVector<float>& sums)
        : pass_(pass), squares_(squares), y_(y), sums_(sums) {}

    LocalSums operator()(PairTile& tile) const {
        const auto row = static_cast<Index>(tile.first_row / tile_width);
        const auto column = static_cast<Index>(tile.first_column / tile_width);
        const TiledSparseMatrix::Tile near = pass_.near_.tile(row, column);
        exclude_non_pairs(tile);
        TileEntries hits;
        hits.count = 0;
        append_targets(near, tile.values, hits);
        append_non_neighbors(tile, hits);
        square_differences(hits, y_.row(tile.first_row), y_.row(tile.first_column), y_.stride());
        const LocalSums sums = take_residuals(tile, near, hits);
        accumulate_differences(hits, {y_.row(tile.first_row), sums_.row(tile.first_row)},
                               {y_.row(tile.first_column), sums_.row(tile.first_column)}, y_.stride());
        return sums;
    }

private:
    void append_non_neighbors(const PairTile& tile, TileEntries& hits) const {
        TilePlaces places;  // NOLINT(*-member-init): filled by mark_inside
        const TileBalls balls{.row_squares = squares_.data() + tile.first_row,
                              .column_squares = squares_.data() + tile.first_column,
                              .row_radii = pass_.radii_.data() + tile.first_row,
                              .column_radii = pass_.radii_.data() + tile.first_column};
        mark_inside(tile.values, balls, places);
        append_places(places, hits);
    }

    /// Replaces q of every hit by its share of the gradient.
    LocalSums take_residuals(const PairTile& tile, const TiledSparseMatrix::Tile& near, TileEntries& hits) const {
        const float* row_radii = pass_.radii_.data() + tile.first_row;
        const float* column_radii = pass_.radii_.data() + tile.first_column;
        LocalSums sums;
        for (std::size_t h = 0; h < hits.count; ++h) {
            const double q = double{hits.values[h]};
            const double radius = std::max(double{row_radii[hits.places[h] >> tile_place_shift]},
                                           double{column_radii[hits.places[h] & tile_place_mask]});
            double residual = 0.0;
            if (h < near.count) {
                residual = pass_.loss_.keep_distance(double{near.values[h]}, radius, q, &sums);
            } else {
                residual = pass_.loss_.keep_apart(radius, q, &sums);
                sums.violations += q < radius ? 1.0 : 0.0;
            }
            hits.values[h] = static_cast<float>(residual);
        }
        return sums;
    }

    const LocalPass& pass_;
    const std::vector<float>& squares_;
    const MultiVector<float>& y_;
    MultiVector<float>& sums_;
};

LocalPass::LocalPass(const LocalTargets& targets, const LossShape& shape)
    : near_(targets.near), radii_(targets.radii), loss_(targets.radii, shape), ranks_(targets.ranks) {
    radii_.resize(block_count(radii_.size(), tile_width) * tile_width);
}

LocalSums LocalPass::apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context) {
    set_zero(sums, y.rows(), y.columns());
    const PackedPoints packed = pack(y.view(), {}, {}, context);
    const std::vector<float> squares = squared_norms(y);
    const Visit visit(*this, squares, y, sums);
    // One sum for each block of rows: no two concurrent visits share one, and all visits of one have a fixed order.
    const RowBlocks blocks = pair_blocks(y.rows());
    std::vector<LocalSums> parts(blocks.blocks);
    for_each_pair_tile_of(ranks_.own_blocks(blocks), packed, packed, context,
                          [&](PairTile& tile) { parts[tile.row_block] += visit(tile); });
    ranks_.all_gather_rows(blocks, std::as_writable_bytes(std::span(sums.row(0), y.rows() * y.stride())));
    return sum_over_blocks(ranks_, blocks, std::move(parts));
}

std::uint64_t LocalPass::bytes(Index count, Offset near) {
    return TiledSparseMatrix::bytes(count, near) + 2 * sizeof(float) * std::uint64_t{count};
}

}  // namespace isogon
