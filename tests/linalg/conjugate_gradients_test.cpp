#include "linalg/conjugate_gradients.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_matrices.hpp"

namespace isogon::conjugate_gradients_test {
namespace {

using support::Matrix;
using support::MatrixOperator;
using support::to_matrix;

/// Positive definite, with eigenvalues from 1 down to 1 / condition.
Matrix positive_definite(Index size, double condition, std::uint64_t seed) {
    std::vector<double> values(size);
    for (Index i = 0; i < size; ++i) {
        values[i] = std::pow(condition, -static_cast<double>(i) / std::max<Index>(size - 1, 1));
    }
    return support::matrix_with_spectrum(size, values, seed);
}

Eigen::VectorXd relative_residuals(const Matrix& a, const MultiVector<float>& x, const MultiVector<float>& b) {
    const Matrix r = to_matrix(b) - a * to_matrix(x);
    return r.colwise().norm().cwiseQuotient(to_matrix(b).colwise().norm()).transpose();
}

ConjugateGradientResult solve(const LinearOperator<float>& a, const MultiVector<float>& b,
                              const ConjugateGradientOptions& options = {}, const RunContext& context = {}) {
    return conjugate_gradients(a, b, MultiVector<float>(b.rows(), b.columns()), options, context);
}

TEST(ConjugateGradients, SolveTheEquationToTheTolerance) {
    for (const Index size : {1, 2, 20, 150}) {
        const MatrixOperator a(positive_definite(size, 300.0, size));
        const MultiVector<float> b = support::random_block(size, 5, 2);
        const auto result = solve(a, b);
        EXPECT_EQ(result.termination, Termination::Converged);
        const Eigen::VectorXd residuals = relative_residuals(a.matrix(), result.solution, b);
        for (Index k = 0; k < 5; ++k) {
            EXPECT_LE(residuals[k], 1.01e-5);
            EXPECT_NEAR(result.residuals[k], residuals[k], 1e-6);
        }
        EXPECT_EQ(result.largest_residual(), *std::max_element(result.residuals.begin(), result.residuals.end()));
    }
}

TEST(ConjugateGradients, ColumnsShareNothingButTheProducts) {
    const MatrixOperator a(positive_definite(60, 100.0, 3));
    const MultiVector<float> b = support::random_block(60, 3, 4);
    const auto together = solve(a, b);
    for (Index k = 0; k < 3; ++k) {
        const auto alone = solve(a, support::to_block(to_matrix(b).col(k)));
        EXPECT_LT((to_matrix(alone.solution) - to_matrix(together.solution).col(k)).norm(),
                  1e-3 * to_matrix(alone.solution).norm());
    }
}

TEST(ConjugateGradients, EndInAsManyIterationsAsThereAreEigenvalues) {
    Matrix a = Matrix::Identity(50, 50) * 2.0;
    a.topLeftCorner(20, 20) *= 3.0;
    const MatrixOperator matrix(a);
    const auto result = solve(matrix, support::random_block(50, 2, 1));
    EXPECT_EQ(result.iterations, 2);
    EXPECT_EQ(result.course.size(), 2);
}

TEST(ConjugateGradients, AreDoneAtOnceFromTheSolution) {
    const MatrixOperator a(Matrix::Identity(30, 30) * 0.5);
    const MultiVector<float> b = support::random_block(30, 2, 1);
    const auto result = conjugate_gradients(a, b, support::to_block(2.0 * to_matrix(b)), {}, {});
    EXPECT_EQ(result.iterations, 0);
    EXPECT_EQ(result.termination, Termination::Converged);
}

TEST(ConjugateGradients, AnswerARightHandSideOfZeroWithZero) {
    const MatrixOperator a(positive_definite(30, 10.0, 3));
    Matrix right = support::random_matrix(30, 3, 4);
    right.col(1).setZero();
    const MultiVector<float> b = support::to_block(right);
    const auto result = conjugate_gradients(a, b, support::random_block(30, 3, 9), {}, {});
    EXPECT_EQ(result.termination, Termination::Converged);
    EXPECT_EQ(to_matrix(result.solution).col(1).norm(), 0.0);
    EXPECT_EQ(result.residuals[1], 0.0);
}

TEST(ConjugateGradients, KeepTheStartInTheNullSpaceOfASemidefiniteMatrix) {
    Matrix matrix = Matrix::Zero(40, 40);
    matrix.topLeftCorner(30, 30) = positive_definite(30, 50.0, 2);
    const MatrixOperator a(matrix);
    Matrix right = support::random_matrix(40, 2, 3);
    right.bottomRows(10).setZero();
    const MultiVector<float> start = support::random_block(40, 2, 8);
    const auto result = conjugate_gradients(a, support::to_block(right), start, {}, {});
    EXPECT_EQ(result.termination, Termination::Converged);
    EXPECT_EQ(to_matrix(result.solution).bottomRows(10), to_matrix(start).bottomRows(10));
}

TEST(ConjugateGradients, ReachWhatFloat32HoldsAndSayWhatTheyReached) {
    const MatrixOperator a(positive_definite(120, 1e3, 5));
    const MultiVector<float> b = support::random_block(120, 2, 6);
    const auto result = solve(a, b, {.tolerance = 1e-9, .iterations = 5000});
    EXPECT_EQ(result.termination, Termination::Stalled);
    EXPECT_LT(result.iterations, 5000);
    const Eigen::VectorXd residuals = relative_residuals(a.matrix(), result.solution, b);
    EXPECT_NEAR(result.largest_residual(), residuals.maxCoeff(), 0.2 * residuals.maxCoeff());
}

TEST(ConjugateGradients, NeverMakeNaN) {
    for (const double value : {-1.0, 0.0, 1e-44, 1e38}) {
        const MatrixOperator a(Matrix::Identity(20, 20) * value);
        const auto result = solve(a, support::random_block(20, 3, 1));
        EXPECT_TRUE(to_matrix(result.solution).allFinite());
        EXPECT_TRUE(std::isfinite(result.largest_residual()));
        EXPECT_TRUE(result.termination == Termination::Stalled || result.largest_residual() <= 1e-5);
    }
    Matrix indefinite = positive_definite(20, 10.0, 1);
    indefinite -= 0.3 * Matrix::Identity(20, 20);
    const auto result = solve(MatrixOperator(indefinite), support::random_block(20, 3, 1));
    EXPECT_TRUE(to_matrix(result.solution).allFinite());
}

TEST(ConjugateGradients, CanBeCancelled) {
    const MatrixOperator a(positive_definite(100, 1e4, 5));
    const MultiVector<float> b = support::random_block(100, 2, 6);
    const auto few = solve(a, b, {.iterations = 3});
    EXPECT_EQ(few.termination, Termination::IterationLimit);
    EXPECT_EQ(few.iterations, 3);
    EXPECT_NEAR(few.largest_residual(), relative_residuals(a.matrix(), few.solution, b).maxCoeff(), 1e-5);

    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 4) {
            source.request_stop();
        }
    };
    const auto stopped = solve(a, b, {}, context);
    EXPECT_EQ(stopped.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.iterations, 4);
    // Nearer to the solution in the norm of A than nothing is.
    const Matrix solution = a.matrix().ldlt().solve(to_matrix(b));
    const Matrix error = to_matrix(stopped.solution) - solution;
    EXPECT_LT((error.transpose() * a.matrix() * error).trace(), (solution.transpose() * a.matrix() * solution).trace());
}

TEST(ConjugateGradients, HaveTheSameBitsOnAnyNumberOfThreads) {
    const MatrixOperator a(positive_definite(90, 100.0, 5));
    const MultiVector<float> b = support::random_block(90, 4, 6);
    const auto one = solve(a, b, {}, {.threads = 1});
    for (const int threads : {2, 3}) {
        EXPECT_EQ(to_matrix(solve(a, b, {}, {.threads = threads}).solution), to_matrix(one.solution));
    }
}

}  // namespace
}  // namespace isogon::conjugate_gradients_test
