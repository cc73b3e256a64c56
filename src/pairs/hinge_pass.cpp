#include "pairs/hinge_pass.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

TiledSparseMatrix::TiledSparseMatrix(const CsrMatrix<float>& upper)
    : panels_(block_count(upper.rows, tile_width)),
      offsets_(panels_ * (panels_ + 1) / 2 + 1),
      places_(upper.entries()),
      values_(upper.entries()) {
    for (Index p = 0; p < panels_; ++p) {
        order_panel(upper, p);
    }
}

/// The entries of 48 rows keep their range of the arrays; only their order within it changes.
void TiledSparseMatrix::order_panel(const CsrMatrix<float>& upper, Index panel) {
    const auto rows = block_range(panel, upper.rows, tile_width);
    Offset* ends = offsets_.data() + tile_number(panel, panel) + 1;  // of this panel's tiles
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        for (const Index j : upper.row_indices(static_cast<Index>(i))) {
            ++ends[j / tile_width - panel];
        }
    }
    std::vector<Offset> next(panels_ - panel);
    Offset sum = upper.offsets[rows.begin];
    for (std::size_t q = 0; q < next.size(); ++q) {
        next[q] = sum;
        sum += ends[q];
        ends[q] = sum;
    }
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const auto columns = upper.row_indices(static_cast<Index>(i));
        const auto values = upper.row_values(static_cast<Index>(i));
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Offset slot = next[columns[k] / tile_width - panel]++;
            places_[slot] = static_cast<std::uint16_t>((i - rows.begin) << tile_place_shift | columns[k] % tile_width);
            values_[slot] = values[k];
        }
    }
}

std::uint64_t TiledSparseMatrix::bytes(Index count, Offset entries) {
    const std::uint64_t panels = block_count(count, tile_width);
    return entries * (sizeof(std::uint16_t) + sizeof(float)) + panels * (panels + 1) / 2 * sizeof(Offset);
}

namespace {

std::size_t flat(std::uint32_t place) {
    return (place >> tile_place_shift) * tile_width + (place & tile_place_mask);
}

/// The inputs of one tile besides its products.
struct Scratch {
    std::array<float, tile_size> residuals;  // NOLINT(*-member-init): as many as the tile has targets are filled
    TilePlaces places;                       // NOLINT(*-member-init): filled by take_residuals
    TileEntries hits;
};

void accumulate(const PairTile& tile, const TileEntries& hits, const MultiVector<float>& in, MultiVector<float>& out) {
    accumulate_hits(hits, {in.row(tile.first_row), out.row(tile.first_row)},
                    {in.row(tile.first_column), out.row(tile.first_column)}, in.stride());
}

/// Replaces the tile of L by R; returns where R is not zero.
void take_residuals(PairTile& tile, const TiledSparseMatrix::Tile& targets, float off_support_weight, Scratch& scratch,
                    HingeSums& sums) {
    for (std::size_t k = 0; k < targets.count; ++k) {
        float& l = tile.values[flat(targets.places[k])];
        const float residual = targets.values[k] - l;
        scratch.residuals[k] = residual;
        l = 0.0F;
        sums.support_squares += double{residual} * residual;
        sums.support_difference += double{residual};
    }
    const HingeOfTile hinge = take_hinge(tile.values, -off_support_weight, scratch.places);
    sums.hinge_squares += hinge.squares;
    sums.hinge += hinge.sum;
    for (std::size_t k = 0; k < targets.count; ++k) {
        const std::uint32_t place = targets.places[k];
        tile.values[flat(place)] = scratch.residuals[k];
        scratch.places.rows[place >> tile_place_shift] |= std::uint64_t{1} << (place & tile_place_mask);
    }
}

/// M of the support as hits.
void take_support(const TiledSparseMatrix::Tile& targets, TileEntries& hits) {
    hits.count = targets.count;
    std::copy_n(targets.places, targets.count, hits.places);
    std::fill_n(hits.values, targets.count, 1.0F);
}

TiledSparseMatrix::Tile targets_of(const TiledSparseMatrix& targets, const PairTile& tile) {
    return targets.tile(static_cast<Index>(tile.first_row / tile_width),
                        static_cast<Index>(tile.first_column / tile_width));
}

}  // namespace

/// The sums of a point are complete on the rank that owns it only: all ranks receive them from there.
void HingePass::gather_rows(MultiVector<float>& out) const {
    ranks_.all_gather_rows(pair_blocks(out.rows()),
                           std::as_writable_bytes(std::span(out.row(0), out.rows() * out.stride())));
}

HingeSums HingePass::apply(const PackedLowRank& l, const MultiVector<float>& in, MultiVector<float>& out,
                           MultiVector<float>* support_sums, const RunContext& context) {
    set_zero(out, in.rows(), in.columns());
    if (support_sums != nullptr) {
        support_sums->fill_zero();
    }
    // One sum for each block of rows: no two concurrent visits share a block, and all visits of a block have a fixed
    // order.
    const RowBlocks blocks = pair_blocks(l.left.count());
    std::vector<HingeSums> parts(blocks.blocks);
    const auto visit = [&](PairTile& tile) {
        const TiledSparseMatrix::Tile targets = targets_of(targets_, tile);
        Scratch scratch;
        if (support_sums != nullptr) {
            take_support(targets, scratch.hits);
            accumulate(tile, scratch.hits, in, *support_sums);
        }
        HingeSums sums;
        take_residuals(tile, targets, off_support_weight_, scratch, sums);
        list_hits(tile.values, scratch.places, scratch.hits);
        sums.violations += static_cast<double>(scratch.hits.count - targets.count);
        parts[tile.row_block] += sums;
        accumulate(tile, scratch.hits, in, out);
    };
    for_each_pair_tile_of(ranks_.own_blocks(blocks), l.left, l.right, context, visit);
    gather_rows(out);
    if (support_sums != nullptr) {
        gather_rows(*support_sums);
    }
    return sum_over_blocks(ranks_, blocks, std::move(parts));
}

}  // namespace isogon
