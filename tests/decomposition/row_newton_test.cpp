#include "decomposition/row_newton.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "decomposition/relu_examples.hpp"
#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::row_newton_test {

namespace {

using support::Matrix;
using support::ReluExample;

TEST(ActiveSet, HoldsTheSupportAndTheViolations) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const Matrix latent = support::product_of(factors);
        const auto found = active_set(problem.forward, factors, 1'000'000, {});
        ASSERT_TRUE(found.has_value());
        Matrix forward = Matrix::Zero(latent.rows(), latent.cols());
        Matrix backward = forward;
        for (Index i = 0; i < found->forward.rows(); ++i) {
            EXPECT_TRUE(std::ranges::is_sorted(found->forward.row(i), std::less_equal<>()));
            for (const Index j : found->forward.row(i)) {
                forward(i, j) += 1.0;
            }
        }
        for (Index j = 0; j < found->backward.rows(); ++j) {
            EXPECT_TRUE(std::ranges::is_sorted(found->backward.row(j), std::less_equal<>()));
            for (const Index i : found->backward.row(j)) {
                backward(i, j) += 1.0;
            }
        }
        for (Eigen::Index i = 0; i < latent.rows(); ++i) {
            for (Eigen::Index j = 0; j < latent.cols(); ++j) {
                const bool counts = example.known(i, j) && (example.s(i, j) > 0.0 || latent(i, j) > 0.0);
                EXPECT_EQ(forward(i, j), counts ? 1.0 : 0.0) << example.name << " " << i << ", " << j;
            }
        }
        EXPECT_EQ(forward, backward) << example.name;
    }
}

TEST(ActiveSet, IsEmptyAboveItsCapacity) {
    const support::ReluExample example{"", support::planted_relu(200, 150, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(200, 150, 3, 9);
    const Offset entries = active_set(problem.forward, factors, 1'000'000, {})->forward.entries();
    for (const int threads : {1, 3}) {
        const RunContext context = reference::on_threads(threads);
        EXPECT_TRUE(active_set(problem.forward, factors, entries, context).has_value());
        EXPECT_FALSE(active_set(problem.forward, factors, entries - 1, context).has_value());
    }
}

/// Factors of rank 8, of which `rank` columns are not zero.
ReluFactors padded_factors(const ReluProblem& problem, Index rank) {
    const ReluFactors some = support::random_factors(problem.forward.rows(), problem.forward.columns(), rank, 9);
    ReluFactors result{MultiVector<double>(some.left.rows(), 8), MultiVector<double>(some.right.rows(), 8)};
    for (Index k = 0; k < rank; ++k) {
        for (Index i = 0; i < some.left.rows(); ++i) {
            result.left.at(i, k) = some.left.at(i, k);
        }
        for (Index j = 0; j < some.right.rows(); ++j) {
            result.right.at(j, k) = some.right.at(j, k);
        }
    }
    return result;
}

/// The objective of row i with w, by the definition.
double left_over(const ReluExample& example, const Matrix& right, Eigen::Index i, const Eigen::VectorXd& w) {
    double sum = 0.0;
    for (Eigen::Index j = 0; j < right.rows(); ++j) {
        const double latent = right.row(j).dot(w);
        const double residual = example.s(i, j) > 0.0 ? example.s(i, j) - latent : std::max(0.0, latent);
        sum += example.known(i, j) ? residual * residual : 0.0;
    }
    return sum;
}

/// Newton's step for row i: least squares over the entries that count, and the best of five lengths.
double after_newton(const ReluExample& example, const Matrix& right, Eigen::Index i, const Eigen::VectorXd& w) {
    Matrix gram = Matrix::Zero(w.size(), w.size());
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(w.size());
    for (Eigen::Index j = 0; j < right.rows(); ++j) {
        const double latent = right.row(j).dot(w);
        if (example.known(i, j) && (example.s(i, j) > 0.0 || latent > 0.0)) {
            gram += right.row(j).transpose() * right.row(j);
            gradient += (example.s(i, j) - latent) * right.row(j).transpose();
        }
    }
    const Eigen::VectorXd step = gram.completeOrthogonalDecomposition().solve(gradient);
    double best = left_over(example, right, i, w);
    for (const double length : {1.0, 0.5, 0.25, 0.125}) {
        best = std::min(best, left_over(example, right, i, w + length * step));
    }
    return best;
}

TEST(RowNewton, GoesWhereNewtonsStepsGo) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = padded_factors(problem, 3);
        const RowStep step = row_newton_step(problem.forward, factors, {});
        const Matrix before = support::to_matrix(factors.left);
        const Matrix after = support::to_matrix(step.rows);
        const Matrix right = support::to_matrix(factors.right);
        double expected = 0.0;
        double found = 0.0;
        for (Eigen::Index i = 0; i < before.rows(); ++i) {
            const double now = left_over(example, right, i, after.row(i).transpose());
            EXPECT_LE(now, left_over(example, right, i, before.row(i).transpose()) * (1.0 + 1e-12)) << example.name;
            found += now;
            expected += after_newton(example, right, i, before.row(i).transpose());
        }
        EXPECT_NEAR(step.squares, found, 1e-9 * (1.0 + found)) << example.name;
        EXPECT_LT(found, expected + 1e-3 * (1.0 + expected)) << example.name;
    }
}

