#include "gathered_solution.hpp"

#include "isogon/distributed/agreement.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

Eigenpairs solve_gathered(const SlepcProblem& problem, const EigenOptions& options, const RankGroup& ranks,
                          const RunContext& context) {
    CsrMatrix<double> a = whole(from_petsc(problem.a), ranks);
    CsrMatrix<double> b = problem.b == nullptr ? CsrMatrix<double>() : whole(from_petsc(problem.b), ranks);
    const auto a_operator = sparse_spectral_matrix(a);
    const auto b_operator = sparse_spectral_matrix(b);
    const EigenProblem eigen{.a = a_operator.get(),
                             .b = problem.b == nullptr ? nullptr : b_operator.get(),
                             .end = problem.end,
                             .deflation = whole(*problem.deflation, ranks),
                             .a_entries = [&] { return a; },
                             .b_entries = [&] { return b; }};
    EigenOptions own = options;
    own.solver = nullptr;
    own.method.reset();
    Eigenpairs pairs;
    on_all_ranks(ranks, [&] { pairs = solve(eigen, own, context); });
    pairs.vectors = own_rows(pairs.vectors, ranks);
    return pairs;
}

}  // namespace isogon
