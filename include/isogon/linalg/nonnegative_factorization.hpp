#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// When coordinate descent on a row ends.
struct DescentEnd {
    int sweeps = 1000;    ///< most sweeps over all coordinates
    double share = 1e-9;  ///< or once a sweep moves by less than this share of what the first one moved by
};

/// Nonnegative least squares, one row after the other: min over w >= 0 of |x - w H|^2, by coordinate descent. It sees H
/// and x only as G = H H^T and p = x H^T, and each coordinate goes to its best value while the others stay (HALS:
/// Cichocki and Phan 2009), so the objective never rises. Holds a workspace: one for each thread.
class NonnegativeRow {
public:
    /// `gram` is G, d x d, and must outlive this.
    explicit NonnegativeRow(const DenseMatrix& gram);

    /// Improves `weights` (d, none negative) for `products` p (d). Moves are measured as |dw H|, coordinate by
    /// coordinate. A coordinate whose row of H is zero, or 1e-7 of the longest, keeps its weight. Returns whether the
    /// share was reached. O(d^2) time a sweep.
    bool improve(std::span<const double> products, std::span<double> weights, const DescentEnd& end);

private:
    double sweep(std::span<double> weights);

    const DenseMatrix& gram_;
    double smallest_ = 0.0;         ///< of G_kk that counts
    std::vector<double> gradient_;  ///< G w - p
};

/// When a factorisation ends.
struct FactorizationEnd {
    int iterations = 200;
    /// Or after ten updates in a row of which each made |X - W H| fall by a smaller share of itself; 0: never.
    double tolerance = 1e-4;
};

/// X ~ W H with X (n x D), W (n x d) and H (d x D) nonnegative: least squares by HALS (Cichocki and Phan 2009), each
/// factor in turn row by row (NonnegativeRow), with several sweeps for each product with X, as Gillis and Glineur 2012
/// found faster, and from an H extrapolated along its last move (Ang and Gillis 2019), which on digits takes a fourth
/// of the updates. An update visits X once, block of rows by block: X H^T, the rows of W, then their part of X^T W. The
/// objective never rises but for the rounding of float32: an update that would raise it is taken back.
class NonnegativeFactorization {
public:
    /// `parts` is H^T (D x d), where to begin; W begins at 0. `x` must outlive this. O(n D) time.
    NonnegativeFactorization(const PointsView& x, BlockVectors parts, const RunContext& context);

    /// Updates until an end is reached; throws Interruption when the context asks for it, after which parts() still
    /// are those of the last whole update. 2 n D d multiplications an update, and n d^2 for each sweep.
    Termination run(const FactorizationEnd& end);

    /// W, n x d.
    [[nodiscard]] const BlockVectors& weights() const { return weights_; }
    /// H^T, D x d: rows of H are of unit length, or zero.
    [[nodiscard]] const BlockVectors& parts() const { return parts_; }
    /// |X - W H| / |X| after the last update (1 before the first), from |X|^2 - 2 <X, W H> + |W H|^2: below about 1e-3
    /// it is rounding.
    [[nodiscard]] double relative_residual() const { return residual_; }
    /// One record an update: relative_residual() and by what share of itself it fell.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Index rank);

private:
    struct Sums;
    /// How far H is extrapolated; constants of Ang and Gillis 2019.
    struct Momentum {
        double value = 0.5;
        double bound = 1.0;
        void grow();
        void shrink();
    };
    void update();
    void extrapolate();
    Sums update_weights();
    void update_block(std::size_t block, const DenseMatrix& factor, Sums& sums);
    void update_parts(const Sums& sums);
    void measure(const Sums& sums);
    void normalize();

    PointsView x_;
    RunContext context_;
    BlockVectors weights_;
    BlockVectors parts_;
    BlockVectors previous_;  ///< H^T before the last update; empty: the next one is a plain one
    Momentum momentum_;
    double squares_ = 0.0;  ///< |X|^2
    double residual_ = 1.0;
    std::vector<IterationRecord> trace_;
};

/// |X - W H|^2 by its definition, block of rows by block, summed in float64. `parts` is H^T. n D d time.
[[nodiscard]] double squared_distance_to_product(const PointsView& x, const PointsView& weights,
                                                 const BlockVectors& parts, const RunContext& context);

/// Some rows of points, as products want them. Rows are multiplied by `factors`, one a row; empty: by 1.
[[nodiscard]] BlockVectors aligned_rows(const PointsView& x, Index first, Index count,
                                        std::span<const double> factors = {});

}  // namespace isogon
