#pragma once
#include <memory>

#include "decomposition/relu_update.hpp"
#include "decomposition/stored_completion.hpp"

namespace isogon {

/// A-NMD (Seraghiti et al. 2023): the alternation with Z and L both extrapolated by beta, which grows by 1.1 while
/// |Z - L| falls, up to a bound that grows itself, and is cut to 0.4 of itself when it rises; the update is then taken
/// back. beta = 0.7, eta = 0.4, gamma = 1.1 and 1.05 are the published constants. As published it holds four m x n
/// arrays; with `recursive` false only L is extrapolated, by its last change.
class AdaptiveMomentum : public ReluUpdate {
public:
    AdaptiveMomentum(const ReluProblem& problem, ReluFactors start, bool recursive, std::uint64_t seed,
                     RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }

private:
    struct Stored {
        explicit Stored(const ReluProblem& problem)
            : z(problem), latent(problem.forward.rows(), problem.forward.columns()) {}
        StoredCompletion z;
        TileArray latent;
    };
    [[nodiscard]] ReluFactors approximation(const Completion& z);
    void update_stored();
    void update_streamed();
    void adapt(bool fell);

    const ReluProblem& problem_;
    ReluFactors factors_;
    ReluFactors previous_;
    RunContext context_;
    WideVectors basis_;
    std::unique_ptr<Stored> current_;
    std::unique_ptr<Stored> trial_;
    double objective_ = 0.0;
    double beta_ = 0.7;
    double bound_ = 1.0;
    double last_accepted_ = 0.7;
};

}  // namespace isogon
