#pragma once
#include "isogon/distributed/rank_group.hpp"
#include "isogon/linalg/eigenproblem.hpp"

namespace isogon {

/// Solves what the eigenproblem entry is asked over ranks: every rank calls it with the same
/// whole problem, takes the rows that it owns, and gets the whole solution. Given to a method as
/// FitExtras::eigen_solver or to solve() as EigenOptions::solver, on all ranks; their communicator must outlive it. See
/// solve_distributed().
class PetscEigenSolver final : public EigenSolver {
public:
    explicit PetscEigenSolver(const RankGroup& ranks) : ranks_(ranks) {}
    [[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const override;

private:
    RankGroup ranks_;
};

}  // namespace isogon
