#pragma once
#include "isogon/linalg/wide_vectors.hpp"
#include "isogon/semidefinite/distance_constraints.hpp"
#include "isogon/semidefinite/unfolding.hpp"

namespace isogon {

/// What became of the distances that an unfolding keeps, as |y_i - y_j|^2 / |x_i - x_j|^2 - 1; where x_i = x_j, as a
/// share of the mean of all |x_i - x_j|^2.
struct DistanceChanges {
    double most_stretched = 0.0;  ///< the largest above 0
    double most_shrunk = 0.0;     ///< the largest below 0, without its sign
    double mean = 0.0;            ///< of the changes, without their signs

    /// The worst of what the rule forbids.
    [[nodiscard]] double forbidden(DistanceRule rule) const;
};

/// `outputs`, n x r, in the unit of the constraints. O(r) a constraint.
[[nodiscard]] DistanceChanges distance_changes(const WideVectors& outputs, const DistanceConstraints& constraints);

}  // namespace isogon
