#pragma once
#include "slepc_solution.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// The first `count` pairs that a solver has found, own rows: x^T B x = 1, the component of largest magnitude positive,
/// and residuals by products of their own with the vectors as they are returned. Throws Error where there are fewer.
[[nodiscard]] Eigenpairs pairs_of(EPS solver, const SlepcProblem& problem, Index count);

/// image = B x.
void apply_b(const SlepcProblem& problem, Vec x, Vec image);

}  // namespace isogon
