#include "support/matching_examples.hpp"

namespace isogon::support {

Points clustered_points(Index count, Index dimension, Index clusters, double spread, std::uint64_t seed) {
    Matrix axes = random_matrix(clusters, dimension, seed);
    axes.rowwise().normalize();
    const Matrix noise = random_matrix(count, dimension, seed + 1000) * (spread / std::sqrt(dimension));
    Matrix points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed + 2000, RandomStream::Test, i);
        points.row(i) = random.uniform(0.5, 2.0) * (axes.row(i % clusters) + noise.row(i)).normalized();
    }
    return to_points(points);
}

MatchingExample example_with_negative_lift(Index count, std::uint64_t seed) {
    MatchingExample example(clustered_points(count, 10, 6, 0.8, seed), 0.5);
    example.s.unthresholded_sum = -20.0 * to_matrix(example.s).sum();
    return example;
}

Matrix unthresholded(const Matrix& x, double tau) {
    const Eigen::VectorXd lengths = x.rowwise().norm();
    return x * x.transpose() - tau * lengths * lengths.transpose();
}

Matrix to_matrix(const Similarities& s) {
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

Matrix to_matrix(const LowRank& l) {
    const Matrix f = to_matrix(l.factor);
    return f * Eigen::Map<const Eigen::VectorXd>(l.weights.data(), l.rank()).asDiagonal() * f.transpose();
}

Matrix support_mask(const Matrix& s) {
    return (s.array() > 0.0).cast<double>();
}

Matrix completed(const Matrix& s, const Matrix& l) {
    return (s.array() > 0.0).select(s, l.cwiseMin(0.0));
}

double matching_objective(const Matrix& s, const Matrix& l) {
    return (l - completed(s, l)).squaredNorm();
}

double lift_of(const Matrix& s, const Matrix& l, double unthresholded_sum) {
    const double zeros = static_cast<double>(s.size()) - support_mask(s).sum();
    return std::min(0.0, unthresholded_sum - completed(s, l).sum()) / std::max(1.0, zeros);
}

Matrix updated(const Matrix& s, const Matrix& l, Index rank, bool regularize, double unthresholded_sum) {
    Matrix z = completed(s, l);
    if (regularize) {
        const double lift = lift_of(s, l, unthresholded_sum);
        z.array() += lift * (1.0 - support_mask(s).array());
    }
    return truncated(z, rank);
}

LowRank start_of(const Points& x, Index rank, double tau) {
    const TruncatedSvd svd = truncated_svd(x.view(), rank, false, {});
    return initial_matrix(project(x.view(), svd, {}), tau);
}

}  // namespace isogon::support
