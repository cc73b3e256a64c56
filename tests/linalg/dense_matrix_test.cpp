#include "linalg/dense_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::dense_matrix_test {
namespace {

TEST(DenseMatrix, ProductIsRowsTimesColumns) {
    for (const auto& [m, k, n] : {std::array<Index, 3>{1, 1, 1}, {3, 4, 2}, {5, 2, 7}, {2, 0, 3}}) {
        const support::Matrix a = support::random_matrix(m, k, 1);
        const support::Matrix b = support::random_matrix(k, n, 2);
        const DenseMatrix c = product(support::to_small(a), support::to_small(b));
        EXPECT_EQ(c.rows, m);
        EXPECT_EQ(c.columns, n);
        EXPECT_LT((support::to_matrix(c) - a * b).norm(), 1e-13);
    }
}

using support::Matrix;
using support::to_matrix;

Matrix random_symmetric(Index size, std::uint64_t seed) {
    const Matrix a = support::random_matrix(size, size, seed);
    return 0.5 * (a + a.transpose());
}

class SmallEigenOf : public testing::TestWithParam<std::tuple<Index, SpectrumOrder>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, SmallEigenOf,
                         testing::Combine(testing::Values(1, 2, 3, 10, 77),
                                          testing::Values(SpectrumOrder::Largest, SpectrumOrder::LargestMagnitude)));

TEST_P(SmallEigenOf, SatisfiesTheDefinitionInOrderWithItsLargestComponentsPositive) {
    const auto [size, order] = GetParam();
    const Matrix a = random_symmetric(size, 1);
    const SmallEigen eigen = symmetric_eigen(support::to_small(a), order);
    const Matrix v = to_matrix(eigen.vectors);
    const Eigen::Map<const Eigen::VectorXd> values(eigen.values.data(), size);
    EXPECT_LT(support::difference(a * v, v * values.asDiagonal()), 1e-12 * size);
    EXPECT_LT(support::orthonormality_error(v), 1e-13 * size);
    EXPECT_EQ(eigen.values.size(), size);
    EXPECT_TRUE(std::is_sorted(eigen.values.begin(), eigen.values.end(), [by = order](double x, double y) {
        return by == SpectrumOrder::Largest ? x > y : std::abs(x) > std::abs(y);
    }));
    for (Eigen::Index j = 0; j < v.cols(); ++j) {
        EXPECT_EQ(v.col(j).maxCoeff(), v.col(j).cwiseAbs().maxCoeff());
    }
}

TEST(SmallEigen, ReadsTheLowerTriangleOnly) {
    const Matrix a = random_symmetric(5, 4);
    Matrix broken = a;
    broken.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
    EXPECT_EQ(symmetric_eigen(support::to_small(a), SpectrumOrder::Largest).values,
              symmetric_eigen(support::to_small(broken), SpectrumOrder::Largest).values);
}

TEST(SmallEigen, PutsEqualMagnitudesOfBothSignsSideBySide) {
    const Matrix a = support::matrix_with_spectrum(4, {2.0, -2.0, 1.0, -1.0}, 5);
    const SmallEigen eigen = symmetric_eigen(support::to_small(a), SpectrumOrder::LargestMagnitude);
    EXPECT_NEAR(eigen.values[0] * eigen.values[1], -4.0, 1e-12);
    EXPECT_NEAR(eigen.values[2] * eigen.values[3], -1.0, 1e-12);
}

TEST(SmallEigen, OfZeroIsZeroWithAnOrthonormalBasis) {
    const SmallEigen eigen = symmetric_eigen(DenseMatrix(6, 6), SpectrumOrder::LargestMagnitude);
    EXPECT_EQ(eigen.values, std::vector<double>(6, 0.0));
    EXPECT_LT(support::orthonormality_error(to_matrix(eigen.vectors)), 1e-15);
}

TEST(SmallEigen, OfNothingIsNothing) {
    const SmallEigen eigen = symmetric_eigen(DenseMatrix(), SpectrumOrder::Largest);
    EXPECT_TRUE(eigen.values.empty());
    EXPECT_EQ(eigen.vectors.columns, 0U);
}

/// The orthogonal factor of A = R P, P symmetric and positive definite, is R.
TEST(OrthogonalFactor, IsWhatTurnsAPositiveMatrixIntoThis) {
    for (const Index size : {1U, 2U, 5U, 40U}) {
        const Matrix root = support::random_matrix(size, size, 3);
        const Matrix positive = root * root.transpose() + Matrix::Identity(size, size);
        const SmallEigen turn = symmetric_eigen(support::to_small(random_symmetric(size, 4)), SpectrumOrder::Largest);
        const Matrix rotation = to_matrix(turn.vectors);
        const OrthogonalFactor factor = orthogonal_factor(support::to_small(rotation * positive));
        EXPECT_LT((to_matrix(factor.matrix) - rotation).norm(), 1e-10 * size);
        EXPECT_NEAR(factor.sum, positive.trace(), 1e-10 * positive.trace());
    }
}

