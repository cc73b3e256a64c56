#include "decomposition/nuclear_start.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "decomposition/completion_svd.hpp"
#include "decomposition/polar_factor.hpp"
#include "decomposition/relu_start.hpp"
#include "decomposition/stored_completion.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// out = z - step along
void go_along(const TileArray& z, double step, const TileArray& along, TileArray& out, const RunContext& context) {
    parallel_tasks(context, z.row_panels(), [&](std::size_t panel) {
        const auto p = static_cast<Index>(panel);
        const double* from = z.tile(p, 0);
        const double* by = along.tile(p, 0);
        double* to = out.tile(p, 0);
        for (std::size_t k = 0; k < TileArray::tile_size * z.column_panels(); ++k) {
            to[k] = from[k] - step * by[k];
        }
    });
}

/// A Z, and where its norm falls.
struct Place {
    std::unique_ptr<StoredCompletion> z;
    PolarFactor polar;
};

Place place_at(const ReluProblem& problem, const TileArray& latent, const RunContext& context) {
    auto z = std::make_unique<StoredCompletion>(problem);
    z->complete(latent, 0.0, *z, context);
    PolarFactor polar = polar_factor(z->tiles(), context);
    return {std::move(z), std::move(polar)};
}

}  // namespace

std::uint64_t nuclear_start_bytes(Index rows, Index columns) {
    const Index shorter = std::min(rows, columns);
    return 8 * TileArray::bytes(rows, columns) + TileArray::bytes(shorter, shorter);
}

ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    constexpr int steps = 3;
    constexpr double longer = 1.2;
    constexpr double shorter = 0.7;
    constexpr Index guard = 8;
    const ReluFactors random = random_start(problem, rank, seed, context);
    TileArray latent(problem.forward.rows(), problem.forward.columns());
    extrapolate(random, 0.0, latent, latent, context);
    Place now = place_at(problem, latent, context);
    double step = 1.0 / problem.unit;  // the published 1, in the units of S
    for (int k = 0; k < steps; ++k) {
        go_along(now.z->tiles(), step, now.polar.unitary, latent, context);
        Place next = place_at(problem, latent, context);
        const bool fell = next.polar.nuclear_norm < now.polar.nuclear_norm;
        if (fell) {
            now = std::move(next);
        }
        step *= fell ? longer : shorter;
    }
    constexpr double exact = 1e-10;
    constexpr int most_rounds = 200;
    return completion_svd(*now.z, with_guard(random.right, guard, seed),
                          {.rank = rank, .tolerance = exact, .most_rounds = most_rounds}, context)
        .factors;
}

}  // namespace isogon
