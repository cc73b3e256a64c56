#pragma once
#include <string>

#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Whether a place that holds the row itself counts as empty, and may occur several times.
enum class EmptyPlaces { No, Yes };

/// Throws as require_neighbor_lists() and require_lists_of_points() say.
void check_lists(const NeighborLists& lists, Index rows, Index points, SelfAllowed self, EmptyPlaces empty,
                 const std::string& source);

}  // namespace isogon
