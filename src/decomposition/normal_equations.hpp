#pragma once
#include <vector>

#include "decomposition/active_set.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The steps (P, Q) that Gauss and Newton take from (W, H^T) for the sum over the active set of (t_ij - w_i . h_j)^2:
/// (J^T J + damping) (P, Q) = J^T residual, with J (P, Q) = P H + W Q^T on the active set. J is never formed: a product
/// costs 12 r operations an entry. Preconditioned by the r x r blocks of J^T J that belong to one row of W or of H^T,
/// which a Cholesky factor in float32 inverts well enough.
class NormalEquations {
public:
    /// All of these must outlive this; ranks are multiples of 8 (rows filled up with zeros). O(entries r^2)
    /// time, 4 (m + n) r^2 bytes.
    NormalEquations(const ReluProblem& problem, const ActiveSet& active, const ReluFactors& factors,
                    RunContext context);

    [[nodiscard]] double squares() const { return squares_; }  ///< sum of squared residuals at the factors
    [[nodiscard]] const ReluFactors& gradient() const { return gradient_; }  ///< J^T residual
    /// The mean of the diagonal of J^T J over rows that have entries: the unit of the damping.
    [[nodiscard]] double mean_diagonal() const { return mean_diagonal_; }

    struct Step {
        ReluFactors change;
        double predicted = 0.0;  ///< by how much the linear model says that the squares fall
        int products = 0;
    };
    /// By conjugate gradients, until the preconditioned residual is below `tolerance` times that of the gradient, or
    /// after `most_products`. damping > 0. Throws Interruption.
    [[nodiscard]] Step solve(double damping, double tolerance, int most_products) const;

    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns, Index rank);

private:
    using Blocks = std::vector<float>;
    [[nodiscard]] Blocks grams(bool back);
    [[nodiscard]] Blocks factored(const Blocks& grams, double damping) const;
    void precondition(const Blocks& inverse, const WideVectors& in, WideVectors& out) const;
    void apply(const ReluFactors& in, double damping, ReluFactors& out) const;

    const ActiveSet& active_;
    const ReluFactors& factors_;
    RunContext context_;
    ReluFactors gradient_;
    Blocks left_grams_;   ///< of each row of W: sum of h_j h_j^T over its entries; r x r, row-major, lower triangle
    Blocks right_grams_;  ///< of each row of H^T
    double squares_ = 0.0;
    double mean_diagonal_ = 0.0;
};

}  // namespace isogon
