#include "graph/difference_gram.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::difference_rows_test {
namespace {

using support::Matrix;

struct Rows {
    Rows(std::size_t count, Index dimension) : differences(count, dimension), truth(count, dimension) {
        const Points left = reference::random_points(static_cast<Index>(count), dimension, 1, 0.5);
        const Points right = reference::random_points(static_cast<Index>(count), dimension, 2, 0.5);
        for (Index i = 0; i < count; ++i) {
            differences.set(i, left[i], right[i]);
        }
        truth = support::to_matrix(left) - support::to_matrix(right);
    }
    DifferenceRows differences;
    Matrix truth;
};

TEST(DifferenceRows, MultiplyAmongEachOther) {
    for (const Index dimension : {1U, 7U, 8U, 100U, 1100U}) {
        for (const Index count : {1U, 4U, 5U, 13U}) {
            const Rows rows(count, dimension);
            const std::size_t stride = DifferenceRows::padded(count);
            EXPECT_EQ(stride % 4, 0U);
            std::vector<double> gram(stride * stride);
            rows.differences.multiply({0, count}, gram.data(), stride);
            const Matrix expected = rows.truth * rows.truth.transpose();
            for (Index i = 0; i < count; ++i) {
                for (Index j = 0; j <= i; ++j) {
                    EXPECT_NEAR(gram[j * stride + i], expected(i, j), 1e-13 * expected.norm());
                }
            }
            EXPECT_GE(DifferenceRows::bytes(count, dimension), count * dimension * sizeof(double));
        }
    }
}

// Products kept for many rows equal those that one row would make for itself.
TEST(DifferenceRows, HaveTheSameProductsHoweverTheyAreMade) {
    for (const Index dimension : {3U, 784U, 1500U}) {
        constexpr Index count = 22;
        const Rows rows(count, dimension);
        const std::size_t stride = DifferenceRows::padded(count);
        std::vector<double> whole(stride * stride);
        rows.differences.multiply({0, count}, whole.data(), stride);
        std::vector<double> parts(stride * stride);
        rows.differences.multiply({8, count}, parts.data(), stride);
        rows.differences.multiply({0, 8}, parts.data(), stride);
        DifferenceRows one(1, dimension);
        const Points left = reference::random_points(count, dimension, 1, 0.5);
        const Points right = reference::random_points(count, dimension, 2, 0.5);
        const std::vector<Index> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
        for (Index i = 0; i < count; ++i) {
            one.set(0, left[i], right[i]);
            std::vector<double> products(count);
            rows.differences.multiply(all, one, products.data());
            for (Index j = 0; j <= i; ++j) {
                EXPECT_EQ(whole[j * stride + i], parts[j * stride + i]);
                EXPECT_EQ(whole[j * stride + i], products[j]);
            }
            for (Index j = i; j < count; ++j) {
                EXPECT_EQ(whole[i * stride + j], products[j]);
            }
        }
    }
}

}  // namespace
}  // namespace isogon::difference_rows_test
