#pragma once
#include "decomposition/completion.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The unitary factor U V^T of a matrix Z = U Sigma V^T, and the sum of its singular values.
struct PolarFactor {
    TileArray unitary;
    double nuclear_norm = 0.0;
    int steps = 0;
};

/// Singular values above this share of a bound on the largest are mapped to 1.
inline constexpr double least_polar_share = 1e-5;
/// The largest error of that.
inline constexpr double polar_tolerance = 1e-7;

/// Newton-Schulz iteration X (3 - X^T X) / 2. It consists of matrix products only, so it runs on all threads at the
/// speed of these. Each step first scales X by the largest factor that keeps all singular values in the region of
/// convergence (Chen and Chow 2014); the smallest then grow by 2.6 a step. Singular values between `least_polar_share`
/// and 1 times the bound (the fourth root of the sum of their fourth powers) end within `polar_tolerance` of 1,
/// smaller ones between 0 and 1. The nuclear norm is then too small by at most that share of the bound for each of
/// these. Padding entries in the last panels must be zero. About sixteen steps of 1.5 m n min(m, n) multiplications;
/// memory: three times Z, and a square of the shorter side. Throws Interruption.
[[nodiscard]] PolarFactor polar_factor(const TileArray& z, const RunContext& context);

/// Three projected subgradient steps on the nuclear norm of Z from a random start, then truncation to rank r
/// (Seraghiti et al. 2023). A step is Z - step U V^T, completed again, and is accepted if the norm decreased. The step
/// length is then multiplied by 1.2, else by 0.7. The first step length is 1 in the units of S, as published: the only
/// constant here that depends on the units. For comparison with published results only: stores dense arrays
/// (nuclear_start_bytes), and four polar factors take some 100 m n min(m, n) multiplications. Throws Interruption.
[[nodiscard]] ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                        const RunContext& context);
[[nodiscard]] std::uint64_t nuclear_start_bytes(Index rows, Index columns);

}  // namespace isogon
