#pragma once
#include <cstdint>
#include <functional>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/forces/two_kernels.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The steps that pca2 and lle2 share: neighbours, an objective made from them, a start, a descent, and the summary.
struct TwoKernelRun {
    int dimension = 2;
    int neighbors = 15;
    int iterations = 300;
    double tolerance = 1e-5;
    bool random_start = false;  ///< else the directions of most variance
    std::uint64_t seed = 0;
    /// Makes the objective from points scaled so that products fit, and neighbours with distances.
    std::function<TwoKernelObjective(const PointsView&, const NeighborLists&, const RunContext&)> objective{};
};

/// Everything but Embedding::options. Throws as the methods do. An interruption is recorded in the summary.
[[nodiscard]] Embedding lay_out_by_two_kernels(const PointsView& x, const TwoKernelRun& run, const FitExtras& extras,
                                               const RunContext& context);

}  // namespace isogon
