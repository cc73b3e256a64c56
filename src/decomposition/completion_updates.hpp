#pragma once
#include <array>
#include <memory>

#include "decomposition/completion.hpp"
#include "decomposition/relu_decomposition.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"

// The updates that complete S to Z and approximate that: by the best L of rank r (alternation), or by a new W and a
// new H one after the other (block updates).
namespace isogon {

struct AlternationOptions {
    double momentum = 0.0;   ///< gamma of eq. 23; 0: the plain alternation, whose objective never rises
    bool recursive = true;   ///< momentum on Z as published, in three m x n arrays, else on L. Where Z depends on L
                             ///< alone: store Z in one m x n array instead of computing it for each product
    bool gaussian = false;   ///< the E-step of a Gaussian L with noise, whose level is estimated, in place of eq. 5
    std::uint64_t seed = 0;  ///< seed of the vectors beyond the rank in the subspace iteration
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
    MultiVector<double> basis_;  ///< start of the next subspace iteration: n x (rank + guard)
    std::unique_ptr<TileArray> latent_;
    std::array<std::unique_ptr<StoredCompletion>, 3> z_;  ///< newest first; where Z depends on L alone the first only
    double noise_ = 0.0;
};

/// Z and L = W H as m x n arrays.
struct StoredPair {
    explicit StoredPair(const ReluProblem& problem)
        : z(problem), latent(problem.forward.rows(), problem.forward.columns()) {}
    StoredCompletion z;
    TileArray latent;
};

/// A-NMD (Seraghiti et al. 2023): the alternation with Z and L both extrapolated by beta. While |Z - L| decreases,
/// beta grows by 1.1, up to a bound that grows itself. When |Z - L| increases, the update is rejected and beta is
/// multiplied by 0.4. beta = 0.7, eta = 0.4, gamma = 1.1 and 1.05 are the published constants. The published form
/// stores four m x n arrays; with `recursive` false only L is extrapolated, by its last change.
class AdaptiveMomentum : public ReluUpdate {
public:
    AdaptiveMomentum(const ReluProblem& problem, ReluFactors start, bool recursive, std::uint64_t seed,
                     RunContext context);

    void update() override;
    [[nodiscard]] const ReluFactors& factors() const override { return factors_; }

private:
    [[nodiscard]] ReluFactors approximation(const Completion& z);
    void update_stored();
    void update_streamed();
    void adapt(bool fell);

    const ReluProblem& problem_;
    ReluFactors factors_;
    ReluFactors previous_;
    RunContext context_;
    MultiVector<double> basis_;
    std::unique_ptr<StoredPair> current_;
    std::unique_ptr<StoredPair> trial_;
    double objective_ = 0.0;
    double beta_ = 0.7;
    double bound_ = 1.0;
    double last_accepted_ = 0.7;
};

/// Throws InvalidArgument naming the first entry that differs from its mirror image, or a matrix that is not square.
void require_symmetric(const ReluProblem& problem);

/// For a symmetric S: L = U Lambda U^T with eigenvalues of either sign stays exactly symmetric, at the cost of a block
/// method: one pass over half the entries and one Rayleigh-Ritz step an update (ReluDecomposition, in float32), with L
/// extrapolated by its last change. W is U |Lambda|^(1/2), H is sign(Lambda) W^T.
class SymmetricUpdate : public ReluUpdate {
public:
    /// Starts from the symmetric part of the W H of `start`.
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

/// W = Z H^T (H H^T + ridge)^-1, then H = (W^T W + ridge)^-1 W^T Z: the best W for this H, then the best H for that W.
/// Directions in which a factor is zero stay zero. On Z of eq. 5 at the factors' own L it is the plain block coordinate
/// update (BCD: Gillis, Porcelli, Seraghiti 2025), with which |Z - L|^2 + ridge (|W|^2 + |H|^2) never rises.
[[nodiscard]] ReluFactors block_step(const Completion& z, const ReluFactors& from, double ridge,
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
    [[nodiscard]] ReluFactors stepped();
    void add_factor_momentum(ReluFactors& next) const;

    const ReluProblem& problem_;
    ReluFactors factors_;
    ReluFactors previous_;
    ThreeBlockOptions options_;
    RunContext context_;
    std::unique_ptr<StoredPair> stored_;
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
