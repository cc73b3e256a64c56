#pragma once
#include <memory>
#include <optional>

#include "decomposition/completion.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// W = Z H^T (H H^T + ridge)^-1, then H = (W^T W + ridge)^-1 W^T Z: the best W for this H, then the best H for that W.
/// Directions in which a factor is zero stay zero.
[[nodiscard]] ReluFactors block_step(const Completion& z, const ReluFactors& from, double ridge,
                                     const RunContext& context);

/// The plain block coordinate update (BCD: Gillis, Porcelli, Seraghiti 2025): a block step on Z of eq. 5 at the
/// factors' own L. |Z - L|^2 + ridge (|W|^2 + |H|^2) never rises.
[[nodiscard]] ReluFactors block_update(const ReluProblem& problem, const ReluFactors& from, double ridge,
                                       const RunContext& context);

struct ThreeBlockOptions {
    double extrapolation = 0.7;  ///< beta, of Z and of L (Seraghiti et al. 2023)
    double ridge = 0.0;          ///< lambda of NMD-TM (Wang, Cui, Han 2024), which takes 1e-4
    double factor_momentum = 0;  ///< beta_2 of NMD-TM, on W and H: there -0.05
    bool recursive = true;       ///< extrapolate from what was extrapolated, as published: needs Z and L stored
};

/// 3B-NMD (Seraghiti et al. 2023) and NMD-TM (Wang, Cui, Han 2024): Z of eq. 5 and L = W H are both extrapolated by
/// beta from their last values, with a block step between. There is no safeguard: the objective may increase. In the
/// published form the last values are themselves extrapolated, back to the first; this needs two m x n arrays.
/// Otherwise only L is extrapolated, from the last two products W H. These are matrices of rank 2 r, and the number of
/// updates is a third higher.
class ThreeBlock : public ReluUpdate {
public:
    ThreeBlock(const ReluProblem& problem, ReluFactors start, const ThreeBlockOptions& options, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }

private:
    struct Stored {
        Stored(const ReluProblem& problem, Index m, Index n) : z(problem), latent(m, n) {}
        StoredCompletion z;
        TileArray latent;
    };
    [[nodiscard]] ReluFactors stepped();
    void add_factor_momentum(ReluFactors& next) const;

    const ReluProblem& problem_;
    ReluFactors factors_;
    ReluFactors previous_;
    ThreeBlockOptions options_;
    RunContext context_;
    std::unique_ptr<Stored> stored_;
};

/// eBCD (Gillis, Porcelli, Seraghiti 2025): a step of length alpha from L towards Z. W is an orthonormal basis of (L +
/// alpha (Z - L)) H^T, and H = W^T (L + alpha (Z - L)). alpha grows while |Z - L| decreases slowly. After a rejected
/// step it is reset to 1, the plain block update, which cannot increase |Z - L|. alpha = 1, mu = 0.3, delta = 0.8,
/// alpha_max = 4 are the published constants. As L + alpha (Z - L) is W H plus alpha times the sparse Z - L, no m x n
/// array is stored.
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
