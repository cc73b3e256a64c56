#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

/// An orthonormal basis, n x (m - 1), of what centred combinations of Q's columns span, for a Q, n x m, with an
/// identity in some of its rows and rows that sum to one: then Q^T Q is at least I, and of all directions only Q 1 = 1
/// is removed with the mean. O(n m^2); the same bits for any number of threads.
[[nodiscard]] MultiVector<double> centred_basis(const MultiVector<double>& q, const RunContext& context);

/// Bounds |y_i - y_j|^2 <= b_ij on outputs y = P F of points with a basis P, n x N: far too many for a solver, which
/// gets a few of them. In the solver's terms v^T X v <= 1 with v = (p_i - p_j) / sqrt(b_ij) and F F^T = X, in a unit of
/// X in which |v|^2 has the median 1. Borrows its arguments.
class DistanceMonitor {
public:
    /// Throws InvalidArgument for pairs that are not of these points and bounds that are not above 0. O(count N).
    DistanceMonitor(const MultiVector<double>& basis, const DistanceConstraints& constraints, RunContext context);

    [[nodiscard]] std::size_t size() const { return constraints_.size(); }
    /// The size of X = 1 in the unit of K: Y Y^T = unit P X P^T.
    [[nodiscard]] double unit() const { return unit_; }

    /// |y_i - y_j|^2 / b_ij of every pair.
    [[nodiscard]] std::vector<double> ratios(const MultiVector<double>& outputs) const;

    /// N constraints whose v span all N dimensions, fewer where there are none: the longest v first, then always the
    /// one that is farthest from the span of those before (Gram-Schmidt with pivots). Ascending. O(N (n N + count)).
    [[nodiscard]] std::vector<std::size_t> spanning() const;

    /// v of some constraints, as rows of a program.
    [[nodiscard]] CsrMatrix<double> vectors(const std::vector<std::size_t>& chosen) const;

private:
    [[nodiscard]] std::vector<double> vector(std::size_t a) const;

    const MultiVector<double>& basis_;
    const DistanceConstraints& constraints_;
    RunContext context_;  // a copy: the argument of the constructor may be a temporary
    double unit_ = 1.0;
};

/// An upper bound on the trace of X >= 0 with v_a^T X v_a <= 1: b.y of the dual y, negative entries set to 0, scaled
/// until sum_a y_a v_a v_a^T >= I. Infinite where no scaling achieves that.
[[nodiscard]] double trace_bound(const CsrMatrix<double>& vectors, const std::vector<double>& prices);

}  // namespace isogon
