#pragma once
#include <memory>
#include <optional>

#include "decomposition/relu_update.hpp"
#include "decomposition/stored_completion.hpp"

namespace isogon {

struct ThreeBlockOptions {
    double extrapolation = 0.7;  ///< beta, of Z and of L (Seraghiti et al. 2023)
    double ridge = 0.0;          ///< lambda of NMD-TM (Wang, Cui, Han 2024), which takes 1e-4
    double factor_momentum = 0;  ///< beta_2 of NMD-TM, on W and H: there -0.05
    bool recursive = true;       ///< extrapolate from what was extrapolated, as published: needs Z and L stored
};

/// 3B-NMD (Seraghiti et al. 2023) and NMD-TM (Wang, Cui, Han 2024): Z of eq. 5 and L = W H, both extrapolated by beta
/// from their last values, in between a block step. Nothing guards it: the objective may rise. As published, the last
/// values are themselves extrapolated, back to the first; that takes two m x n arrays. Otherwise only L is, from the
/// last two products W H: matrices of rank 2 r, and a third more updates.
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

}  // namespace isogon
