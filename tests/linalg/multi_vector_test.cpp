#include "linalg/multi_vector.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "linalg/packed_points.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::multi_vector_test {
namespace {

using support::random_block;
using support::to_matrix;

class BlockOf : public testing::TestWithParam<std::pair<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, BlockOf,
                         testing::Values(std::pair(0, 0), std::pair(0, 5), std::pair(5, 0), std::pair(1, 1),
                                         std::pair(3, 15), std::pair(3, 16), std::pair(3, 17), std::pair(100, 130)));

TEST_P(BlockOf, HasAlignedRowsPaddedToWholeVectors) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> block(rows, columns);
    EXPECT_EQ(block.rows(), rows);
    EXPECT_EQ(block.columns(), columns);
    EXPECT_EQ(block.stride() % 16, 0U);
    EXPECT_GE(block.stride(), columns);
    EXPECT_LT(block.stride(), columns + 16U);
    for (Index i = 0; i < rows; ++i) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.row(i)) % 64, 0U);
    }
}

/// 9 MB: beyond what is asked to lie in large pages.
TEST(AlignedArray, OfManyNumbersIsZeroAndCopied) {
    AlignedArray<float> all(9U << 18U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.data()) % 64, 0U);
    EXPECT_TRUE(std::all_of(all.data(), all.data() + all.size(), [](float number) { return number == 0.0F; }));
    std::iota(all.data(), all.data() + all.size(), 0.0F);
    const AlignedArray<float> copy = all;
    EXPECT_EQ(copy.size(), all.size());
    EXPECT_TRUE(std::equal(all.data(), all.data() + all.size(), copy.data()));
}

TEST_P(BlockOf, IsZeroAtTheStartToTheEndOfItsLastPanel) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> block(rows, columns);
    const std::size_t floats = rows * block.stride() + panel_width;
    EXPECT_EQ(MultiVector<float>::bytes(rows, columns), floats * sizeof(float));
    EXPECT_EQ(std::accumulate(block.row(0), block.row(0) + floats, 0.0F,
                              [](float sum, float value) { return sum + std::abs(value); }),
              0.0F);
}

TEST_P(BlockOf, CopiesAreDeep) {
    const auto [rows, columns] = GetParam();
    MultiVector<float> block = random_block(rows, columns, 1);
    const support::Matrix before = to_matrix(block);
    const MultiVector<float> copy = block;
    MultiVector<float> assigned(2, 3);
    assigned = block;
    block.fill_zero();
    EXPECT_EQ(to_matrix(copy), before);
    EXPECT_EQ(to_matrix(assigned), before);
    EXPECT_EQ(assigned.stride(), copy.stride());
    EXPECT_EQ(to_matrix(block), support::Matrix::Zero(rows, columns));
}

TEST_P(BlockOf, MovesKeepTheValues) {
    const auto [rows, columns] = GetParam();
    MultiVector<float> block = random_block(rows, columns, 2);
    const support::Matrix before = to_matrix(block);
    MultiVector<float> moved = std::move(block);
    EXPECT_EQ(to_matrix(moved), before);
    MultiVector<float> target(1, 1);
    target = std::move(moved);
    EXPECT_EQ(to_matrix(target), before);
}

TEST(MultiVector, SurviveAssignmentToThemselves) {
    MultiVector<float> block = random_block(7, 3, 3);
    const support::Matrix before = to_matrix(block);
    const MultiVector<float>& same = block;
    block = same;
    EXPECT_EQ(to_matrix(block), before);
}

TEST(MultiVector, AreSeenAsPointsWithoutACopy) {
    const MultiVector<float> block = random_block(7, 3, 4);
    const PointsView view = block.view();
    EXPECT_EQ(view.data, block.row(0));
    EXPECT_EQ(view.stride, block.stride());
    EXPECT_EQ(to_matrix(view), to_matrix(block));
}

TEST(MultiVector, OfNothingCanBeCopied) {
    const MultiVector<float> nothing;
    const MultiVector<float> copy = nothing;
    EXPECT_EQ(copy.rows(), 0U);
    EXPECT_EQ(copy.columns(), 0U);
}

TEST(MultiVector, SelectsAndConcatenatesColumns) {
    const support::Matrix u = support::random_matrix(20, 4, 1);
    const MultiVector<double> wide = support::to_multi_vector(u);
    const std::array<Index, 2> chosen{3, 1};
    support::Matrix expected(20, 2);
    expected << u.col(3), u.col(1);
    const MultiVector<double> columns = select_columns(wide, chosen);
    EXPECT_EQ(to_matrix(columns), expected);
    const MultiVector<double> none;
    support::Matrix joined(20, 6);
    joined << u, expected;
    EXPECT_EQ(to_matrix(concatenate_columns(std::array<const MultiVector<double>*, 3>{&wide, &none, &columns})),
              joined);
}

TEST(MultiVector, OfFloat64LiesWithoutGaps) {
    MultiVector<double> block(2, 3, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
    EXPECT_EQ(block.stride(), 3U);
    EXPECT_EQ(block.at(1, 0), 4.0);
    EXPECT_EQ(block.row(1), block.row(0) + 3);
    EXPECT_EQ(MultiVector<double>::bytes(2, 3), block.values().size() * sizeof(double));
    const MultiVector<double> copy = block;
    block.fill_zero();
    EXPECT_EQ(block.values(), std::vector<double>(6, 0.0));
    EXPECT_EQ(block.values(), MultiVector<double>(2, 3).values());
    EXPECT_EQ(copy.at(1, 2), 6.0);
}

TEST(MultiVectorOfDouble, AsPointsIsRoundedToFloat) {
    MultiVector<double> y(20, 3);
    y.at(7, 2) = 0.1;
    const Points points = to_points(y);
    ASSERT_EQ(points.count(), 20U);
    EXPECT_EQ(points[7][2], 0.1F);
    EXPECT_EQ(points[7][1], 0.0F);
}

}  // namespace
}  // namespace isogon::multi_vector_test
