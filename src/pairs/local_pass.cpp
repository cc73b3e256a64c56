#include "isogon/pairs/local_pass.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "pairs/local_tiles.hpp"

namespace isogon {

namespace {

/// The places of some targets become hits; they are excluded from what is found by products.
void append_targets(const TiledSparseMatrix::Tile& targets, float* products, TileEntries& hits) {
    for (std::size_t k = 0; k < targets.count; ++k) {
        const std::uint32_t place = targets.places[k];
        hits.places[hits.count++] = place;
        products[(place >> tile_place_shift) * tile_width + (place & tile_place_mask)] = unreachable_product;
    }
}

}  // namespace

DeviationWeights::DeviationWeights(DeviationScale scale, const std::vector<float>& radii) : scale_(scale) {
    constexpr double share = 1e-6;  // of squared lengths
    const double sum = std::accumulate(radii.begin(), radii.end(), 0.0);
    least_ = share * (sum > 0.0 ? sum / static_cast<double>(radii.size()) : 1.0);
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
        const TiledSparseMatrix::Tile far = pass_.far_weight_ > 0.0 ? pass_.far_.tile(row, column) : none_;
        exclude_what_is_no_pair(tile);
        TileEntries hits;
        hits.count = 0;
        append_targets(near, tile.values, hits);
        append_targets(far, tile.values, hits);
        append_non_neighbors(tile, hits);
        square_differences(hits, y_.row(tile.first_row), y_.row(tile.first_column), y_.stride());
        const LocalSums sums = take_residuals(tile, near, far, hits);
        accumulate_differences(hits, y_.row(tile.first_row), y_.row(tile.first_column), sums_.row(tile.first_row),
                               sums_.row(tile.first_column), y_.stride());
        return sums;
    }

private:
    void append_non_neighbors(const PairTile& tile, TileEntries& hits) const {
        TilePlaces places;  // NOLINT(*-member-init): filled by mark_inside
        const TileBalls balls{.row_squares = squares_.data() + tile.first_row,
                              .column_squares = squares_.data() + tile.first_column,
                              .row_radii = pass_.radii_.data() + tile.first_row,
                              .column_radii = pass_.radii_.data() + tile.first_column,
                              .least_radius = pass_.far_radius_};
        mark_inside(tile.values, balls, places);
        append_places(places, hits);
    }

    /// Replaces q of every hit by its R.
    LocalSums take_residuals(const PairTile& tile, const TiledSparseMatrix::Tile& near,
                             const TiledSparseMatrix::Tile& far, TileEntries& hits) const {
        const float* row_radii = pass_.radii_.data() + tile.first_row;
        const float* column_radii = pass_.radii_.data() + tile.first_column;
        const double w = pass_.far_weight_;
        LocalSums sums;
        for (std::size_t h = 0; h < hits.count; ++h) {
            const double q = double{hits.values[h]};
            const double radius = std::max(double{row_radii[hits.places[h] >> tile_place_shift]},
                                           double{column_radii[hits.places[h] & tile_place_mask]});
            double residual = 0.0;
            if (h < near.count) {
                const double target = double{near.values[h]};
                residual = keep_distance(pass_.weights_, target, radius, q, sums) +
                           (w > 0.0 ? global_residual(target, pass_.weights_.near(target, radius), q, sums) : 0.0);
            } else if (h < near.count + far.count) {
                const double target = double{far.values[h - near.count]};
                const double a = w * pass_.weights_.near(target, radius);
                residual = a * (target - q) + apart(radius, q, 1.0, sums);
                sums.far_squares += a * square(target - q);
            } else {
                residual = apart(radius, q, 1.0, sums) + (w > 0.0 ? apart(double{pass_.far_radius_}, q, w, sums) : 0.0);
                sums.violations += q < radius ? 1.0 : 0.0;
            }
            hits.values[h] = static_cast<float>(residual);
        }
        return sums;
    }

    /// R of a near pair in the global form, with w: its target where it is inside the global radius.
    double global_residual(double target, double a, double q, LocalSums& sums) const {
        const double w = pass_.far_weight_;
        if (!(target < double{pass_.far_radius_})) {
            return apart(double{pass_.far_radius_}, q, w, sums);
        }
        sums.far_squares += w * a * square(target - q);
        return w * a * (target - q);
    }

    double apart(double radius, double q, double weight, LocalSums& sums) const {
        return keep_apart(pass_.weights_, radius, q, weight * pass_.off_support_weight_, sums);
    }

    const LocalPass& pass_;
    const std::vector<float>& squares_;
    const MultiVector<float>& y_;
    MultiVector<float>& sums_;
    TiledSparseMatrix::Tile none_;
};

LocalPass::LocalPass(const LocalTargets& targets, DeviationScale scale, double off_support_weight)
    : near_(targets.near),
      far_(targets.far_weight > 0.0 ? targets.far : CsrMatrix<float>{}),
      radii_(padded(targets.radii)),
      far_radius_(targets.far_weight > 0.0 ? targets.far_radius : 0.0F),
      far_weight_(targets.far_weight),
      off_support_weight_(off_support_weight),
      weights_(scale, targets.radii),
      scale_(scale),
      ranks_(targets.ranks) {}

LocalSums LocalPass::apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context) {
    set_zero(sums, y.rows(), y.columns());
    const PackedPoints packed = pack(y.view(), {}, {}, context);
    const std::vector<float> squares = squared_norms(y, scale_);
    const Visit visit(*this, squares, y, sums);
    // One sum for each block of rows: no two concurrent visits share one, and all visits of one have a fixed order.
    const RowBlocks blocks = pair_blocks(y.rows());
    std::vector<LocalSums> parts(blocks.blocks);
    for_each_pair_tile_of(ranks_.own_blocks(blocks), packed, packed, context,
                          [&](PairTile& tile) { parts[tile.row_block] += visit(tile); });
    ranks_.all_gather_rows(blocks, std::as_writable_bytes(std::span(sums.row(0), y.rows() * y.stride())));
    ranks_.all_gather_blocks(blocks, std::as_writable_bytes(std::span(parts)));
    LocalSums total;
    for (const LocalSums& part : parts) {
        total += part;
    }
    return total;
}

std::uint64_t LocalPass::bytes(Index count, Offset near, Offset far) {
    return TiledSparseMatrix::bytes(count, near) + (far > 0 ? TiledSparseMatrix::bytes(count, far) : 0) +
           2 * sizeof(float) * std::uint64_t{count};
}

}  // namespace isogon
