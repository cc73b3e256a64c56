#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "decomposition/low_rank.hpp"
#include "linalg/truncated_svd.hpp"
#include "pairs/matching_problem.hpp"
#include "pairs/similarities.hpp"
#include "support/dense_matrices.hpp"

/// Examples and dense float64 references for thresholded similarity matching.
namespace isogon::support {

/// Points in `clusters` narrow cones of random directions, with lengths between 0.5 and 2: their thresholded
/// similarities are sparse but not empty. `spread` is about the tangent of the angle from a cone's axis.
Points clustered_points(Index count, Index dimension, Index clusters, double spread, std::uint64_t seed);

/// Points, a threshold, and their thresholded similarities.
struct MatchingExample {
    Points x;
    double tau;
    Similarities s;

    MatchingExample(Points points, double threshold)
        : x(std::move(points)), tau(threshold), s(thresholded_similarities(x.view(), tau, {})) {}
};

/// Six cones in ten dimensions, with a sum T of similarities that is set lower than that of the points, so that the
/// lift of eq. 21 is below zero at the first update.
MatchingExample example_with_negative_lift(Index count, std::uint64_t seed);

/// x_i.x_j - tau |x_i||x_j|, before it is cut off at zero.
Matrix unthresholded(const Matrix& x, double tau);

Matrix to_matrix(const Similarities& s);

Matrix to_matrix(const LowRank& l);

/// Where S is above zero, as ones and zeros.
Matrix support_mask(const Matrix& s);

/// Eq. 5: S on its support, min(0, L) off it.
Matrix completed(const Matrix& s, const Matrix& l);

/// |L - Z|^2 for Z of eq. 5.
double matching_objective(const Matrix& s, const Matrix& l);

/// Delta of eq. 21, with T the sum of the unthresholded similarities.
double lift_of(const Matrix& s, const Matrix& l, double unthresholded_sum);

/// One update of the plain alternation in float64: eqs. 5 and 6, with eq. 22 in place of eq. 5 when regularised.
Matrix updated(const Matrix& s, const Matrix& l, Index rank, bool regularize, double unthresholded_sum);

/// Eq. 17 from the points' own SVD.
LowRank start_of(const Points& x, Index rank, double tau);

}  // namespace isogon::support
