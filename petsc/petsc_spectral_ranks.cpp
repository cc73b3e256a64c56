#include "petsc_spectral_ranks.hpp"

#include "agreement.hpp"
#include "isogon/core/rows.hpp"

namespace isogon {

void PetscSpectralRanks::together(const std::function<void()>& body) const {
    on_all_ranks(team_, body);
}

SpectralSolution PetscSpectralRanks::laplacian(const NeighborLists& own_lists, Index points,
                                               const LaplacianOptions& options, const DividedSolution& how,
                                               Summary& summary, const RunContext& context) const {
    DividedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "graph");
        problem = divided_laplacian(own_lists, points, options, team_);
    }
    summary.count("components", 1.0);  // else it was refused
    if (options.affinity == AffinityKind::Gaussian) {
        summary.measure("sigma", problem.sigma);
    }
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::lle(const PointsView& points, const NeighborLists& own_lists,
                                         const LleOptions& options, const DividedSolution& how, Summary& summary,
                                         const RunContext& context) const {
    DividedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "weights");
        problem = divided_lle(ViewRows(points), own_lists, options, team_, context);
    }
    summary.count("components", 1.0);
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::solved(const DividedSpectralProblem& problem, const DividedSolution& how,
                                            Summary& summary, const RunContext& context) const {
    const PhaseTimer timer(summary, "eigenvectors");
    if (how.own_weights == nullptr) {
        return solve_exactly(problem, how.eigen, team_, context);
    }
    return solve_on_landmarks(problem, divided(*how.own_weights, problem.matrix.all_rows, team_), how.eigen, team_,
                              context);
}

}  // namespace isogon
