#pragma once
#include <span>
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "transform/locally_linear_extension.hpp"

namespace isogon {

/// How the linear system of LLX is solved: by conjugate gradients as they are (its diagonal is 1), or with its factor,
/// which takes memory and next to no steps, for systems that are hard.
enum class ExtensionSolver { ConjugateGradients, Factor };

/// What extend_locally_linearly() is given, over ranks.
struct ExtensionProblem {
    const RowSource& points;           ///< which every rank can read
    const NeighborLists& own_lists;    ///< of a rank's own points, by the numbers of all
    std::span<const Index> landmarks;  ///< ascending
    PointsView landmark_outputs;       ///< in that order, on every rank
};

struct DistributedExtension {
    Points outputs{};                ///< own rows; none after an interruption before the solution began
    std::vector<Index> unreached{};  ///< numbers among all points, as LocallyLinearExtension has them, on every rank
    Summary summary{};               ///< summary as in LocallyLinearExtension
};

/// extend_locally_linearly() over ranks: a rank's rows of eq. 27 (Saul 2022) are summed with the others' in every step.
/// Outputs of landmarks come back bit for bit, and a zero vector gets zero.
/// Everything is float64 from the weights on. Where a factor is asked for that is not affordable, conjugate gradients
/// go without. Throws as that does, on all ranks; the landmarks must ascend. Outputs agree with that function's to the
/// residual that the summary states, not to the bit.
[[nodiscard]] DistributedExtension extend_distributed(const ExtensionProblem& problem,
                                                      const LocallyLinearOptions& options, ExtensionSolver solver,
                                                      const RankGroup& ranks, const RunContext& context);

}  // namespace isogon
