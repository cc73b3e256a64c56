#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/neighbors/neighbor_search.hpp"

// How many neighbours of each point faithful keeps, and which: those that the user gives, or those that it finds.
namespace isogon {

/// K of a fit of so many points (FaithfulOptions::neighbors). Throws InvalidArgument for K above the number of other
/// points, and for options without effect beside `given`, the user's own lists (null: none).
[[nodiscard]] Index neighbors_to_keep(const FaithfulOptions& options, Index points, const NeighborLists* given);

/// By cosine and correlation the unit vectors whose distances are kept: |u - v|^2 = 2 - 2 cos. Else none. Rows without
/// a direction are zero. Collective.
[[nodiscard]] Points unit_points(const DistributedPoints& points, Metric metric, const RunContext& context);

struct FaithfulNeighbors {
    const FaithfulOptions& options;
    Index k = 0;
    Metric metric = Metric::Euclidean;     ///< between the points as the fit has them: Euclidean of unit vectors
    const NeighborLists* given = nullptr;  ///< without points their distances are all there is
    double unit = 1.0;                     ///< of the points, in that of given distances
    SearchKind search = SearchKind::Auto;  ///< approximate: by an index however few the points, for tests
};

/// The K nearest of all points, on every rank: the first of `given`, or found. The summary says whether
/// those are exact and, of an index, what share a sample says was found.
[[nodiscard]] NeighborLists neighbors_of_all(const DistributedPoints& points, const FaithfulNeighbors& wanted,
                                             const RunContext& context, Summary& summary);

}  // namespace isogon
