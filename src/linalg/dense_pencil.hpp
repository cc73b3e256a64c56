#pragma once
#include <optional>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/linalg/eigenproblem.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Solutions of A x = lambda B x: X^T B X = I.
struct PencilSolution {
    MultiVector<double> vectors{};
    std::vector<double> values{};  ///< ascending
    double largest = 0.0;          ///< largest magnitude of all eigenvalues
};

/// The `count` smallest solutions of a problem of a few hundred rows: with B = L L^T, the eigenpairs of L^-1 A L^-T
/// (Golub and Van Loan, "Matrix computations", 4th edition, section 8.7.2). The columns of `deflation`, known
/// solutions to exclude, are shifted beyond the largest eigenvalue. Empty if B is not positive definite in float64.
/// About 10 n^3 operations.
[[nodiscard]] std::optional<PencilSolution> solve_pencil(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                                         const MultiVector<double>& deflation, Index count);

/// solve() by dense matrices: by a factor of B if entries are available, else by projection on the complement of
/// `deflation`. At the largest end the values are those of -A, ascending. Throws Interruption.
[[nodiscard]] Eigenpairs solve_dense(const EigenProblem& problem, const EigenOptions& options,
                                     const RunContext& context);

}  // namespace isogon
