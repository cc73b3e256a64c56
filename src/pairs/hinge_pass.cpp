#include "isogon/pairs/hinge_pass.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// The support's entries of a tile.
struct TileTargets {
    std::array<std::uint32_t, tile_size> places;  // NOLINT(*-member-init): the first `count` are filled
    std::array<float, tile_size> values;          // NOLINT(*-member-init): likewise
    std::size_t count = 0;
};

std::size_t flat(std::uint32_t place) {
    return (place >> tile_place_shift) * tile_width + (place & tile_place_mask);
}

/// Walks the support row by row as the tiles go by: each row remembers how far it has come.
class SupportWalk {
public:
    SupportWalk(const SparseMatrix& targets, std::vector<Offset>& cursors) : targets_(targets), cursors_(cursors) {}

    void read(const PairTile& tile, TileTargets& found) {
        if (tile.first_in_block) {
            seek(tile);
        }
        found.count = 0;
        const Index end = tile.first_column + tile.columns;
        for (Index i = 0; i < tile.rows; ++i) {
            const Index row = tile.first_row + i;
            const Offset last = targets_.offsets[row + 1];
            Offset k = cursors_[row];
            for (; k < last && targets_.indices[k] < end; ++k) {
                found.places[found.count] = i << tile_place_shift | (targets_.indices[k] - tile.first_column);
                found.values[found.count++] = targets_.values[k];
            }
            cursors_[row] = k;
        }
    }

private:
    /// Sets each row's cursor to its first entry at or after the tile's first column.
    void seek(const PairTile& tile) {
        for (Index i = tile.first_row; i < tile.first_row + tile.rows; ++i) {
            const auto columns = targets_.row_indices(i);
            const auto place = std::lower_bound(columns.begin(), columns.end(), tile.first_column);
            cursors_[i] = targets_.offsets[i] + static_cast<Offset>(place - columns.begin());
        }
    }

    const SparseMatrix& targets_;
    std::vector<Offset>& cursors_;
};

void accumulate(const PairTile& tile, const TileHits& hits, const BlockVectors& in, BlockVectors& out) {
    accumulate_hits(hits, in.row(tile.first_row), in.row(tile.first_column), out.row(tile.first_row),
                    out.row(tile.first_column), in.stride());
}

/// Turns the tile's L into R, and tells where R is not zero.
void take_residuals(PairTile& tile, TileTargets& targets, float balance, TilePlaces& places, HingeSums& sums) {
    for (std::size_t k = 0; k < targets.count; ++k) {
        float& l = tile.values[flat(targets.places[k])];
        const float residual = targets.values[k] - l;
        targets.values[k] = residual;
        l = 0.0F;
        sums.support_squares += double{residual} * residual;
        sums.support_difference += double{residual};
    }
    const HingeOfTile hinge = take_hinge(tile.values, -balance, places);
    sums.hinge_squares += hinge.squares;
    sums.hinge += hinge.sum;
    for (const std::uint64_t row : places.rows) {
        sums.violations += static_cast<double>(std::popcount(row));
    }
    for (std::size_t k = 0; k < targets.count; ++k) {
        const std::uint32_t place = targets.places[k];
        tile.values[flat(place)] = targets.values[k];
        places.rows[place >> tile_place_shift] |= std::uint64_t{1} << (place & tile_place_mask);
    }
}

/// M of the support as hits.
void take_support(const TileTargets& targets, TileHits& hits) {
    hits.count = targets.count;
    std::copy_n(targets.places.begin(), targets.count, hits.places);
    std::fill_n(hits.values, targets.count, 1.0F);
}

HingeSums sum_of(const std::vector<HingeSums>& parts) {
    HingeSums sum;
    for (const auto& part : parts) {
        sum.support_squares += part.support_squares;
        sum.hinge_squares += part.hinge_squares;
        sum.hinge += part.hinge;
        sum.support_difference += part.support_difference;
        sum.violations += part.violations;
    }
    return sum;
}

}  // namespace

HingeSums HingePass::apply(const PackedPoints& left, const PackedPoints& right, double balance, const BlockVectors& in,
                           BlockVectors& out, BlockVectors* support_sums, const RunContext& context) {
    out.fill_zero();
    if (support_sums != nullptr) {
        support_sums->fill_zero();
    }
    SupportWalk walk(targets_, cursors_);
    std::vector<HingeSums> parts(pair_task_count(left.count()));
    for_each_pair_tile(left, right, context, [&](PairTile& tile) {
        TileTargets targets;
        TilePlaces places;
        TileHits hits;
        walk.read(tile, targets);
        if (support_sums != nullptr) {
            take_support(targets, hits);
            accumulate(tile, hits, in, *support_sums);
        }
        take_residuals(tile, targets, static_cast<float>(balance), places, parts[tile.task]);
        list_hits(tile.values, places, hits);
        accumulate(tile, hits, in, out);
    });
    return sum_of(parts);
}

void HingePass::curvature(const PackedPoints& left, const PackedPoints& right, const PackedPoints& d_left,
                          const PackedPoints& d_right, double balance, const BlockVectors& in, BlockVectors& out,
                          const RunContext& context) {
    out.fill_zero();
    SupportWalk walk(targets_, cursors_);
    for_each_pair_tile(left, right, context, [&](PairTile& tile) {
        TileTargets targets;
        TilePlaces places;
        TileHits hits;
        HingeSums unused;
        walk.read(tile, targets);
        take_residuals(tile, targets, 1.0F, places, unused);
        alignas(64) std::array<float, tile_size> change;  // NOLINT(*-member-init): filled by the product
        const auto row_panel = static_cast<Index>(tile.first_row / panel_width);
        const auto column_panel = static_cast<Index>(tile.first_column / panel_width);
        multiply_panels(d_left.panel(row_panel), d_right.panel(column_panel), d_left.depth(), change.data(),
                        tile_width);
        for (std::size_t k = 0; k < targets.count; ++k) {
            targets.values[k] = change[flat(targets.places[k])];
        }
        for (float& value : change) {
            value *= static_cast<float>(balance);
        }
        for (std::size_t k = 0; k < targets.count; ++k) {
            change[flat(targets.places[k])] = targets.values[k];
        }
        list_hits(change.data(), places, hits);
        accumulate(tile, hits, in, out);
    });
}

}  // namespace isogon
