#pragma once
#include "isogon/core/archive.hpp"
#include "isogon/neighbors/metric.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Neighbour lists as an archive of kind neighbor-graph: "indices" (n, k), "distances" (n, k) if there are any, and the
/// metric as a note. Throws InvalidArgument for lists without rows.
[[nodiscard]] Archive make_neighbor_graph(const NeighborLists& lists, Metric metric);

/// The lists in such an archive, as they stand: require_neighbor_lists() is the caller's, who knows the points. Throws
/// InputError for an archive of another kind or without them.
[[nodiscard]] NeighborLists lists_in(const Archive& archive);

}  // namespace isogon
