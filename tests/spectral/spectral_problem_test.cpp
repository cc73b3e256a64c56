#include "spectral/spectral_problem.hpp"

#include <gtest/gtest.h>

#include "linalg/sparse_algebra.hpp"
#include "reference/graphs.hpp"
#include "spectral/dense_kernel.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"
#include "support/stated_need.hpp"

namespace isogon::spectral_problem_test {

namespace {

using support::Matrix;
using support::to_matrix;

SpectralProblem ring_problem(Index size, const Eigen::VectorXd& b) {
    SpectralProblem problem{.b = {b.begin(), b.end()}, .deflates_constant = true};
    problem.a = sparse_spectral_matrix(support::csr_matrix(support::ring_laplacian(size)));
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
    const SpectralSolution solution = solve_on_landmarks(problem, support::csr_matrix(z), {.count = 4}, {});
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
    const CsrMatrix<double> all = support::csr_matrix(Matrix::Identity(200, 200));
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
    problem.a = sparse_spectral_matrix(support::csr_matrix(points * points.transpose()));
    const Matrix x = to_matrix(solve_exactly(problem, {.count = 5}, {}).coordinates);
    EXPECT_LT(support::difference(x * x.transpose(), points * points.transpose()), 1e-6);
    EXPECT_LT(x.col(4).norm(), 1e-6);
}

TEST(SpectralProblem, RefusesWeightsOfOtherPoints) {
    const SpectralProblem problem = ring_problem(50, positive(50));
    EXPECT_THROW((void)solve_on_landmarks(problem, support::csr_matrix(Matrix::Ones(49, 5)), {.count = 2}, {}),
                 InvalidArgument);
}

using reference::dense;

/// Products, entries and the reduction by some weights are those of the dense matrix.
void expect_is(const SpectralMatrix& matrix, const Matrix& expected) {
    const Index size = matrix.size();
    const Matrix x = support::random_matrix(size, 5, 1);
    MultiVector<double> out(size, 5);
    matrix.apply(support::to_multi_vector(x), out, {.threads = 3});
    EXPECT_LT(support::difference(support::to_matrix(out), expected * x), 1e-12);
    EXPECT_TRUE(matrix.is_sparse());
    EXPECT_LT(support::difference(dense(matrix.entries({})), expected), 1e-12);
    const Matrix z = support::random_sparse(size, 9, 0.4, 2);
    const Matrix reduced = dense(matrix.reduced(support::csr_matrix(z), {}));
    EXPECT_LT(support::difference(reduced, z.transpose() * expected * z), 1e-11);
    EXPECT_EQ(reduced, reduced.transpose());
}

TEST(SpectralMatrix, OfEntries) {
    const Matrix a = support::ring_laplacian(50);
    expect_is(*sparse_spectral_matrix(support::csr_matrix(a)), a);
}

TEST(SpectralMatrix, OfAGraph) {
    const Matrix a = support::ring_laplacian(50);
    const Matrix degrees = a.diagonal();
    const Matrix weights = Matrix(degrees.asDiagonal()) - a;
    const std::vector<double> d(degrees.data(), degrees.data() + 50);
    const auto matrix = laplacian_spectral_matrix(support::csr_matrix(weights), d);
    expect_is(*matrix, a);
    EXPECT_EQ(matrix->product_entries(), 100.0);
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(50, 9, 0.4, 2));
    for (const std::vector<double>& b : {d, std::vector<double>(50, 2.0), std::vector<double>{}}) {
        const ReducedPencil pencil = matrix->reduced_pencil(b, z, {});
        Matrix expected = Matrix::Identity(50, 50);
        for (std::size_t i = 0; i < b.size(); ++i) {
            expected(static_cast<Index>(i), static_cast<Index>(i)) = b[i];
        }
        EXPECT_LT(support::difference(dense(pencil.a), dense(z).transpose() * a * dense(z)), 1e-11);
        EXPECT_LT(support::difference(dense(pencil.b), dense(z).transpose() * expected * dense(z)), 1e-11);
    }
}

TEST(SpectralMatrix, OfAFactorTwice) {
    const Matrix r = support::random_sparse(60, 40, 0.2, 3);
    const auto matrix = normal_spectral_matrix(support::csr_matrix(r));
    expect_is(*matrix, r.transpose() * r);
    EXPECT_EQ(matrix->product_entries(), 2.0 * static_cast<double>((r.array() != 0.0).count()));
}

TEST(SpectralMatrix, StatesWhatIsThereAtOnceWhileItIsReduced) {
    const Matrix ring = support::ring_laplacian(400);
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(400, 30, 0.1, 2));
    const CsrMatrix<double> r = support::csr_matrix(ring);
    const auto of_factor = normal_spectral_matrix(r);
    const CsrMatrix<double> mixed = product(r, z, {});
    const std::uint64_t of_normal =
        support::stated_need([&](const RunContext& context) { (void)of_factor->reduced(z, context); });
    const std::uint64_t of_product =
        support::stated_need([&](const RunContext& context) { (void)product(transpose(mixed), mixed, context); });
    EXPECT_EQ(of_normal, 2 * mixed.bytes() + of_product);

    const std::vector<double> degrees(400, 2.0);
    const CsrMatrix<double> weights = support::csr_matrix(2.0 * Matrix::Identity(400, 400) - ring);
    const auto of_graph = laplacian_spectral_matrix(weights, degrees);
    ReducedPencil pencil;
    const std::uint64_t of_pencil = support::stated_need(
        [&](const RunContext& context) { pencil = of_graph->reduced_pencil(degrees, z, context); });
    const std::uint64_t of_weights =
        support::stated_need([&](const RunContext& context) { (void)congruence(weights, z, context); });
    EXPECT_GE(of_pencil, of_weights + pencil.b.bytes());
}

TEST(SpectralMatrix, DenseOnesHaveNoEntries) {
    const Points points = reference::random_points(10, 3, 1);
    const auto matrix = centred_gram(points.view(), false);
    EXPECT_FALSE(matrix->is_sparse());
    EXPECT_THROW((void)matrix->entries({}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::spectral_problem_test
