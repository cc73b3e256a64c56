#include "graph/difference_gram.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon {
namespace {

using support::Matrix;

TEST(DifferenceGram, HoldsProductsOfDifferencesForOneRowAfterTheOther) {
    for (const Index dimension : {1U, 7U, 8U, 100U, 1100U}) {
        for (const Index neighbors : {1U, 4U, 5U, 13U}) {
            const Points points = reference::random_points(20, dimension, neighbors, 0.5);
            const Matrix x = support::to_matrix(points);
            DifferenceGram gram(neighbors, dimension);
            for (Index i = 0; i < 3; ++i) {
                std::vector<Index> near(neighbors);
                Matrix differences(neighbors, dimension);
                for (Index j = 0; j < neighbors; ++j) {
                    near[j] = (i + 2 * j + 1) % 20;
                    differences.row(j) = x.row(i) - x.row(near[j]);
                }
                gram.fill(points[i], points.view(), near);
                const Matrix expected = differences * differences.transpose();
                for (Index a = 0; a < neighbors; ++a) {
                    for (Index b = 0; b <= a; ++b) {
                        EXPECT_NEAR(gram.data()[b * gram.stride() + a], expected(a, b), 1e-13 * expected.norm());
                    }
                }
            }
            EXPECT_GE(DifferenceGram::bytes(neighbors, dimension), neighbors * (dimension + neighbors) * 8);
        }
    }
}

TEST(DifferenceGram, IsZeroForEqualPointsAlone) {
    Points points = reference::equal_points(3, 5);
    points[2][4] = std::nextafter(points[2][4], 1.0F);
    DifferenceGram gram(2, 5);
    gram.fill(points[0], points.view(), std::vector<Index>{1, 2});
    EXPECT_EQ(gram.data()[0], 0.0);
    EXPECT_GT(gram.data()[gram.stride() + 1], 0.0);
}

}  // namespace
}  // namespace isogon
