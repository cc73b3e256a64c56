#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/hinge_pass.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

/// Sums over the unordered pairs i < j.
struct LocalSums {
    double near_squares = 0.0;  ///< of the pairs in `near`, after rho
    double off_squares = 0.0;   ///< of the pairs that are too near, after rho, with b
    double violations = 0.0;    ///< pairs in no list with |y_i - y_j| < max(r_i, r_j)

    LocalSums& operator+=(const LocalSums& part) {
        near_squares += part.near_squares;
        off_squares += part.off_squares;
        violations += part.violations;
        return *this;
    }
};

/// How much a pair counts: b for one that must stay apart against one to keep; and the step c of the robust loss
/// rho(t) = c log(1 + t / c) of squared relative deviations t, which gives up some pairs and keeps the others exactly.
/// Infinite: the squares themselves.
struct LossShape {
    double off_support_weight = 1.0;
    double robust_step = std::numeric_limits<double>::infinity();
};

/// The terms of single pairs. Squared distances q deviate by (q - D) / max(D, R / 20) from near targets D, with the
/// lower bound so that few very near pairs do not outweigh all others; by (R - q) / R where they are inside the squared
/// radius R of the pair. Distances below a thousandth of the mean radius count as that: duplicates have distance 0, and
/// so has the radius of a point with k of them.
class PairLoss {
public:
    /// `radii` are squared.
    PairLoss(const std::vector<float>& radii, const LossShape& shape);

    /// rho' a (D - q), with a the weight of the squared deviation: the pair's share of the negative gradient. Adds rho
    /// to the sums; null: the pair's other point does, and the logarithm is saved.
    double keep_distance(double target, double radius, double q, LocalSums* sums) const;
    /// The same for a pair that may not be nearer than the radius; 0 where it is not.
    double keep_apart(double radius, double q, LocalSums* sums) const;
    [[nodiscard]] double near_curvature(double target, double radius, double q) const {
        const double a = near_weight(target, radius);
        return a * slope(a * (q - target) * (q - target)) * std::max(q, 0.05 * radius);
    }
    [[nodiscard]] double apart_curvature(double radius, double q) const {
        const double a = of(radius);
        return off_support_weight_ * a * slope(a * (q - radius) * (q - radius)) * q;
    }
    [[nodiscard]] double near_weight(double target, double radius) const { return of(std::max(target, 0.05 * radius)); }

private:
    [[nodiscard]] double of(double squared) const {
        const double length = std::max(squared, least_);
        return 1.0 / (length * length);
    }
    [[nodiscard]] double rho(double squared_deviation) const;
    [[nodiscard]] double slope(double squared_deviation) const { return 1.0 / (1.0 + squared_deviation / step_); }

    double least_ = 0.0;
    double off_support_weight_;
    double step_;
};

/// The pairs to keep: squared distances of some pairs i < j, and for each point the squared radius r_i^2 inside which
/// no other point belongs. Pairs not listed are to stay at least max(r_i, r_j) apart (docs/mathematics.md).
struct LocalTargets {
    CsrMatrix<float> near;     ///< D_ij = d_ij^2, the pairs of which one is among the k nearest of the other
    std::vector<float> radii;  ///< r_i^2
    RankGroup ranks{};         ///< that share the passes
    bool divided = false;      ///< pairs of near panels have lists of their own (ListedPass)
};

/// With q_ij = |y_i - y_j|^2 and R_ij = max(r_i, r_j)^2, the objective (docs/mathematics.md)
///     f = sum_{near} rho(((q_ij - D_ij) / max(D_ij, R_ij / 20))^2) + b sum_{others} rho((max(0, R_ij - q_ij) /
///     R_ij)^2)
/// and its gradient, in one streaming pass over all pairs i < j, tile by tile, without a matrix of n x n.
///
/// A first look at a tile of products y_i.y_j in float32, or in few dimensions at PanelBoxes, finds the pairs that may
/// be too near; these and the pairs of the lists are then computed from differences y_i - y_j: nearest neighbours a
/// thousandth of the spread apart would be lost in the rounding of products. The same bits for any number of threads.
/// Memory: 6 bytes an entry of the lists, 8 bytes a tile. Time n^2 depth / 2 multiplications and additions, and some
/// ten nanoseconds for each pair found.
class LocalPass {
public:
    LocalPass(const LocalTargets& targets, const LossShape& shape);

    /// sums_i = sum_j g_ij (y_i - y_j), with g_ij of PairLoss: the gradient of f by y_i is -4 sums_i. Rows of `y` are
    /// points; `sums` gets their shape. Ranks share the work, as in HingePass.
    LocalSums apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context);

    [[nodiscard]] static std::uint64_t bytes(Index count, Offset near);

private:
    class Visit;
    using PairVisit = std::function<void(const PanelPair&, TilePlaces&)>;
    void for_each_pair_within_reach(const MultiVector<float>& y, const RunContext& context,
                                    const PairVisit& visit) const;
    void for_each_pair_by_products(const MultiVector<float>& y, const RunContext& context,
                                   const PairVisit& visit) const;

    TiledSparseMatrix near_;
    std::vector<float> radii_;  ///< padded to whole panels
    PairLoss loss_;
    RankGroup ranks_;
};

}  // namespace isogon
