#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Share of points whose label is not that of the nearest other point (Euclidean; of equally near ones the one with the
/// smaller index): 1-nearest-neighbour classification, leave-one-out. O(n^2 d). Throws InvalidArgument for fewer than 2
/// points, no dimensions, another count of labels; InputError for values that are not finite; LimitExceeded;
/// Interruption.
[[nodiscard]] double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels,
                                         const RunContext& context = {});

/// The same for `queries`, whose labels are known, by the nearest of the points. O(m n d).
[[nodiscard]] double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels,
                                         const PointsView& queries, std::span<const std::int64_t> query_labels,
                                         const RunContext& context = {});

}  // namespace isogon
