#pragma once
#include <cstdint>
#include <functional>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/forces/two_kernels.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// What pca2 and lle2 do alike: neighbours, an objective made from them, a start, a descent, and what is told of it.
struct TwoKernelRun {
    int dimension = 2;
    int neighbors = 15;
    int iterations = 300;
    double tolerance = 1e-5;
    bool random_start = false;  ///< else the directions of most variance
    std::uint64_t seed = 0;
    /// From points in a unit in which their products fit, and neighbours with distances.
    std::function<TwoKernelObjective(const PointsView&, const NeighborLists&, const RunContext&)> objective{};
};

/// Everything but Embedding::options. Throws what the methods say they throw. Interruptions end in the summary.
[[nodiscard]] Embedding lay_out_by_two_kernels(const PointsView& x, const TwoKernelRun& run, const FitExtras& extras,
                                               const RunContext& context);

}  // namespace isogon
