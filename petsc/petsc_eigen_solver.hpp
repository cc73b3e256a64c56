#pragma once
#include "isogon/core/team.hpp"
#include "isogon/spectral/eigenproblem.hpp"

namespace isogon {

/// Solves what the eigenproblem entry is asked over the ranks of a team: every rank calls it with the same whole
/// problem, takes the rows that it owns, and gets the whole solution. Given to a method as FitExtras::eigen_solver or
/// to solve() as EigenOptions::solver, on all ranks; the team must outlive it. See solve_divided().
class PetscEigenSolver final : public EigenSolver {
public:
    explicit PetscEigenSolver(const Team& team) : team_(team) {}
    [[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const override;

private:
    const Team& team_;
};

}  // namespace isogon