TEST(RowNewton, StaysAtAnExactL) {
    const ReluExample example{"", support::planted_relu(70, 60, 3, 0.0, 1), {}};
    ReluProblem problem = example.problem();
    ReluFactors factors = padded_factors(problem, 3);
    for (int k = 0; k < 300; ++k) {
        factors.left = row_newton_step(problem.forward, factors, {}).rows;
        std::swap(factors.left, factors.right);
        factors.left = row_newton_step(problem.backward, factors, {}).rows;
        std::swap(factors.left, factors.right);
    }
    const RowStep step = row_newton_step(problem.forward, factors, {});
    EXPECT_LT(step.squares, 1e-6 * problem.squared_norm);
    EXPECT_LT(support::difference(support::to_matrix(step.rows), support::to_matrix(factors.left)), 1e-3);
}

TEST(RowNewton, HasTheSameBitsOnAnyNumberOfThreads) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = padded_factors(problem, 3);
        const RowStep one = row_newton_step(problem.forward, factors, reference::on_threads(1));
        const RowStep three = row_newton_step(problem.forward, factors, reference::on_threads(3));
        EXPECT_EQ(one.rows.values(), three.rows.values()) << example.name;
        EXPECT_EQ(one.squares, three.squares) << example.name;
    }
}

std::vector<double> rows_of(const Matrix& a) {
    std::vector<double> values;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
        for (Eigen::Index j = 0; j < a.cols(); ++j) {
            values.push_back(a(i, j));
        }
    }
    return values;
}

TEST(RowCholesky, Solves) {
    for (const Index r : {1, 2, 7, 16}) {
        const Matrix half = support::random_matrix(r + 5, r, 1);
        const Matrix a = half.transpose() * half;
        const Matrix x = support::random_matrix(r, 1, 2);
        std::vector<double> factor = rows_of(a);
        std::vector<double> found = rows_of(a * x);
        cholesky_in_place(factor.data(), r);
        cholesky_solve(factor.data(), r, found.data());
        for (Index k = 0; k < r; ++k) {
            EXPECT_NEAR(found[k], x(k, 0), 1e-9) << r << " " << k;
        }
    }
}

TEST(RowCholesky, IsFiniteWhereTheMatrixIsSingular) {
    const Matrix half = support::random_matrix(2, 5, 1);
    for (const Matrix& a : {Matrix(half.transpose() * half), Matrix(Matrix::Zero(5, 5))}) {
        std::vector<double> factor = rows_of(a);
        std::vector<double> found = rows_of(a * support::random_matrix(5, 1, 2));
        cholesky_in_place(factor.data(), 5);
        cholesky_solve(factor.data(), 5, found.data());
        for (const double value : found) {
            EXPECT_TRUE(std::isfinite(value));
        }
    }
}

}  // namespace

}  // namespace isogon::row_newton_test
