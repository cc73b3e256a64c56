#pragma once
#include <limits>

#include "decomposition/normal_equations.hpp"
#include "decomposition/relu_problem.hpp"
#include "decomposition/relu_update.hpp"

namespace isogon {

/// This project's own: |Z - L|^2 over Z is sum_S (s - w.h)^2 + sum_off max(0, w.h)^2, a sum of squares of few entries
/// (the support and the violations), all smooth but for kinks in the second derivative. Levenberg and Marquardt's
/// damped Gauss-Newton steps on W and H at once, by conjugate gradients that visit only these entries; the damping
/// follows Nielsen 1999. Where block updates take steps as if every entry counted (the curvature H H^T), which for a
/// sparse S is too much by the inverse of its density, this takes each row's own. The objective never rises, and near
/// an exact L the error is squared from update to update. An update: two passes over all entries, 2 m n r, and products
/// of 12 r operations an entry of the active set. As long as that takes a quarter off the error, an update moves the
/// rows of W and then those of H^T instead, each on its own (row_newton.hpp); and wherever too many entries count.
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
    bool by_rows_ = true;
    double squares_ = std::numeric_limits<double>::infinity();  ///< after the last step by rows
    double damping_ = 1e-2;  ///< in units of the mean diagonal of J^T J; any value below 1 serves, it adapts
    double raise_ = 2.0;     ///< Nielsen's nu
    bool at_rest_ = false;
    int products_ = 0;
};

}  // namespace isogon
