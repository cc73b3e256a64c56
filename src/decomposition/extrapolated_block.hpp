#pragma once
#include "decomposition/relu_problem.hpp"
#include "decomposition/relu_update.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// eBCD (Gillis, Porcelli, Seraghiti 2025): a step of length alpha from L towards Z, W an orthonormal basis of
/// (L + alpha (Z - L)) H^T and H = W^T (L + alpha (Z - L)); alpha grows while that pays, and is 1, the plain block
/// update that cannot fail, after it did not. |Z - L| never rises. alpha = 1, mu = 0.3, delta = 0.8, alpha_max = 4 are
/// the published constants. As L + alpha (Z - L) is W H and the sparse Z - L times alpha, nothing m x n is held.
class ExtrapolatedBlock : public ReluUpdate {
public:
    ExtrapolatedBlock(const ReluProblem& problem, ReluFactors start, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }

private:
    [[nodiscard]] ReluFactors step() const;

    const ReluProblem& problem_;
    ReluFactors factors_;
    RunContext context_;
    double alpha_ = 1.0;
    double mu_ = 0.3;
    double objective_;  ///< |Z - L|
};

}  // namespace isogon
