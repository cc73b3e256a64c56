#include "gathered_solution.hpp"

#include "agreement.hpp"
#include "isogon/spectral/spectral_matrix.hpp"

namespace isogon {

Eigenpairs solve_gathered(const SlepcProblem& problem, const EigenOptions& options, const Team& team,
                          const RunContext& context) {
    WideSparseMatrix a = whole(from_petsc(problem.a), team);
    WideSparseMatrix b = problem.b == nullptr ? WideSparseMatrix() : whole(from_petsc(problem.b), team);
    const auto a_operator = sparse_spectral_matrix(a);
    const auto b_operator = sparse_spectral_matrix(b);
    const EigenProblem eigen{.a = a_operator.get(),
                             .b = problem.b == nullptr ? nullptr : b_operator.get(),
                             .end = problem.end,
                             .left_out = whole(*problem.left_out, team),
                             .a_entries = [&] { return a; },
                             .b_entries = [&] { return b; }};
    EigenOptions own = options;
    own.solver = nullptr;
    own.method.reset();
    Eigenpairs pairs;
    on_all_ranks(team, [&] { pairs = solve(eigen, own, context); });
    pairs.vectors = own_rows(pairs.vectors, team);
    return pairs;
}

}  // namespace isogon
