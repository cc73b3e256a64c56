#pragma once
#include <string>

#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// What a place is that holds the row itself. As an empty place it may occur several times.
enum class OwnIndex { Refused, Neighbor, EmptyPlace };

/// Throws as require_neighbor_lists() and require_lists_of_points() say.
void check_lists(const NeighborLists& lists, Index rows, Index points, OwnIndex own, const std::string& source);

}  // namespace isogon
