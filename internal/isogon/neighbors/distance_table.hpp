#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Distances that are given, as a square table, in place of points.
namespace isogon {

/// Throws InputError naming the first entry at fault unless the rows are a table of distances between as many points:
/// square, finite, 0 on the diagonal, nowhere below 0 and, to float32's rounding, the same both ways. O(n^2).
void require_distance_table(const PointsView& distances);

/// The k nearest others of every point of a table that passed require_distance_table(), 1 <= k < n: its row's own
/// numbers, equal ones by index. O(n^2) time. Throws LimitExceeded, Interruption.
[[nodiscard]] NeighborLists nearest_in_table(const PointsView& distances, Index k, const RunContext& context = {});

}  // namespace isogon
