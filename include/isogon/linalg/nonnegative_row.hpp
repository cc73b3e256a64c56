#pragma once
#include <span>
#include <vector>

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

}  // namespace isogon
