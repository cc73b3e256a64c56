#include "petsc_spectral_ranks.hpp"

#include "isogon/core/rows.hpp"
#include "isogon/distributed/agreement.hpp"

namespace isogon {

void PetscSpectralRanks::together(const std::function<void()>& body) const {
    on_all_ranks(ranks_, body);
}

SpectralSolution PetscSpectralRanks::laplacian(const NeighborLists& own_lists, Index points,
                                               const LaplacianOptions& options, const DistributedSolution& how,
                                               Summary& summary, const RunContext& context) const {
    DistributedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "graph");
        problem = distributed_laplacian(own_lists, points, options, ranks_);
    }
    summary.count("components", 1.0);  // else it was refused
    if (options.affinity == AffinityKind::Gaussian) {
        summary.measure("sigma", problem.sigma);
    }
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::lle(const PointsView& points, const NeighborLists& own_lists,
                                         const LleOptions& options, const DistributedSolution& how, Summary& summary,
                                         const RunContext& context) const {
    DistributedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "weights");
        problem = distributed_lle(ViewRows(points), own_lists, options, ranks_, context);
    }
    summary.count("components", 1.0);
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::solved(const DistributedSpectralProblem& problem, const DistributedSolution& how,
                                            Summary& summary, const RunContext& context) const {
    const PhaseTimer timer(summary, "eigenvectors");
    if (how.own_weights == nullptr) {
        return solve_exactly(problem, how.eigen, ranks_, context);
    }
    return solve_on_landmarks(problem, distributed(*how.own_weights, problem.matrix.all_rows, ranks_), how.eigen,
                              ranks_, context);
}

}  // namespace isogon
