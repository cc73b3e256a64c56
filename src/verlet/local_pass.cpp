#include "verlet/local_pass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "verlet/panel_boxes.hpp"

namespace isogon {

namespace {

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

/// Targets become hits first; then the places beside them.
void append_targets(const TiledSparseMatrix::Tile& targets, TilePlaces& places, TileEntries& hits) {
    for (std::size_t k = 0; k < targets.count; ++k) {
        const std::uint32_t place = targets.places[k];
        hits.places[hits.count++] = place;
        places.rows[place >> tile_place_shift] &= ~(std::uint64_t{1} << (place & tile_place_mask));
    }
    append_places(places, hits);
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
    Visit(const LocalPass& pass, const MultiVector<float>& y, MultiVector<float>& sums)
        : pass_(pass), y_(y), sums_(sums) {}

    /// At least the places of pairs that are too near are marked.
    LocalSums operator()(const PanelPair& pair, TilePlaces& places) const {
        const auto row = static_cast<Index>(pair.rows * tile_width);
        const auto column = static_cast<Index>(pair.columns * tile_width);
        const TiledSparseMatrix::Tile near = pass_.near_.tile(pair.rows, pair.columns);
        unmark_non_pairs(pair, {y_.rows(), y_.rows(), true}, places);
        TileEntries hits;
        hits.count = 0;
        append_targets(near, places, hits);
        square_differences(hits, y_.row(row), y_.row(column), y_.stride());
        const LocalSums sums = take_residuals(pass_.radii_.data() + row, pass_.radii_.data() + column, near, hits);
        accumulate_differences(hits, {y_.row(row), sums_.row(row)}, {y_.row(column), sums_.row(column)}, y_.stride());
        return sums;
    }

private:
    /// Replaces q of every hit by its share of the gradient.
    LocalSums take_residuals(const float* row_radii, const float* column_radii, const TiledSparseMatrix::Tile& near,
                             TileEntries& hits) const {
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
    const MultiVector<float>& y_;
    MultiVector<float>& sums_;
};

LocalPass::LocalPass(const LocalTargets& targets, const LossShape& shape)
    : near_(targets.near), radii_(targets.radii), loss_(targets.radii, shape), ranks_(targets.ranks) {
    radii_.resize(block_count(radii_.size(), tile_width) * tile_width);
}

LocalSums LocalPass::apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context) {
    set_zero(sums, y.rows(), y.columns());
    // One sum for each block of rows: no two concurrent visits share one, and all visits of one have a fixed order.
    const RowBlocks blocks = pair_blocks(y.rows());
    std::vector<LocalSums> parts(blocks.blocks);
    const Visit visit(*this, y, sums);
    const auto add = [&](const PanelPair& pair, TilePlaces& places) { parts[pair.row_block] += visit(pair, places); };
    if (y.columns() <= PanelBoxes::most_coordinates) {
        for_each_pair_within_reach(y, context, add);
    } else {
        for_each_pair_by_products(y, context, add);
    }
    ranks_.all_gather_rows(blocks, std::as_writable_bytes(std::span(sums.row(0), y.rows() * y.stride())));
    return sum_over_blocks(ranks_, blocks, std::move(parts));
}

/// In few dimensions, where boxes tell most pairs of panels apart.
void LocalPass::for_each_pair_within_reach(const MultiVector<float>& y, const RunContext& context,
                                           const PairVisit& visit) const {
    std::vector<float> radii(radii_.size());
    std::ranges::transform(radii_, radii.begin(), [](float square) { return std::sqrt(square); });
    const std::vector<float> skins(radii.size());
    const PanelBoxes boxes(y, radii, skins, context);
    const Range own = ranks_.own_blocks(pair_blocks(y.rows()));
    for_each_block_pair_of(own, y.rows(), context, [&](std::span<const PanelPair> pairs) {
        std::uint64_t within_reach = 0;
        Index first = 0;  // of the columns of these rows
        for (const PanelPair& pair : pairs) {
            if (pair.first_in_block) {
                first = pair.columns;
                within_reach = boxes.within_reach(boxes, pair.rows, first, pairs.back().columns - first + 1);
            }
            TilePlaces places{};
            const bool any = (within_reach >> (pair.columns - first) & 1) != 0 &&
                             boxes.mark_within_reach(boxes, pair.rows, pair.columns, places).any;
            if (any || near_.tile(pair.rows, pair.columns).count > 0) {
                visit(pair, places);
            }
        }
    });
}

void LocalPass::for_each_pair_by_products(const MultiVector<float>& y, const RunContext& context,
                                          const PairVisit& visit) const {
    const PackedPoints packed = pack(y.view(), {}, {}, context);
    const std::vector<float> squares = squared_norms(y);
    const Range own = ranks_.own_blocks(pair_blocks(y.rows()));
    for_each_pair_tile_of(own, packed, packed, context, [&](PairTile& tile) {
        TilePlaces places;  // NOLINT(*-member-init): filled by mark_inside
        const TileBalls balls{.row_squares = squares.data() + tile.first_row,
                              .column_squares = squares.data() + tile.first_column,
                              .row_radii = radii_.data() + tile.first_row,
                              .column_radii = radii_.data() + tile.first_column};
        mark_inside(tile.values, balls, places);
        visit({.rows = static_cast<Index>(tile.first_row / tile_width),
               .columns = static_cast<Index>(tile.first_column / tile_width),
               .row_block = tile.row_block},
              places);
    });
}

std::uint64_t LocalPass::bytes(Index count, Offset near) {
    return TiledSparseMatrix::bytes(count, near) + 4 * sizeof(float) * std::uint64_t{count};
}

}  // namespace isogon
