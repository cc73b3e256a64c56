#pragma once
#include <cstddef>
#include <string>

#include "isogon/neighbors/neighbor_lists.hpp"

// Neighbour lists within one set of points that come from elsewhere, and may be of unequal lengths.
namespace isogon {

/// Lists as other programs write them, put right: a point is taken out of its own list; distances that descend by
/// rounding are sorted, and those below 0 by rounding become 0. `size` is the length of the longest list then; places
/// that shorter ones leave empty are their last and hold the point itself, at its last distance. Throws InputError that
/// names `source` for a point that has no neighbour but itself, and as require_neighbor_lists() does for what is more
/// than rounding. O(n k log k).
[[nodiscard]] NeighborLists neighbor_lists_from(NeighborLists lists, Index points, const std::string& source);

/// require_neighbor_lists() for such lists: a row may hold its own index, as often as it has empty places.
void require_lists_of_points(const NeighborLists& lists, const std::string& source);

/// How many places of list i are not empty. `point`: which point's list it is, i itself where the lists are of all.
[[nodiscard]] Index filled_places(const NeighborLists& lists, Index i, std::size_t point);

/// Throws InputError that names `source` and the first list that is shorter than others.
void require_equal_lengths(const NeighborLists& lists, const std::string& source);

/// The length of the shortest of the lists of all points.
[[nodiscard]] Index shortest_list(const NeighborLists& lists);

}  // namespace isogon
