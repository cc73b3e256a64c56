#include "petsc_eigen_solver.hpp"

#include "divided_eigenproblem.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

Eigenpairs PetscEigenSolver::solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const {
    if (!problem.a_entries || (problem.b != nullptr && !problem.b_entries)) {
        throw InvalidArgument("problem", "known by its products alone", "must have entries, which ranks divide");
    }
    DividedEigenProblem divided{.a = own_rows(problem.a_entries(), team_), .end = problem.end};
    if (problem.b != nullptr) {
        divided.b = own_rows(problem.b_entries(), team_);
    }
    if (problem.left_out.columns > 0) {
        divided.left_out = own_rows(problem.left_out, team_);
    }
    Eigenpairs pairs = solve_divided(divided, options, team_, context);
    pairs.vectors = whole(pairs.vectors, team_);
    return pairs;
}

}  // namespace isogon
