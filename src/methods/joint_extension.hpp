#pragma once
#include "isogon/methods/model.hpp"

namespace isogon {

/// Coordinates for `rows` by locally linear extension from fitted points, which are its landmarks: Transformer::extend
/// with the model's arrays at hand.
[[nodiscard]] Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                                      const LocallyLinearOptions& options, const RunContext& context);

}  // namespace isogon
