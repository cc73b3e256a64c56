#include "isogon/spectral/spectral_problem.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::spectral_problem_test {
namespace {

using support::Matrix;
using support::to_matrix;

SpectralProblem ring_problem(Index size, const Eigen::VectorXd& b) {
    SpectralProblem problem{.b = {b.begin(), b.end()}, .deflates_constant = true};
    problem.a = sparse_spectral_matrix(support::wide_sparse(support::ring_laplacian(size)));
    return problem;
}

Eigen::VectorXd positive(Index size) {
    return (support::random_matrix(size, 1, 5).array().abs() + 0.5).matrix();
}

/// Rows that sum to one, the first ones units: landmarks.
Matrix mixing_weights(Index points, Index landmarks) {
    Matrix z = support::random_sparse(points, landmarks, 0.3, 6).cwiseAbs();
    z.col(0).array() += 0.1;
    for (Index l = 0; l < landmarks; ++l) {
        z.row(l).setZero();
        z(l, l) = 1.0;
    }
    return z.array().colwise() / z.rowwise().sum().array();
}

TEST(SpectralProblem, SolvesWhatItSays) {
    const Eigen::VectorXd b = positive(400);
    const SpectralProblem problem = ring_problem(400, b);
    const SpectralSolution solution = solve_exactly(problem, {.count = 5}, {});
    const Matrix x = to_matrix(solution.coordinates);
    const Matrix a = support::ring_laplacian(400);
    EXPECT_LT(support::difference(x.transpose() * b.asDiagonal() * x, Matrix::Identity(5, 5)), 1e-10);
    EXPECT_LT((x.transpose() * b).norm(), 1e-10);
    const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(solution.eigenvalues.data(), 5);
    EXPECT_LT((a * x - b.asDiagonal() * x * values.asDiagonal()).norm(), 1e-8);
    // No other function on the ring does better: the values are the least but for that of the constant.
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> truth(a, Matrix(b.asDiagonal()));
    EXPECT_LT((values - truth.eigenvalues().segment(1, 5)).norm(), 1e-10);
}

TEST(SpectralProblem, OnLandmarksIsTheSameProblemAmongMixtures) {
    const Eigen::VectorXd b = positive(300);
    const SpectralProblem problem = ring_problem(300, b);
    const Matrix z = mixing_weights(300, 40);
    const SpectralSolution solution = solve_on_landmarks(problem, support::wide_sparse(z), {.count = 4}, {});
    const Matrix x = to_matrix(solution.coordinates);
    EXPECT_LT(support::difference(x, z * to_matrix(solution.landmarks)), 1e-12);
    EXPECT_LT(support::difference(x.transpose() * b.asDiagonal() * x, Matrix::Identity(4, 4)), 1e-9);
    EXPECT_LT((x.transpose() * b).norm(), 1e-9);
    const Matrix a = z.transpose() * support::ring_laplacian(300) * z;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> truth(a, z.transpose() * b.asDiagonal() * z);
    for (Index j = 0; j < 4; ++j) {
        EXPECT_NEAR(solution.eigenvalues[j], truth.eigenvalues()[j + 1], 1e-9);
    }
}

TEST(SpectralProblem, WithEveryPointALandmarkIsTheExactOne) {
    const SpectralProblem problem = ring_problem(200, positive(200));
    const SpectralSolution exact = solve_exactly(problem, {.count = 4}, {});
    const CsrMatrix<double> all = support::wide_sparse(Matrix::Identity(200, 200));
    const SpectralSolution landmarks = solve_on_landmarks(problem, all, {.count = 4}, {});
    for (Index j = 0; j < 4; ++j) {
        EXPECT_NEAR(landmarks.eigenvalues[j], exact.eigenvalues[j], 1e-10);
    }
    // Waves come in pairs that lie close together: the pairs' spans agree.
    const Matrix x = to_matrix(landmarks.coordinates);
    const Matrix y = to_matrix(exact.coordinates);
    EXPECT_LT(support::difference(x * x.transpose(), y * y.transpose()), 1e-5);
}

TEST(SpectralProblem, GramMatricesGiveCoordinatesWhoseProductsTheyAre) {
    const Matrix points = support::random_matrix(90, 3, 8);
    SpectralProblem problem{.end = SpectrumEnd::Largest, .scale = CoordinateScale::RootOfValue};
    problem.a = sparse_spectral_matrix(support::wide_sparse(points * points.transpose()));
    const Matrix x = to_matrix(solve_exactly(problem, {.count = 5}, {}).coordinates);
    EXPECT_LT(support::difference(x * x.transpose(), points * points.transpose()), 1e-6);
    EXPECT_LT(x.col(4).norm(), 1e-6);
}

TEST(SpectralProblem, RefusesWeightsOfOtherPoints) {
    const SpectralProblem problem = ring_problem(50, positive(50));
    EXPECT_THROW((void)solve_on_landmarks(problem, support::wide_sparse(Matrix::Ones(49, 5)), {.count = 2}, {}),
                 InvalidArgument);
}

}  // namespace
}  // namespace isogon::spectral_problem_test
