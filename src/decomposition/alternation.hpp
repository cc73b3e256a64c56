#pragma once
#include <array>
#include <memory>

#include "decomposition/relu_update.hpp"
#include "decomposition/stored_completion.hpp"

namespace isogon {

struct AlternationOptions {
    double momentum = 0.0;   ///< gamma of eq. 23; 0: the plain alternation, whose objective never rises
    bool recursive = true;   ///< momentum of Z as published, which needs three m x n arrays, else of L; where Z goes
                             ///< by L alone, whether it is held in one rather than made again for each product
    bool gaussian = false;   ///< the E-step of a Gaussian L with noise, whose level is estimated, in place of eq. 5
    std::uint64_t seed = 0;  ///< of the vectors that the eigen-step carries beyond the rank
};

/// Saul 2022a: Z from L (eq. 5), then L as the best approximation of Z of rank r (eq. 6); with momentum (eq. 23), and
/// as expectation maximisation of S = max(0, L + noise), which gives a noise level.
class Alternation : public ReluUpdate {
public:
    Alternation(const ReluProblem& problem, ReluFactors start, const AlternationOptions& options, RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }
    [[nodiscard]] double noise() const { return noise_; }  ///< sigma; 0 unless gaussian

private:
    void approximate(const Completion& z);
    void update_stored();
    void update_streamed();
    void update_noise(double variance, double squares);

    const ReluProblem& problem_;
    ReluFactors factors_;
    ReluFactors previous_;
    AlternationOptions options_;
    RunContext context_;
    WideVectors basis_;  ///< where the next approximation begins: n x (rank + guard)
    std::unique_ptr<TileArray> latent_;
    std::array<std::unique_ptr<StoredCompletion>, 3> z_;  ///< the newest first; or one that is held
    double noise_ = 0.0;
};

}  // namespace isogon
