#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

struct ConjugateGradientOptions {
    double tolerance = 1e-5;  ///< on |b - A x| / |b| of every column; float32 reaches 1e-6 on good problems only
    int iterations = 500;     ///< most products with A, besides those that check the result
};

struct ConjugateGradientResult {
    MultiVector<float> solution;
    std::vector<double> residuals;  ///< |b - A x| / |b| by column, recomputed from the solution; 0 where b is 0
    std::vector<double> course;     ///< the largest after each iteration, by the recurrence
    int iterations = 0;
    /// Converged; IterationLimit; TimeLimit or Cancelled; Stalled if a column does not improve further in float32 or A
    /// is not positive definite along its direction.
    Termination termination = Termination::Converged;

    [[nodiscard]] double largest_residual() const;
};

/// Solves A X = B for a symmetric positive definite A and a block of right-hand sides by conjugate gradients (Hestenes
/// and Stiefel 1952). The columns share the products with A and nothing else: each has its own step lengths, and
/// converged columns stay fixed. A semidefinite A is allowed if B lies in its range: X keeps the component of `start`
/// in the null space. For Jacobi preconditioning scale A to a unit diagonal.
///
/// Vectors are float32, sums float64. As the recurrence diverges from the true residual in float32, the residual is
/// recomputed from A, and the iteration restarts from the result until both agree or it stops improving. Never NaN: a
/// column that overflows becomes zero. If ended early, it returns the best so far; the error in the norm of A never
/// increases. Reports phase "extension" to the context. Memory: 4 blocks.
[[nodiscard]] ConjugateGradientResult conjugate_gradients(const LinearOperator<float>& a, const MultiVector<float>& b,
                                                          MultiVector<float> start,
                                                          const ConjugateGradientOptions& options,
                                                          const RunContext& context);

}  // namespace isogon
