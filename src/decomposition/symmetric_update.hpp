#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/matching/relu_decomposition.hpp"

namespace isogon {

/// Throws InvalidArgument naming the first entry that differs from its mirror image, or a matrix that is not square.
void require_symmetric(const ReluProblem& problem);

/// For a symmetric S: L = U Lambda U^T with eigenvalues of either sign stays symmetric to the bit, at the cost of a
/// block method: one pass over half the entries and one Rayleigh-Ritz step an update (ReluDecomposition, in float32),
/// L extrapolated by its last change. W is U |Lambda|^(1/2), H is sign(Lambda) W^T.
class SymmetricUpdate : public ReluUpdate {
public:
    /// The mean of start's W H and its transpose is where L begins.
    SymmetricUpdate(const ReluProblem& problem, const ReluFactors& start, std::uint64_t seed, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }

private:
    void read_off();

    Similarities similarities_;
    RunContext context_;
    ReluDecomposition state_;
    ReluFactors factors_;
};

}  // namespace isogon
