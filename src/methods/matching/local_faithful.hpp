#pragma once
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/methods/faithful.hpp"
#include "isogon/pairs/similarities.hpp"
#include "methods/checkpoints.hpp"
#include "methods/matching/local_descent.hpp"

namespace isogon {

/// Bytes of the pairs to keep, their pass, and the lists: of so many pairs above the threshold, 0 where these do not
/// count.
[[nodiscard]] std::uint64_t local_form_bytes(Index points, Index dimension, Index k, Offset above);

/// The local form by angle, from `start` on unit spheres, where a trial has shown that d is large enough for the
/// angles of `s` (with `favor` neighbors `s` may be empty): termination, trace, message and coordinates go to `result`.
/// `trial_residual`: of that trial. False, with only the summary changed, where that is above FaithfulPath::solvable
/// and the first updates of many points solve too little (descend()).
[[nodiscard]] bool match_locally(Similarities s, const NeighborLists& lists, const std::vector<float>& lengths,
                                 MultiVector<float> start, double trial_residual, const DistributedPoints& x,
                                 const FaithfulOptions& options, Checkpoints& checkpoints, const RunContext& context,
                                 Embedding& result);

/// Faithful by distance: steps, summary and coordinates of faithful() for inputs in a unit of length in which products
/// fit, with K neighbours.
void fit_by_distance(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                     Checkpoints& checkpoints, const RunContext& context, Embedding& result);

/// Warns where a fit in two or three dimensions, which is for looking at, has left so much to solve.
void warn_of_pictures(Index dimension, double relative_residual, Summary& summary);

/// Measures what the coordinates keep of these neighbours, where there is time to look: shares to the summary, those of
/// each point to the result.
void certify(const NeighborLists& lists, Metric metric, const DistributedPoints& x, const RunContext& context,
             Embedding& result);

}  // namespace isogon
