#pragma once
#include <string>

#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Whether places that hold the row itself are empty, and there may be several of them.
enum class EmptyPlaces { No, Yes };

/// Throws as require_neighbor_lists() and require_lists_of_points() say.
void check_lists(const NeighborLists& lists, Index rows, Index points, SelfAllowed self, EmptyPlaces empty,
                 const std::string& source);

}  // namespace isogon
