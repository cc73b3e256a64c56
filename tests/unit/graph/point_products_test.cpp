#include "graph/point_products.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::point_products_test {
namespace {

using support::Matrix;

TEST(PointProducts, AreThoseAboutTheCenter) {
    const Points points = reference::random_points(37, 30, 3, 0.5);
    const PointProducts products(points.view(), true, {.threads = 3});
    ASSERT_TRUE(products.kept());
    Matrix about = support::to_matrix(points);
    for (Index k = 0; k < 30; ++k) {
        about.col(k).array() -= double{products.center()[k]};
    }
    const Matrix expected = about * about.transpose();
    for (Index l = 0; l < 37; ++l) {
        for (Index j = l; j < 37; ++j) {
            EXPECT_NEAR(products.products_with(l)[j], expected(j, l), 1e-13 * expected.norm());
        }
    }
    EXPECT_EQ(products.rows().rows(), 37U);
}

TEST(PointProducts, HaveACenterThatFewPointsDoNotMove) {
    Points points = reference::random_points(100, 4, 3);
    const std::vector<float> center = PointProducts(points.view(), false, {}).center();
    for (Index k = 0; k < 4; ++k) {
        points[0][k] = 1e14F;
    }
    const PointProducts moved(points.view(), false, {});
    EXPECT_FALSE(moved.kept());
    for (Index k = 0; k < 4; ++k) {
        EXPECT_NEAR(moved.center()[k], center[k], 1.0F);
    }
}

TEST(PointProducts, AreKeptWhereThatPays) {
    EXPECT_GT(PointProducts::bytes(300, 784, 60000, 50), 300U * 300U * 8U);
    EXPECT_EQ(PointProducts::bytes(300, 784, 1, 50), 0U);           // one row alone
    EXPECT_EQ(PointProducts::bytes(300, 10000000, 60000, 50), 0U);  // twenty gigabytes of points
}

TEST(PointProducts, HaveTheSameBitsOnAnyNumberOfThreads) {
    const Points points = reference::random_points(70, 11, 4);
    const PointProducts one(points.view(), true, {.threads = 1});
    const PointProducts three(points.view(), true, {.threads = 3});
    for (Index l = 0; l < 70; ++l) {
        for (Index j = l; j < 70; ++j) {
            EXPECT_EQ(one.products_with(l)[j], three.products_with(l)[j]);
        }
    }
}

}  // namespace
}  // namespace isogon::point_products_test
