#pragma once
#include "slepc_solution.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// The whole matrices on every rank, solved there by the library's own entry: what is cheapest where they are small.
/// Own rows come back.
[[nodiscard]] Eigenpairs solve_gathered(const SlepcProblem& problem, const EigenOptions& options,
                                        const RankGroup& ranks, const RunContext& context);

}  // namespace isogon
