#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "linalg/block_iteration.hpp"
#include "linalg/eigenproblem.hpp"
#include "linalg/multi_vector.hpp"

// Direct methods for eigenproblems: solution by dense matrices, and factors of A + shift B as preconditioners.
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

/// (A + shift B)^-1 by a factor, for the smallest end of a problem, and the kind of factor.
struct ShiftedFactor {
    Preconditioner solver{};  ///< empty if there is no factor
    EigenMethod method = EigenMethod::Krylov;
};

/// A sparse factor in float64; null if the elimination would take more than `most_operations`, or more than half of
/// the memory limit.
[[nodiscard]] ShiftedFactor sparse_factor(const CsrMatrix<double>& shifted, double most_operations,
                                          const RunContext& context);

/// A dense factor in float32, for matrices whose sparse factor would have nearly n^2 / 2 entries. Null above the
/// memory limit, above 40,000 rows (where a factor takes longer than it saves), or if the matrix is not positive
/// definite in float32.
[[nodiscard]] ShiftedFactor dense_factor(const CsrMatrix<double>& shifted, const RunContext& context);

}  // namespace isogon
