#include "isogon/linalg/block_arithmetic.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::block_arithmetic_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

class BlockArithmetic : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, BlockArithmetic,
                         testing::Combine(testing::Values(0, 1, 7, 1023, 1024, 1025, 3000),
                                          testing::Values(1, 15, 16, 17, 40)));

TEST_P(BlockArithmetic, IsThatOfVectors) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = support::random_block(rows, columns, 1);
    BlockVectors b = support::random_block(rows, columns, 2);
    const Matrix x = to_matrix(a);
    const Matrix y = to_matrix(b);
    const double size = 1.0 + rows * columns;
    EXPECT_NEAR(dot(a, b, on_threads(2)), x.cwiseProduct(y).sum(), 1e-6 * size);
    add_scaled(-0.75, a, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), y - 0.75 * x), 1e-5);
    scale(3.0, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), 3.0 * y - 2.25 * x), 1e-5);
}

TEST_P(BlockArithmetic, SumsToTheSameBitsOnAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = support::random_block(rows, columns, 3);
    const BlockVectors b = support::random_block(rows, columns, 4);
    const double one = dot(a, b, on_threads(1));
    EXPECT_EQ(one, dot(a, b, on_threads(2)));
    EXPECT_EQ(one, dot(a, b, on_threads(3)));
}

}  // namespace
}  // namespace isogon::block_arithmetic_test
