#pragma once
#include <limits>
#include <vector>

#include "decomposition/relu_factors.hpp"
#include "decomposition/relu_problem.hpp"
#include "decomposition/row_newton.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The Gauss-Newton step (P, Q) from (W, H^T) for the sum over the active set of (t_ij - w_i . h_j)^2: (J^T J +
/// damping) (P, Q) = J^T residual, with J (P, Q) = P H + W Q^T on the active set. J is never formed: a product costs
/// 12 r operations an entry. The preconditioner is the block diagonal of J^T J with one r x r block for each row of W
/// and of H^T, factored in float32, which is precise enough for a preconditioner.
class NormalEquations {
public:
    /// All arguments must outlive this; ranks are multiples of 8 (rows padded with zeros). O(entries r^2) time, 4 (m +
    /// n) r^2 bytes.
    NormalEquations(const ReluProblem& problem, const ActiveSet& active, const ReluFactors& factors,
                    RunContext context);

    [[nodiscard]] double squares() const { return squares_; }  ///< sum of squared residuals at the factors
    [[nodiscard]] const ReluFactors& gradient() const { return gradient_; }  ///< J^T residual
    /// The mean of the diagonal of J^T J over rows that have entries: the unit of the damping.
    [[nodiscard]] double mean_diagonal() const { return mean_diagonal_; }

    struct Step {
        ReluFactors change;
        double predicted = 0.0;  ///< the decrease of the squares by the linear model
        int products = 0;
    };
    /// Solves by conjugate gradients, until the preconditioned residual is below `tolerance` times that of the
    /// gradient, or after `most_products`. damping > 0. Throws Interruption.
    [[nodiscard]] Step solve(double damping, double tolerance, int most_products) const;

    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns, Index rank);

private:
    using Blocks = std::vector<float>;
    [[nodiscard]] Blocks grams(bool back);
    [[nodiscard]] Blocks factored(const Blocks& grams, double damping) const;
    void precondition(const Blocks& inverse, const MultiVector<double>& in, MultiVector<double>& out) const;
    void apply(const ReluFactors& in, double damping, ReluFactors& out) const;

    const ActiveSet& active_;
    const ReluFactors& factors_;
    RunContext context_;
    ReluFactors gradient_;
    Blocks left_grams_;   ///< for each row of W: sum of h_j h_j^T over its entries; r x r, row-major, lower triangle
    Blocks right_grams_;  ///< for each row of H^T
    double squares_ = 0.0;
    double mean_diagonal_ = 0.0;
};

/// This project's own method. |Z - L|^2 minimised over Z is sum_S (s - w.h)^2 + sum_off max(0, w.h)^2: a sum of
/// squares over the active set, smooth but for jumps of the second derivative. Damped Gauss-Newton steps
/// (Levenberg-Marquardt) change W and H together. They are solved by conjugate gradients that visit only active
/// entries; the damping follows Nielsen 1999. Block updates assume that all entries are active (curvature H H^T). For
/// a sparse S this overestimates the curvature by the inverse of the density; Gauss-Newton uses the curvature of each
/// row. The objective never increases, and convergence to an exact L is quadratic.
///
/// An update: two passes over all entries, 2 m n r, and products of 12 r operations an active entry. Where the active
/// set exceeds the capacity, before or after a step, the update instead moves the rows of W, then those of H^T, each
/// row separately (row_newton.hpp). It continues so while the squared error decreases to at most 0.75^2 of its value.
class GaussNewton : public ReluUpdate {
public:
    /// `problem` must outlive this. Where the active set would exceed `capacity` entries, an update moves each row
    /// separately.
    GaussNewton(const ReluProblem& problem, ReluFactors start, Offset capacity, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }
    [[nodiscard]] bool at_rest() const override { return at_rest_; }
    [[nodiscard]] int products() const { return products_; }  ///< products in conjugate gradients, in all

private:
    void step_by_rows();
    void damped_step(const ActiveSet& active);
    void adapt_damping(double ratio);

    const ReluProblem& problem_;
    ReluFactors factors_;
    Offset capacity_;
    RunContext context_;
    bool by_rows_ = false;
    double squares_ = std::numeric_limits<double>::infinity();  ///< after the last update by rows
    double damping_ = 1e-2;  ///< in units of the mean diagonal of J^T J; adaptive, any start below 1 will do
    double raise_ = 2.0;     ///< Nielsen's nu
    bool at_rest_ = false;
    int products_ = 0;
};

}  // namespace isogon