TEST(OrthogonalFactor, OfASingularMatrixIsOrthogonal) {
    DenseMatrix matrix(4, 4);
    matrix(1, 2) = 3.0;
    const OrthogonalFactor factor = orthogonal_factor(matrix);
    EXPECT_LT(support::orthonormality_error(to_matrix(factor.matrix)), 1e-14);
    EXPECT_NEAR(factor.sum, 3.0, 1e-14);
    EXPECT_NEAR(factor.matrix(1, 2), 1.0, 1e-14);
}

using reference::on_threads;
using support::to_small;

/// Residual, orthonormality and order, as shares of the largest magnitude of an eigenvalue; and the values themselves.
void expect_eigenpairs(const Matrix& a, std::size_t rank) {
    const SmallEigen eigen = largest_eigenpairs(to_small(a), rank, on_threads(2));
    const Eigen::SelfAdjointEigenSolver<Matrix> exact(a);
    const double scale = std::max(exact.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
    const Matrix v = to_matrix(eigen.vectors);
    const double rounding = 1e-15 * static_cast<double>(a.rows() + 20);
    ASSERT_EQ(eigen.values.size(), rank);
    for (std::size_t k = 0; k < rank; ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        EXPECT_NEAR(eigen.values[k], exact.eigenvalues()[a.rows() - 1 - column], rounding * scale);
        EXPECT_LT((a * v.col(column) - eigen.values[k] * v.col(column)).norm(), rounding * scale) << k;
        EXPECT_EQ(v.col(column).maxCoeff(), v.col(column).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(support::orthonormality_error(v), 1e-13);
    EXPECT_TRUE(std::is_sorted(eigen.values.rbegin(), eigen.values.rend()));
}

Matrix with_values(Index size, const std::vector<double>& values) {
    return support::matrix_with_spectrum(size, values, 5);
}

TEST(TridiagonalEigen, OfRandomMatricesOfAnySize) {
    for (const Index size : {1, 2, 3, 31, 32, 33, 97, 200}) {
        const Matrix r = support::random_matrix(size, size, size);
        expect_eigenpairs(r + r.transpose(), size);
        expect_eigenpairs(r + r.transpose(), std::min<std::size_t>(size, 3));
        expect_eigenpairs(1e-200 * (r + r.transpose()), 1);
    }
}

TEST(TridiagonalEigen, WhereEigenvaluesAreEqualOrNearly) {
    expect_eigenpairs(Matrix::Identity(40, 40), 40);
    expect_eigenpairs(Matrix::Zero(40, 40), 40);
    expect_eigenpairs(Matrix::Constant(40, 40, 3.0), 40);
    expect_eigenpairs(with_values(90, std::vector<double>(45, 2.0)), 90);
    expect_eigenpairs(with_values(90, {1.0, 1.0 - 1e-15, 1.0 - 1e-14, 1.0 - 1e-12, 1.0 - 1e-8, 0.5}), 12);
    std::vector<double> graded(60);
    for (std::size_t k = 0; k < graded.size(); ++k) {
        graded[k] = std::pow(0.5, k);
    }
    expect_eigenpairs(with_values(60, graded), 60);
    // Wilkinson's: pairs of eigenvalues that agree to all digits, each vector on its own half.
    Matrix wilkinson = Matrix::Zero(41, 41);
    for (Index i = 0; i < 41; ++i) {
        wilkinson(i, i) = std::abs(20.0 - i);
        if (i > 0) {
            wilkinson(i, i - 1) = wilkinson(i - 1, i) = 1.0;
        }
    }
    expect_eigenpairs(wilkinson, 41);
}

TEST(TridiagonalEigen, TheSameBitsForAnyNumberOfThreads) {
    const Matrix r = support::random_matrix(150, 150, 1);
    const DenseMatrix a = to_small(r + r.transpose());
    const SmallEigen one = largest_eigenpairs(a, 40, on_threads(1));
    const SmallEigen three = largest_eigenpairs(a, 40, on_threads(3));
    EXPECT_EQ(one.values, three.values);
    EXPECT_EQ(one.vectors.values, three.vectors.values);
}

TEST(TridiagonalEigen, RefusesRanksAboveTheSizeAndCanBeCancelled) {
    EXPECT_THROW((void)largest_eigenpairs(DenseMatrix(3, 3), 4, {}), InvalidArgument);
    EXPECT_TRUE(largest_eigenpairs(DenseMatrix(3, 3), 0, {}).values.empty());
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)largest_eigenpairs(DenseMatrix(3, 3), 1, context), Interruption);
}

}  // namespace
}  // namespace isogon::dense_matrix_test
