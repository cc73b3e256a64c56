#pragma once
#include <cmath>
#include <vector>

#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/matching/low_rank.hpp"
#include "isogon/matching/matching_problem.hpp"
#include "isogon/matching/similarities.hpp"
#include "support/dense_matrices.hpp"

/// Examples and dense float64 references for thresholded similarity matching.
namespace isogon::support {

/// Points in `clusters` narrow cones of random directions, with lengths between 0.5 and 2: their thresholded
/// similarities are sparse but not empty. `spread` is about the tangent of the angle from a cone's axis.
inline Points clustered_points(Index count, Index dimension, Index clusters, double spread, std::uint64_t seed) {
    Matrix axes = random_matrix(clusters, dimension, seed);
    axes.rowwise().normalize();
    const Matrix noise = random_matrix(count, dimension, seed + 1000) * (spread / std::sqrt(dimension));
    Matrix points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed + 2000, Purpose::Test, i);
        points.row(i) = random.uniform(0.5, 2.0) * (axes.row(i % clusters) + noise.row(i)).normalized();
    }
    return to_points(points);
}

/// x_i.x_j - tau |x_i||x_j|, before it is cut off at zero.
inline Matrix unthresholded(const Matrix& x, double tau) {
    const Eigen::VectorXd lengths = x.rowwise().norm();
    return x * x.transpose() - tau * lengths * lengths.transpose();
}

inline Matrix to_matrix(const Similarities& s) {
    Matrix result = Matrix::Zero(s.size(), s.size());
    for (Index i = 0; i < s.size(); ++i) {
        result(i, i) = double{s.diagonal[i]};
        const auto columns = s.upper.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            result(i, columns[k]) = result(columns[k], i) = double{s.upper.row_values(i)[k]};
        }
    }
    return result;
}

inline Matrix to_matrix(const LowRank& l) {
    const Matrix f = to_matrix(l.factor);
    return f * Eigen::Map<const Eigen::VectorXd>(l.weights.data(), l.rank()).asDiagonal() * f.transpose();
}

/// Where S is above zero, as ones and zeros.
inline Matrix support_mask(const Matrix& s) {
    return (s.array() > 0.0).cast<double>();
}

/// Eq. 5: S on its support, min(0, L) off it.
inline Matrix completed(const Matrix& s, const Matrix& l) {
    return (s.array() > 0.0).select(s, l.cwiseMin(0.0));
}

/// |L - Z|^2 for Z of eq. 5.
inline double matching_objective(const Matrix& s, const Matrix& l) {
    return (l - completed(s, l)).squaredNorm();
}

/// Delta of eq. 21, with T the sum of the unthresholded similarities.
inline double lift_of(const Matrix& s, const Matrix& l, double unthresholded_sum) {
    const double zeros = static_cast<double>(s.size()) - support_mask(s).sum();
    return std::min(0.0, unthresholded_sum - completed(s, l).sum()) / std::max(1.0, zeros);
}

/// One update of the plain alternation in float64: eqs. 5 and 6, with eq. 22 in place of eq. 5 when regularised.
inline Matrix updated(const Matrix& s, const Matrix& l, Index rank, bool regularize, double unthresholded_sum) {
    Matrix z = completed(s, l);
    if (regularize) {
        const double lift = lift_of(s, l, unthresholded_sum);
        z.array() += lift * (1.0 - support_mask(s).array());
    }
    return truncated(z, rank);
}

/// Eq. 17 from the points' own SVD.
inline LowRank start_of(const Points& x, Index rank, double tau) {
    const TruncatedSvd svd = truncated_svd(x.view(), rank, false, {});
    return initial_matrix(project(x.view(), svd, {}), tau);
}

}  // namespace isogon::support
