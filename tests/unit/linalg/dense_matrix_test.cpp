#include "isogon/linalg/dense_matrix.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "support/dense_matrices.hpp"

namespace isogon::dense_matrix_test {
namespace {

TEST(DenseMatrix, IsZeroAtTheStartAndEmptyWithoutAShape) {
    const DenseMatrix matrix(3, 2);
    EXPECT_EQ(matrix.rows, 3U);
    EXPECT_EQ(matrix.columns, 2U);
    EXPECT_EQ(matrix.values, std::vector<double>(6, 0.0));
    EXPECT_TRUE(DenseMatrix().values.empty());
    EXPECT_TRUE(DenseMatrix(0, 4).values.empty());
}

TEST(DenseMatrix, KeepsItsColumnsTogether) {
    DenseMatrix matrix(3, 2);
    double next = 1.0;
    for (std::size_t j = 0; j < 2; ++j) {
        for (std::size_t i = 0; i < 3; ++i) {
            matrix(i, j) = next++;
        }
    }
    EXPECT_EQ(matrix.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    const DenseMatrix& same = matrix;
    EXPECT_EQ(same(2, 0), 3.0);
    EXPECT_EQ(same(0, 1), 4.0);
}

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

}  // namespace
}  // namespace isogon::dense_matrix_test
