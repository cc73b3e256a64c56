#include "isogon/linalg/tall_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::tall_products_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::random_block;
using support::random_matrix;
using support::to_matrix;

// Float32 rounding over the 128 components that the kernel sums at once, as a share of the sum of magnitudes.
constexpr double rounding = 2e-6;

/// Largest error of a product A^T B as a share of what rounding may do to it.
double relative_error(const Matrix& result, const Matrix& at, const Matrix& b) {
    const Matrix exact = at * b;
    const Matrix scale = at.cwiseAbs() * b.cwiseAbs();
    return support::difference(result, exact) == INFINITY
               ? INFINITY
               : ((result - exact).array().abs() / (scale.array() + 1e-30)).maxCoeff();
}

class TallProducts : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, TallProducts,
                         testing::Combine(testing::Values(1, 47, 48, 49, 511, 513, 2000),
                                          testing::Values(1, 15, 16, 17, 47, 48, 49, 97, 130)));

TEST_P(TallProducts, GramIsTheProductInFloat64) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 1);
    const BlockVectors b = random_block(rows, 33, 2);
    EXPECT_LT(relative_error(to_matrix(gram(a, b, on_threads(2))), to_matrix(a).transpose(), to_matrix(b)), rounding);
    EXPECT_LT(relative_error(to_matrix(gram(b, a, on_threads(2))), to_matrix(b).transpose(), to_matrix(a)), rounding);
}

TEST_P(TallProducts, MultiplyIsTheProductInFloat64) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 3);
    const BlockVectors c = random_block(columns, 51, 4);
    const BlockVectors product = multiply(a, support::to_small(to_matrix(c)), on_threads(2));
    EXPECT_LT(relative_error(to_matrix(product), to_matrix(a), to_matrix(c)), rounding);
}

TEST_P(TallProducts, MultiplyAddIsTheSumOfBothProducts) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 5);
    const BlockVectors b = random_block(rows, 21, 6);
    const BlockVectors c = random_block(columns, 50, 7);
    const BlockVectors d = random_block(21, 50, 8);
    const BlockVectors sum = multiply_add(a, support::to_small(to_matrix(c)), b, support::to_small(to_matrix(d)), {});
    Matrix left(rows, columns + 21);
    left << to_matrix(a), to_matrix(b);
    Matrix right(columns + 21, 50);
    right << to_matrix(c), to_matrix(d);
    EXPECT_LT(relative_error(to_matrix(sum), left, right), rounding);
}

TEST_P(TallProducts, ProductsLeaveThePaddingZero) {
    const auto [rows, columns] = GetParam();
    const BlockVectors product =
        multiply(random_block(rows, 5, 9), support::to_small(random_matrix(5, columns, 10)), on_threads(2));
    for (Index i = 0; i < rows; ++i) {
        for (std::size_t k = columns; k < product.stride(); ++k) {
            ASSERT_EQ(product.row(i)[k], 0.0F);
        }
    }
}

TEST_P(TallProducts, AreTheSameBitsForAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 13);
    const DenseMatrix c = support::to_small(random_matrix(columns, 19, 14));
    const auto all = [&](int threads) {
        const RunContext context = on_threads(threads);
        const Matrix sum = to_matrix(multiply_add(a, c, a, c, context));
        return std::tuple(gram(a, a, context).values, Matrix(to_matrix(multiply(a, c, context))), sum);
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(TallProducts, CutTheRowsOfVeryTallBlocksToo) {
    for (const Index rows : {8191, 8192, 8193, 20000}) {
        const BlockVectors a = random_block(rows, 3, 16);
        const DenseMatrix product = gram(a, a, on_threads(1));
        EXPECT_LT(relative_error(to_matrix(product), to_matrix(a).transpose(), to_matrix(a)), rounding);
        EXPECT_EQ(product.values, gram(a, a, on_threads(3)).values);
    }
}

TEST(TallProducts, OfNothingAreEmptyOrZero) {
    EXPECT_EQ(to_matrix(gram(BlockVectors(0, 3), BlockVectors(0, 2), {})), Matrix::Zero(3, 2));
    EXPECT_EQ(gram(BlockVectors(5, 0), random_block(5, 2, 18), {}).values.size(), 0U);
    EXPECT_EQ(to_matrix(multiply(random_block(5, 2, 18), DenseMatrix(2, 0), {})), Matrix(5, 0));
    EXPECT_EQ(to_matrix(multiply(BlockVectors(5, 0), DenseMatrix(0, 3), {})), Matrix::Zero(5, 3));
}

}  // namespace
}  // namespace isogon::tall_products_test
