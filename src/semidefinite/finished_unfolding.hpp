#pragma once
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/semidefinite/distance_constraints.hpp"
#include "isogon/semidefinite/unfolding.hpp"
#include "semidefinite/multiplier_rule.hpp"

namespace isogon {

/// How outputs keep distances.
struct KeptDistances {
    double scale = 1.0;              ///< at most 1: by which they keep every AtMost
    double paid = 0.0;               ///< prices of Slack
    double largest_violation = 0.0;  ///< as Unfolding has it, before the scaling
};

/// `squared[a]` is that of the pair first[a], second[a], in the unit of the outputs' squares.
[[nodiscard]] KeptDistances kept_distances(const WideVectors& outputs, const std::vector<Index>& first,
                                           const std::vector<Index>& second, const std::vector<double>& squared,
                                           const MultiplierRule& rule);

/// What a method hands out: outputs centred, AtMost kept by scaling, turned to their principal axes (the component of
/// largest magnitude of each is positive), measured against all constraints; gap, status and message from that.
[[nodiscard]] Unfolding finished_unfolding(WideVectors outputs, const DistanceConstraints& constraints,
                                           const MultiplierRule& rule, double bound, double tolerance,
                                           SemidefiniteStatus status, const RunContext& context);

}  // namespace isogon
