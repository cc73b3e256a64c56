#include "isogon/linalg/small_eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "support/dense_matrices.hpp"

namespace isogon::small_eigen_test {
namespace {

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

TEST_P(SmallEigenOf, SatisfiesTheDefinition) {
    const auto [size, order] = GetParam();
    const Matrix a = random_symmetric(size, 1);
    const SmallEigen eigen = symmetric_eigen(support::to_small(a), order);
    const Matrix v = to_matrix(eigen.vectors);
    const Eigen::Map<const Eigen::VectorXd> values(eigen.values.data(), size);
    EXPECT_LT(support::difference(a * v, v * values.asDiagonal()), 1e-12 * size);
    EXPECT_LT(support::orthonormality_error(v), 1e-13 * size);
}

TEST_P(SmallEigenOf, ComesInTheOrderAskedFor) {
    const auto [size, order] = GetParam();
    const SmallEigen eigen = symmetric_eigen(support::to_small(random_symmetric(size, 2)), order);
    EXPECT_EQ(eigen.values.size(), size);
    EXPECT_TRUE(std::is_sorted(eigen.values.begin(), eigen.values.end(), [by = order](double a, double b) {
        return by == SpectrumOrder::Largest ? a > b : std::abs(a) > std::abs(b);
    }));
}

TEST_P(SmallEigenOf, HasItsLargestComponentsPositive) {
    const auto [size, order] = GetParam();
    const Matrix v = to_matrix(symmetric_eigen(support::to_small(random_symmetric(size, 3)), order).vectors);
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

}  // namespace
}  // namespace isogon::small_eigen_test
