#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/linear_operator.hpp"

namespace isogon {

struct ConjugateGradientOptions {
    double tolerance = 1e-5;  ///< on |b - A x| / |b| of every column; float32 reaches 1e-6 on good problems only
    int iterations = 500;     ///< products with A at most, but for those that check the result
};

struct ConjugateGradientResult {
    BlockVectors solution;
    std::vector<double> residuals;  ///< |b - A x| / |b| by column, computed anew from the solution; 0 where b is 0
    std::vector<double> course;     ///< the largest of them after each iteration, as the recurrence has it
    int iterations = 0;
    /// Converged; IterationLimit; TimeLimit or Cancelled; Stalled where a column cannot be brought nearer in float32 or
    /// A turned out not to be positive definite along its direction.
    Termination termination = Termination::Converged;

    [[nodiscard]] double largest_residual() const;
};

/// Solves A X = B for a symmetric positive definite A and a block of right-hand sides by conjugate gradients (Hestenes
/// and Stiefel 1952). The columns share the products with A and nothing else: each has its own steps, and one that is
/// done stands still while the others go on. A semidefinite A serves where B lies in its range: X keeps the part of
/// `start` in the null space. Scale A so that its diagonal is 1 and this is Jacobi's preconditioning.
///
/// Vectors are float32, sums float64. Because recurrences drift from the truth in float32, a result is checked against
/// A itself, and the iteration begins anew from it until that agrees or stops improving. Never NaN: a column that
/// overflows is zero. Ended early, it returns the best so far, of which the error in the norm of A never rises.
/// Reports phase "extension" to the context. Memory: 4 blocks.
[[nodiscard]] ConjugateGradientResult conjugate_gradients(const LinearOperator& a, const BlockVectors& b,
                                                          BlockVectors start, const ConjugateGradientOptions& options,
                                                          const RunContext& context);

}  // namespace isogon
