#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/decompose.hpp"

namespace isogon {

/// Where L begins, as the options say: `start`, `rank` and `seed`. Auto makes the sparse start and, of at least two
/// columns, the spherical one from it, and takes the one with the smaller |Z - L|: two more passes over all entries.
/// Throws Interruption.
[[nodiscard]] ReluFactors chosen_start(const ReluProblem& problem, const DecomposeOptions& options,
                                       const RunContext& context);

}  // namespace isogon
