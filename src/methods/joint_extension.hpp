#pragma once
#include <span>

#include "isogon/methods/model.hpp"

namespace isogon {

/// Locally linear extension among `points`, of which `landmarks` have `coordinates`, by the given lists of all points'
/// neighbours, or by neighbours searched here (by cosine; the summary then has their seconds and recall). No outputs
/// when the context ends the run before there are any. The memory of search and extension is stated first. Throws as
/// extend_locally_linearly() does.
[[nodiscard]] LocallyLinearExtension extend_among(const PointsView& points, std::span<const Index> landmarks,
                                                  const PointsView& coordinates, const NeighborLists* lists,
                                                  const LocallyLinearOptions& options, const RunContext& context);

/// Coordinates for `rows` by locally linear extension from fitted points, which are its landmarks: Transformer::extend
/// with the model's arrays at hand. Lists, if given, are those of the rows followed by the fitted points.
[[nodiscard]] Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                                      const LocallyLinearOptions& options, const RunContext& context,
                                      const NeighborLists* lists = nullptr);

}  // namespace isogon
