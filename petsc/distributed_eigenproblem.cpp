#include "distributed_eigenproblem.hpp"

#include <string>

#include "distributed/agreement.hpp"
#include "isogon/core/error.hpp"
#include "slepc_solution.hpp"

namespace isogon {

namespace {

void require_square(const DistributedMatrix& matrix, Index size, const char* what) {
    if (matrix.all_rows != size || matrix.rows.columns != size) {
        throw InvalidArgument(what, std::to_string(matrix.all_rows) + " x " + std::to_string(matrix.rows.columns),
                              "must be " + std::to_string(size) + " x " + std::to_string(size));
    }
}

void require_consistent(const DistributedEigenProblem& problem) {
    const Index size = problem.a.all_rows;
    require_square(problem.a, size, "A");
    if (problem.b) {
        require_square(*problem.b, size, "B");
    }
    if (problem.deflation.columns() > 0 && problem.deflation.rows() != problem.a.rows.rows) {
        throw InvalidArgument("left out", std::to_string(problem.deflation.rows()) + " rows",
                              "must be the " + std::to_string(problem.a.rows.rows) + " own ones");
    }
}

}  // namespace

Eigenpairs solve_distributed(const DistributedEigenProblem& problem, const EigenOptions& options,
                             const RankGroup& ranks, const RunContext& context) {
    on_all_ranks(ranks, [&] { require_consistent(problem); });
    const MatHandle a = to_petsc(problem.a, ranks);
    const MatHandle b = problem.b ? to_petsc(*problem.b, ranks) : MatHandle();
    return solve_by_slepc({.a = a.get(), .b = b.get(), .end = problem.end, .deflation = &problem.deflation}, options,
                          ranks, context);
}

std::uint64_t distributed_eigen_bytes(Index own_rows, Index count) {
    // The basis, its image, and what is combined of both.
    constexpr std::uint64_t blocks = 3;
    return blocks * MultiVector<double>::bytes(own_rows, krylov_columns(count));
}

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
