#include "decomposition/start_choice.hpp"

#include <utility>

#include "decomposition/nuclear_start.hpp"
#include "decomposition/relu_start.hpp"
#include "decomposition/residual_sums.hpp"
#include "decomposition/spherical_start.hpp"

namespace isogon {

namespace {

double objective(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return relu_residuals(problem.forward, factors.left, factors.right, context).latent_squares;
}

ReluFactors better_start(const ReluProblem& problem, ReluFactors sparse, const RunContext& context) {
    if (sparse.rank() < 2) {
        return sparse;
    }
    ReluFactors spherical = spherical_start(problem, balanced(sparse, context), context);
    const bool nearer = objective(problem, spherical, context) < objective(problem, sparse, context);
    return nearer ? std::move(spherical) : std::move(sparse);
}

}  // namespace

ReluFactors chosen_start(const ReluProblem& problem, const DecomposeOptions& options, const RunContext& context) {
    const auto rank = static_cast<Index>(options.rank);
    const auto sparse = [&] { return sparse_start(problem, rank, options.seed, context); };
    switch (options.start) {
        case ReluStart::Svd: return shifted_start(problem, rank, 0.0, options.seed, context);
        case ReluStart::Nuclear: return nuclear_start(problem, rank, options.seed, context);
        case ReluStart::Random: return random_start(problem, rank, options.seed, context);
        case ReluStart::Shifted: return sparse();
        case ReluStart::Spherical:
            return rank < 2 ? sparse() : spherical_start(problem, balanced(sparse(), context), context);
        case ReluStart::Auto: break;
    }
    return better_start(problem, sparse(), context);
}

}  // namespace isogon
