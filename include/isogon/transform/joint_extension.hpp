#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/transform/locally_linear_extension.hpp"

namespace isogon {

/// The result of a joint extension. Coordinates are empty if the run ended before there were any.
struct Extended {
    Points coordinates;              ///< one row for each new point
    std::vector<Index> unreached{};  ///< rows that no chain of neighbours joins to a fitted point
    Summary summary;
};

/// Locally linear extension among `points`, of which `landmarks` have `coordinates`, by the given lists of all points'
/// neighbours, or by neighbours searched here (by cosine; the summary then has their seconds and recall). No outputs
/// when the context ends the run before there are any. The memory of search and extension is stated first. Throws as
/// extend_locally_linearly() does.
[[nodiscard]] LocallyLinearExtension extend_among(const PointsView& points, std::span<const Index> landmarks,
                                                  const PointsView& coordinates, const NeighborLists* lists,
                                                  const LocallyLinearOptions& options, const RunContext& context);

/// Coordinates for `rows` by locally linear extension from fitted points, which are its landmarks. Lists, if given, are
/// those of the rows followed by the fitted points. Memory stated first. Throws as extend_among() does.
[[nodiscard]] Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                                      const LocallyLinearOptions& options, const RunContext& context,
                                      const NeighborLists* lists = nullptr);

}  // namespace isogon
