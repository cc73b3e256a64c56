#include "methods/spectral_start.hpp"

#include <string>
#include <utility>

#include "isogon/graph/components.hpp"
#include "isogon/graph/laplacian.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

namespace {

constexpr double near_enough = 1e-2;
constexpr int most_iterations = 100;

SpectralProblem smoothest(const CsrMatrix<double>& weights, const RunContext& context) {
    SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
    problem.b = degrees(weights);
    problem.a = sparse_spectral_matrix(laplacian(weights, LaplacianKind::Plain, context));
    return problem;
}

}  // namespace

std::optional<WideVectors> spectral_start(const CsrMatrix<double>& weights, Index dimension, std::uint64_t seed,
                                          Summary& summary, const RunContext& context) {
    const Index parts = connected_components(weights).count();
    summary.count("components", parts);
    if (parts > 1) {
        summary.warn("the graph falls into " + std::to_string(parts) +
                     " parts, which have no spectrum in common: the start is by pca; more neighbors join them");
        return std::nullopt;
    }
    if (weights.rows <= dimension + 1) {
        summary.warn("so few points have no spectrum of so many dimensions: the start is by pca");
        return std::nullopt;
    }
    SpectralSolution solution = solve_exactly(
        smoothest(weights, context),
        {.count = dimension, .tolerance = near_enough, .iterations = most_iterations, .seed = seed}, context);
    if (solution.pairs.termination != Termination::Converged) {
        summary.warn("the eigenvectors of the graph were not found in " + std::to_string(most_iterations) +
                     " iterations: the start is by pca");
        return std::nullopt;
    }
    return std::move(solution.coordinates);
}

}  // namespace isogon
