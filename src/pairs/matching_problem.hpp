#pragma once
#include "isogon/core/run_context.hpp"
#include "pairs/similarities.hpp"

namespace isogon {

/// Step 1 of TSM: the inputs, with virtual ones if needed, and their thresholded similarities.
struct MatchingProblem {
    DistributedPoints
        points;  ///< the inputs, or `extended` when there are virtual ones; the first `inputs` are the inputs
    Index inputs = 0;
    Points extended;  ///< of ranks the local ones
    Similarities similarities;
};

/// Computes S, and connects isolated points by virtual inputs unless disabled. Counts isolated points, zero vectors,
/// virtual inputs and support in `summary`, with a warning if many are isolated. Throws InvalidArgument if more than
/// half of the points are isolated, with their number and a threshold that would do.
[[nodiscard]] MatchingProblem prepare_matching(const DistributedPoints& points, double threshold, bool virtual_inputs,
                                               const RunContext& context, Summary& summary);

/// Peak bytes of the computation of S, for n points of which a share `density` of pairs is above the threshold; of
/// `ranks` the share of this one.
[[nodiscard]] std::uint64_t similarities_bytes(Index count, Index dimension, double density,
                                               const RankGroup& ranks = {});

}  // namespace isogon
