#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Distances that are given, as a square table, in place of points.
namespace isogon {

/// Whether an infinite entry of a table may say that no path joins two points.
enum class Unconnected { Refused, Allowed };

/// Throws InputError naming the first entry at fault unless the rows are a table of distances between as many points:
/// square, finite, 0 on the diagonal, nowhere below 0 and the same both ways; all that up to rounding, as tables of
/// others hold. O(n^2).
void require_distance_table(const PointsView& distances, Unconnected unconnected = Unconnected::Refused);

/// The largest finite entry, at least 0.
[[nodiscard]] double largest_in_table(const PointsView& distances);

/// The k nearest others of every point of a table that passed require_distance_table(), 1 <= k < n: its row's own
/// numbers (0 where rounding put them below), equal ones by index. Infinite ones are no neighbours: lists of points
/// with fewer than k others end in empty places (NeighborLists). O(n^2) time. Throws LimitExceeded, Interruption.
[[nodiscard]] NeighborLists nearest_in_table(const PointsView& distances, Index k, const RunContext& context = {});

}  // namespace isogon
