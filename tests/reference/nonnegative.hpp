#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "support/dense_matrices.hpp"

/// Slow twins of the nonnegative factorisation, and matrices for it, in float64.
namespace isogon::reference {

/// Uniform entries in [0, 1).
support::Matrix uniform_matrix(Index rows, Index columns, std::uint64_t seed);

/// A product of nonnegative factors in which every row of H is also a row of X, `scale` long: such X has one
/// factorisation only, and that can be found.
support::Matrix separable_matrix(Index rows, Index columns, Index rank, std::uint64_t seed);

/// HALS as printed: column k of W and row k of H, each to its best while all else stays, `updates` times over.
double hals_residual(const support::Matrix& x, support::Matrix w, support::Matrix h, int updates);

/// min |x - w H| over w >= 0 for each row of X: of all sets of rows of H, the best whose least squares are positive.
support::Matrix best_weights(const support::Matrix& x, const support::Matrix& h);

/// How far W is from the conditions of Karush, Kuhn and Tucker for min |X - W H| over W >= 0, over the entries of X
/// H^T: the gradient where it is negative, or where W is positive.
double kkt_violation(const support::Matrix& x, const support::Matrix& w, const support::Matrix& h);

}  // namespace isogon::reference
