#pragma once
#include "distributed_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// min |K t - b| for a K whose rows are divided among ranks, and b's with them.
struct LeastSquaresProblem {
    const DistributedMatrix& k;
    Index own_columns;  ///< of K's, those whose part of the solution is the rank's
    const MultiVector<double>& b;
};

struct LeastSquaresOptions {
    double tolerance = 1e-4;  ///< on |K^T b - K^T K t| / |K^T b| of every column
    int iterations = 500;     ///< iterations of conjugate gradients, for each column
    bool factor = false;      ///< factor K^T K first, where that is affordable
};

struct LeastSquares {
    MultiVector<double> solution{};   ///< the columns that a rank owns
    std::vector<double> residuals{};  ///< by column of b, measured in the end; 0 where K^T b is 0
    int iterations = 0;               ///< iterations of the column that took the most
    bool factored = false;
    Termination termination = Termination::Converged;
    [[nodiscard]] double largest_residual() const;
};

/// Solves it by conjugate gradients on the normal equations with columns of length one (Jacobi's preconditioning), or
/// preconditioned by their factor. Columns of b are solved one after the other. A column of zeros gets zero; a K
/// without full rank serves. Ends with the best so far at the limit, or when the context of any rank ends the run. All
/// ranks call it.
[[nodiscard]] LeastSquares least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options,
                                         const RankGroup& ranks, const RunContext& context);

}  // namespace isogon
