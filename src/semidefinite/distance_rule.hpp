#pragma once

namespace isogon {

/// Which distances an unfolding keeps.
enum class KeptPairs {
    Neighbors,        ///< distances between points of which one lists the other
    SharedNeighbors,  ///< also between points that a third one lists: the angles between its neighbours are kept too
};

/// The constraint on a kept distance.
enum class DistanceRule {
    Equal,   ///< |y_i - y_j|^2 = |x_i - x_j|^2: an isometry, if there is one
    AtMost,  ///< |y_i - y_j|^2 <= |x_i - x_j|^2: inequalities; always feasible, and most are active at the optimum
    Slack,   ///< equalities with a linear penalty for violations: for noisy data, which exact distances do not let
             ///< unfold
};

}  // namespace isogon
