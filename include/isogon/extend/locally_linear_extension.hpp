#pragma once
#include <span>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

struct LocallyLinearOptions {
    int neighbors = 0;    ///< k of eq. 14; 0: four times the dimension of the outputs, the paper's choice
    double ridge = 1e-4;  ///< epsilon of eq. 14
    double tolerance =
        1e-5;  ///< conjugate gradients end when every residual is that much shorter than its right-hand side
    int iterations = 500;  ///< or after so many
};

[[nodiscard]] const OptionTable<LocallyLinearOptions>& locally_linear_option_table();

struct LocallyLinearExtension {
    Points outputs;                  ///< one row for each point, the landmarks' as they were given
    std::vector<Index> unreached{};  ///< points that no chain of neighbours leads to a landmark, ascending
    Summary summary;
};

/// LLX (Saul 2022, section 3 and appendix C): outputs for `points`, of which those that `landmarks` lists have theirs
/// already. `lists` holds the nearest neighbours of every point among all, at least k of them.
[[nodiscard]] LocallyLinearExtension extend_locally_linearly(const PointsView& points, std::span<const Index> landmarks,
                                                             const PointsView& landmark_outputs,
                                                             const NeighborLists& lists,
                                                             const LocallyLinearOptions& options = {},
                                                             const RunContext& context = {});

}  // namespace isogon
