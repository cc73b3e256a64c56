#pragma once
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/faithful.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// How many neighbours of each point faithful keeps, and which: those that the user gives, or those that it finds.
namespace isogon {

/// K of a fit of so many points (FaithfulOptions::neighbors); 0: one threshold for all pairs. Throws InvalidArgument
/// for K above the number of other points, and for options without effect beside it. `given`: the user's own lists
/// (null: none), for which the same holds.
[[nodiscard]] Index neighbors_to_keep(const FaithfulOptions& options, Index points, const NeighborLists* given);

/// The K nearest of all points, on every rank: the first of `given`, or by options.search: directions by angle. The
/// summary says whether those are exact and, of an index, what share a sample says was found.
[[nodiscard]] NeighborLists neighbors_of_all(const DistributedPoints& points, Index k, const FaithfulOptions& options,
                                             const NeighborLists* given, const RunContext& context, Summary& summary);

}  // namespace isogon
