#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "isogon/linalg/wide_vectors.hpp"
#include "isogon/semidefinite/distance_constraints.hpp"
#include "isogon/semidefinite/semidefinite_program.hpp"

namespace isogon {

/// What becomes of a distance that an unfolding keeps.
enum class DistanceRule {
    Equal,   ///< |y_i - y_j|^2 = |x_i - x_j|^2: an isometry, if there is one
    AtMost,  ///< |y_i - y_j|^2 <= |x_i - x_j|^2: strings, not rods; there is always one, and pulling makes most of them
             ///< taut
    Slack,   ///< rods that give at a price: for noisy data, in which keeping every distance forbids to unfold
};

/// Points pulled as far apart as their distances allow: maximise sum_i |y_i|^2 with sum_i y_i = 0, hence trace(K) of
/// their Gram matrix K.
struct Unfolding {
    SemidefiniteStatus status = SemidefiniteStatus::NotConverged;
    WideVectors outputs{};              ///< n x r, centred: column c has |.|^2 = eigenvalues[c], orthogonal columns
    std::vector<double> eigenvalues{};  ///< of K, descending, none negative: the spectrum that shows the dimension
    double trace = 0.0;                 ///< of K, with prices paid
    double bound = 0.0;                 ///< no unfolding has more, where the dual says so; else infinite
    double gap = 0.0;                   ///< (bound - trace) / (|bound| + |trace|), in the exact unfolding with a
                                        ///< distance more below the line: the same for points of any size
    double largest_violation = 0.0;     ///< max | |y_i - y_j|^2 / |x_i - x_j|^2 - 1 | of what the rule forbids
    std::int64_t iterations = 0;
    std::string message{};
};

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
