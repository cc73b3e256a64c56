#include "divided_eigenproblem.hpp"

#include <string>

#include "agreement.hpp"
#include "isogon/core/error.hpp"
#include "slepc_solution.hpp"

namespace isogon {

namespace {

void require_square(const DividedMatrix& matrix, Index size, const char* what) {
    if (matrix.all_rows != size || matrix.rows.columns != size) {
        throw InvalidArgument(what, std::to_string(matrix.all_rows) + " x " + std::to_string(matrix.rows.columns),
                              "must be " + std::to_string(size) + " x " + std::to_string(size));
    }
}

void require_consistent(const DividedEigenProblem& problem) {
    const Index size = problem.a.all_rows;
    require_square(problem.a, size, "A");
    if (problem.b) {
        require_square(*problem.b, size, "B");
    }
    if (problem.left_out.columns > 0 && problem.left_out.rows != problem.a.rows.rows) {
        throw InvalidArgument("left out", std::to_string(problem.left_out.rows) + " rows",
                              "must be the " + std::to_string(problem.a.rows.rows) + " own ones");
    }
}

}  // namespace

Eigenpairs solve_divided(const DividedEigenProblem& problem, const EigenOptions& options, const Team& team,
                         const RunContext& context) {
    on_all_ranks(team, [&] { require_consistent(problem); });
    const MatHandle a = to_petsc(problem.a, team);
    const MatHandle b = problem.b ? to_petsc(*problem.b, team) : MatHandle();
    return solve_by_slepc({.a = a.get(), .b = b.get(), .end = problem.end, .left_out = &problem.left_out}, options,
                          team, context);
}

std::uint64_t divided_eigen_bytes(Index own_rows, Index count) {
    // The basis, its image, and what is combined of both.
    constexpr std::uint64_t blocks = 3;
    return blocks * WideVectors::bytes(own_rows, krylov_columns(count));
}

}  // namespace isogon
