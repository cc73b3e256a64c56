#pragma once
#include "decomposition/relu_problem.hpp"
#include "decomposition/stored_completion.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The unitary factor U V^T of a matrix Z = U Sigma V^T, and the sum of its singular values.
struct PolarFactor {
    TileArray unitary;
    double nuclear_norm = 0.0;
    int steps = 0;
};

/// Singular values from this share of a bound on the largest up are sent to 1.
inline constexpr double least_polar_share = 1e-5;
/// And to no further from it than this.
inline constexpr double polar_tolerance = 1e-7;

/// By Newton and Schulz's iteration X (3 - X^T X) / 2, which is nothing but products of tiles and so runs on all
/// threads at the speed of these: each step first makes X longer by as much as keeps every singular value in the step's
/// reach (Chen and Chow 2014), so that the smallest grow by 2.6 a step. Values between `least_polar_share` and 1 times
/// the bound (the fourth root of the sum of their fourth powers) end within `polar_tolerance` of 1, smaller ones
/// between 0 and 1: the norm is then too small by at most that share of the bound for each of these. What is beyond the
/// matrix in the tiles of its last panels must be zero. Some sixteen steps of 1.5 m n min(m, n) multiplications; holds
/// Z three times, and a square of the shorter side. Throws Interruption.
[[nodiscard]] PolarFactor polar_factor(const TileArray& z, const RunContext& context);

/// Three projected subgradient steps on the nuclear norm of Z from a random one, then rank r (Seraghiti et al. 2023):
/// Z - step U V^T, completed anew, taken if the norm fell; the next step is then longer by a fifth, else shorter by
/// three tenths. The first is 1 in the units of S, as published: the one thing here that depends on them. For
/// comparison with what is published: holds dense arrays (nuclear_start_bytes), and four polar factors
/// take some 100 m n min(m, n) multiplications. Throws Interruption.
[[nodiscard]] ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                        const RunContext& context);
[[nodiscard]] std::uint64_t nuclear_start_bytes(Index rows, Index columns);

}  // namespace isogon
