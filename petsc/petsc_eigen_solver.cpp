#include "petsc_eigen_solver.hpp"

#include "distributed_eigenproblem.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

Eigenpairs PetscEigenSolver::solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const {
    if (!problem.a_entries || (problem.b != nullptr && !problem.b_entries)) {
        throw InvalidArgument("problem", "known by its products alone", "must have entries, which ranks divide");
    }
    DistributedEigenProblem divided{.a = own_rows(problem.a_entries(), ranks_), .end = problem.end};
    if (problem.b != nullptr) {
        divided.b = own_rows(problem.b_entries(), ranks_);
    }
    if (problem.deflation.columns() > 0) {
        divided.deflation = own_rows(problem.deflation, ranks_);
    }
    Eigenpairs pairs = solve_distributed(divided, options, ranks_, context);
    pairs.vectors = whole(pairs.vectors, ranks_);
    return pairs;
}

}  // namespace isogon
