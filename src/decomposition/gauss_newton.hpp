#pragma once
#include <limits>
#include <vector>

#include "decomposition/active_set.hpp"
#include "decomposition/relu_problem.hpp"
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

/// This project's own: |Z - L|^2 over Z is sum_S (s - w.h)^2 + sum_off max(0, w.h)^2, a sum of squares of few entries
/// (the support and the violations), all smooth but for kinks in the second derivative. Levenberg and Marquardt's
/// damped Gauss-Newton steps on W and H at once, by conjugate gradients that visit only these entries; the damping
/// follows Nielsen 1999. Where block updates take steps as if every entry counted (the curvature H H^T), which for a
/// sparse S is too much by the inverse of its density, this takes each row's own. The objective never rises, and near
/// an exact L the error is squared from update to update. An update: two passes over all entries, 2 m n r, and products
/// of 12 r operations an entry of the active set. Where more entries count than may be held, at the factors or
/// after a step, an update moves the rows of W and then those of H^T instead, each on its own (row_newton.hpp), and
/// goes on so as long as that takes a quarter off the error.
class GaussNewton : public ReluUpdate {
public:
    /// `problem` must outlive this. Where the active set would hold more than `capacity` entries, an update
    /// goes by rows.
    GaussNewton(const ReluProblem& problem, ReluFactors start, Offset capacity, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }
    [[nodiscard]] bool at_rest() const override { return at_rest_; }
    [[nodiscard]] int products() const { return products_; }  ///< of conjugate gradients, in all

private:
    void step_by_rows();
    void damped_step(const ActiveSet& active);
    void adapt_damping(double ratio);

    const ReluProblem& problem_;
    ReluFactors factors_;
    Offset capacity_;
    RunContext context_;
    bool by_rows_ = false;
    double squares_ = std::numeric_limits<double>::infinity();  ///< after the last step by rows
    double damping_ = 1e-2;  ///< in units of the mean diagonal of J^T J; any value below 1 serves, it adapts
    double raise_ = 2.0;     ///< Nielsen's nu
    bool at_rest_ = false;
    int products_ = 0;
};

}  // namespace isogon
