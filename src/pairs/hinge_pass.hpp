#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

/// A sparse symmetric matrix (entries i < j) in the order in which a pass over all pairs reads it: tile by tile, and
/// row by row within a tile. Reading a tile of 48 x 48 from compressed rows touches 48 distant memory locations, which
/// took a quarter of a pass at d = 16. Memory: 6 bytes an entry, 8 bytes a tile (n^2 / 288).
class TiledSparseMatrix {
public:
    /// The entries of one tile: row * 64 + column, ascending, and their values.
    struct Tile {
        const std::uint16_t* places = nullptr;
        const float* values = nullptr;
        std::size_t count = 0;
    };

    /// `upper` holds entries i < j. O(entries + tiles) time.
    explicit TiledSparseMatrix(const CsrMatrix<float>& upper);

    /// The entries of the tile of row panel `row` and column panel `column`, row <= column.
    [[nodiscard]] Tile tile(Index row, Index column) const {
        const std::size_t t = tile_number(row, column);
        return {places_.data() + offsets_[t], values_.data() + offsets_[t],
                static_cast<std::size_t>(offsets_[t + 1] - offsets_[t])};
    }

    [[nodiscard]] static std::uint64_t bytes(Index count, Offset entries);

private:
    /// Tiles on and above the diagonal are numbered row by row.
    [[nodiscard]] std::size_t tile_number(Index row, Index column) const {
        return std::size_t{row} * panels_ - std::size_t{row} * (std::size_t{row} + 1) / 2 + column;
    }
    void order_panel(const CsrMatrix<float>& upper, Index panel);

    std::size_t panels_ = 0;
    std::vector<Offset> offsets_;
    std::vector<std::uint16_t> places_;
    std::vector<float> values_;
};

/// Sums over the unordered pairs i < j.
struct HingeSums {
    double support_squares = 0.0;     ///< sum of (T_ij - L_ij)^2 on the support
    double hinge_squares = 0.0;       ///< sum of max(0, L_ij)^2 off it
    double hinge = 0.0;               ///< sum of max(0, L_ij) off it
    double support_difference = 0.0;  ///< sum of T_ij - L_ij on it
    double violations = 0.0;          ///< pairs with L_ij > 0 off it

    HingeSums& operator+=(const HingeSums& part) {
        support_squares += part.support_squares;
        hinge_squares += part.hinge_squares;
        hinge += part.hinge;
        support_difference += part.support_difference;
        violations += part.violations;
        return *this;
    }
};

/// The pair kernel: all products L_ij = left_i . right_j (symmetric) against sparse targets T_ij,
///     f = sum_{i<j on the support} (L_ij - T_ij)^2 + b sum_{i<j off it} max(0, L_ij)^2,
/// in one streaming pass over all pairs, tile by tile while in cache, without any matrix of n x n. The residuals
///     R_ij = T_ij - L_ij on the support, -b max(0, L_ij) off it
/// are applied to a block of vectors at once: with L = W J W^T the gradient of 2 f is -4 R W J.
///
/// One kernel serves points on spheres (L_ij = u_i.u_j - tau) and TSM's L.
/// float32 products and float64 sums; the same bits for any number of threads. Memory: 6 bytes an entry of the support.
/// Time n^2 depth / 2 multiplications and additions, and a few nanoseconds for each nonzero of R.
class HingePass {
public:
    /// `targets` holds T_ij for i < j, and its pattern is the support; it is copied into tile order
    /// (TiledSparseMatrix). `off_support_weight` is b; `ranks` share the work.
    HingePass(const CsrMatrix<float>& targets, double off_support_weight, const RankGroup& ranks = {})
        : targets_(targets), off_support_weight_(static_cast<float>(off_support_weight)), ranks_(ranks) {}

    /// out = R in (n rows), which gets the shape of `in`. `support_sums`, if not null, receives M in, with M_ij = 1 on
    /// the support. All ranks receive the whole result with the bits of a single one: the sums of a point are computed
    /// by the rank that owns its block (pair_blocks), in the same order. A pair of blocks of two ranks is computed by
    /// both. A rank needs the targets of its local points only.
    HingeSums apply(const PackedLowRank& l, const MultiVector<float>& in, MultiVector<float>& out,
                    MultiVector<float>* support_sums, const RunContext& context);

private:
    void gather_rows(MultiVector<float>& out) const;

    TiledSparseMatrix targets_;
    float off_support_weight_;
    RankGroup ranks_;
};

}  // namespace isogon
