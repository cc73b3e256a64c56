#include "isogon/matching/residual_pass.hpp"

#include <algorithm>

#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

/// The visitor of one pass: everything a tile needs.
class TileResidual {
public:
    TileResidual(const Similarities& s, std::vector<Offset>& cursors, const BlockVectors& in, BlockVectors& out,
                 BlockVectors* support_sums)
        : s_(s),
          cursors_(cursors),
          in_(in),
          out_(out),
          support_sums_(support_sums),
          parts_(pair_task_count(s.size())) {}

    void visit(PairTile& tile) {
        ResidualSums& sums = parts_[tile.task];
        TileHits hits;
        if (tile.first_in_block) {
            seek(tile);
        }
        take_support(tile, hits, sums);
        accumulate(tile, hits, out_);
        if (support_sums_ != nullptr) {
            std::fill_n(hits.values, hits.count, 1.0F);
            accumulate(tile, hits, *support_sums_);
        }
        collect_positive(tile.values, hits);
        take_violations(hits, sums);
        accumulate(tile, hits, out_);
    }

    /// All pairs i < j, in the order of the runs.
    [[nodiscard]] ResidualSums total() const {
        ResidualSums sum;
        for (const auto& part : parts_) {
            sum.support_squares += part.support_squares;
            sum.hinge_squares += part.hinge_squares;
            sum.hinge += part.hinge;
            sum.support_difference += part.support_difference;
            sum.violations += part.violations;
        }
        return sum;
    }

private:
    /// Sets each row's cursor to its first entry at or after the tile's first column.
    void seek(const PairTile& tile) {
        for (Index i = tile.first_row; i < tile.first_row + tile.rows; ++i) {
            const auto columns = s_.upper.row_indices(i);
            const auto place = std::lower_bound(columns.begin(), columns.end(), tile.first_column);
            cursors_[i] = s_.upper.offsets[i] + static_cast<Offset>(place - columns.begin());
        }
    }

    /// Moves the support's entries from the tile to `hits` as S - L, leaving zeros behind.
    void take_support(PairTile& tile, TileHits& hits, ResidualSums& sums) {
        hits.count = 0;
        const Index end = tile.first_column + tile.columns;
        for (Index i = 0; i < tile.rows; ++i) {
            const Index row = tile.first_row + i;
            Offset k = cursors_[row];
            const Offset last = s_.upper.offsets[row + 1];
            for (; k < last && s_.upper.indices[k] < end; ++k) {
                const Index j = s_.upper.indices[k] - tile.first_column;
                float& l = tile.values[i * tile_width + j];
                const float residual = s_.upper.values[k] - l;
                l = 0.0F;
                hits.places[hits.count] = i << tile_place_shift | j;
                hits.values[hits.count++] = residual;
                sums.support_squares += double{residual} * residual;
                sums.support_difference += double{residual};
            }
            cursors_[row] = k;
        }
    }

    static void take_violations(TileHits& hits, ResidualSums& sums) {
        double squares = 0.0;
        double total = 0.0;
        for (std::size_t h = 0; h < hits.count; ++h) {
            squares += double{hits.values[h]} * hits.values[h];
            total += double{hits.values[h]};
            hits.values[h] = -hits.values[h];
        }
        sums.hinge_squares += squares;
        sums.hinge += total;
        sums.violations += static_cast<double>(hits.count);
    }

    void accumulate(const PairTile& tile, const TileHits& hits, BlockVectors& out) const {
        accumulate_hits(hits, in_.row(tile.first_row), in_.row(tile.first_column), out.row(tile.first_row),
                        out.row(tile.first_column), in_.stride());
    }

    const Similarities& s_;
    std::vector<Offset>& cursors_;
    const BlockVectors& in_;
    BlockVectors& out_;
    BlockVectors* support_sums_;
    std::vector<ResidualSums> parts_;
};

void double_all(ResidualSums& sums) {
    for (double* sum :
         {&sums.support_squares, &sums.hinge_squares, &sums.hinge, &sums.support_difference, &sums.violations}) {
        *sum *= 2.0;
    }
}

void add_row(const BlockVectors& in, std::size_t i, float factor, BlockVectors& out) {
    for (std::size_t k = 0; k < in.columns(); ++k) {
        out.row(i)[k] += factor * in.row(i)[k];
    }
}

/// The diagonal's share: S_ii - L_ii where S_ii > 0, which is everywhere but at zero vectors, whose L_ii counts as a
/// violation.
void add_diagonal(const Similarities& s, const std::vector<double>& diagonal, const BlockVectors& in, BlockVectors& out,
                  BlockVectors* support_sums, ResidualSums& sums) {
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        if (s.diagonal[i] > 0.0F) {
            const double residual = double{s.diagonal[i]} - diagonal[i];
            sums.support_squares += residual * residual;
            sums.support_difference += residual;
            add_row(in, i, static_cast<float>(residual), out);
            if (support_sums != nullptr) {
                add_row(in, i, 1.0F, *support_sums);
            }
        } else if (diagonal[i] > 0.0) {
            sums.hinge_squares += diagonal[i] * diagonal[i];
            sums.hinge += diagonal[i];
            sums.violations += 1.0;
            add_row(in, i, static_cast<float>(-diagonal[i]), out);
        }
    }
}

}  // namespace

ResidualPass::ResidualPass(const Similarities& similarities) : s_(similarities), cursors_(similarities.size()) {}

ResidualSums ResidualPass::apply(const PackedLowRank& l, const BlockVectors& in, BlockVectors& out,
                                 BlockVectors* support_sums, const RunContext& context) {
    out.fill_zero();
    if (support_sums != nullptr) {
        support_sums->fill_zero();
    }
    TileResidual visitor(s_, cursors_, in, out, support_sums);
    for_each_pair_tile(l.left, l.right, context, [&](PairTile& tile) { visitor.visit(tile); });
    ResidualSums sums = visitor.total();
    double_all(sums);
    add_diagonal(s_, diagonal(l, context), in, out, support_sums, sums);
    return sums;
}

}  // namespace isogon
