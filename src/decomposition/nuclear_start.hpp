#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// Three projected subgradient steps on the nuclear norm of Z from a random one, then rank r (Seraghiti et al. 2023):
/// Z - step U V^T, completed anew, taken if the norm fell; the next step is then longer by a fifth, else shorter by
/// three tenths. The first is 1 in the units of S, as published: the one thing here that depends on them. For
/// comparison with what is published: holds dense arrays (nuclear_start_bytes), and four polar factors
/// (polar_factor.hpp) take some 100 m n min(m, n) multiplications. Throws Interruption.
[[nodiscard]] ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                        const RunContext& context);
[[nodiscard]] std::uint64_t nuclear_start_bytes(Index rows, Index columns);

}  // namespace isogon
