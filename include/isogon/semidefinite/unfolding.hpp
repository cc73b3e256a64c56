#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "isogon/linalg/wide_vectors.hpp"
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

}  // namespace isogon
