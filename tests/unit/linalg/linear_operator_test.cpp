#include "isogon/linalg/linear_operator.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <type_traits>

#include "support/dense_matrices.hpp"

namespace isogon::linear_operator_test {

namespace {

using support::MatrixOperator;

TEST(LinearOperator, IsAllThatASolverNeedsToSeeOfAMatrix) {
    const support::Matrix a = support::matrix_with_spectrum(9, {3.0, -2.0, 1.0}, 1);
    const std::unique_ptr<const LinearOperator<float>> matrix = std::make_unique<MatrixOperator>(a);
    const MultiVector<float> in = support::random_block(9, 4, 2);
    MultiVector<float> out = support::random_block(9, 4, 3);  // arbitrary contents before the call
    ASSERT_EQ(matrix->size(), 9U);
    matrix->apply(in, out, {});
    EXPECT_LT(support::difference(support::to_matrix(out), a * support::to_matrix(in)), 1e-5);
}

TEST(LinearOperator, IsNeverCopiedOrSliced) {
    EXPECT_FALSE(std::is_copy_constructible_v<MatrixOperator>);
    EXPECT_FALSE(std::is_copy_assignable_v<LinearOperator<float>>);
    EXPECT_TRUE(std::has_virtual_destructor_v<LinearOperator<float>>);
}

}  // namespace

}  // namespace isogon::linear_operator_test
