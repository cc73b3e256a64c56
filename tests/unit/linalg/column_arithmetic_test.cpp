#include "isogon/linalg/column_arithmetic.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrices.hpp"

namespace isogon::column_arithmetic_test {
namespace {

using support::Matrix;
using support::to_matrix;

const std::vector<double> factors{2.0, -0.5, 0.0};

Matrix diagonal() {
    return Eigen::Vector3d(factors[0], factors[1], factors[2]).asDiagonal();
}

TEST(ColumnArithmetic, DotsAreTheDiagonalOfTheProduct) {
    const BlockVectors a = support::random_block(3000, 3, 1);
    const BlockVectors b = support::random_block(3000, 3, 2);
    const Matrix expected = to_matrix(a).transpose() * to_matrix(b);
    const auto dots = column_dots(a, b, {});
    ASSERT_EQ(dots.size(), 3);
    for (Index k = 0; k < 3; ++k) {
        EXPECT_NEAR(dots[k], expected(k, k), 1e-10);
    }
    EXPECT_EQ(dots, column_dots(a, b, {.threads = 3}));
    EXPECT_EQ(dots, column_dots(a, b, {.threads = 1}));
}

TEST(ColumnArithmetic, EveryColumnHasItsFactor) {
    const BlockVectors a = support::random_block(1500, 3, 1);
    const BlockVectors b = support::random_block(1500, 3, 2);
    BlockVectors sum = b;
    add_scaled_columns(factors, a, sum, {});
    EXPECT_LT(support::difference(to_matrix(sum), to_matrix(b) + to_matrix(a) * diagonal()), 1e-5);
    BlockVectors scaled = b;
    scale_columns_and_add(factors, a, scaled, {});
    EXPECT_LT(support::difference(to_matrix(scaled), to_matrix(a) + to_matrix(b) * diagonal()), 1e-5);
}

}  // namespace
}  // namespace isogon::column_arithmetic_test
