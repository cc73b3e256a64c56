#include "graph/difference_gram.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::difference_gram_test {
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

Matrix lower_half(PositiveSystem& system) {
    const auto size = static_cast<Eigen::Index>(system.size());
    Matrix result = Matrix::Zero(size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
        for (Eigen::Index i = j; i < size; ++i) {
            result(i, j) = system.column(static_cast<std::size_t>(j))[i];
        }
    }
    return result;
}

/// By definition.
Matrix slow_gram(std::span<const float> row, const Points& points, const std::vector<Index>& near) {
    Matrix differences(near.size(), row.size());
    for (Index j = 0; j < near.size(); ++j) {
        for (Index k = 0; k < row.size(); ++k) {
            differences(j, k) = double{row[k]} - double{points[near[j]][k]};
        }
    }
    return Matrix(differences * differences.transpose()).triangularView<Eigen::Lower>();
}

std::vector<Index> every_other(Index first, Index count) {
    std::vector<Index> near(count);
    for (Index j = 0; j < count; ++j) {
        near[j] = first + 2 * j;
    }
    return near;
}

/// The three ways: by differences, by products that are kept, and by products made for the row.
struct Ways {
    Ways(const Points& points, Index neighbors)
        : table(points.view(), true, {}),
          center(points.view(), false, {}),
          grams{DifferenceGram(points.view(), neighbors), DifferenceGram(table, neighbors),
                DifferenceGram(center, neighbors)} {}
    PointProducts table;
    PointProducts center;
    std::array<DifferenceGram, 3> grams;
};

TEST(DifferenceGram, HoldsProductsOfDifferencesHoweverItIsMade) {
    for (const Index dimension : {1U, 7U, 100U, 1100U}) {
        for (const Index neighbors : {1U, 4U, 5U, 13U}) {
            const Points points = reference::random_points(40, dimension, neighbors, 0.5);
            const Points rows = reference::random_points(3, dimension, 77, 0.5);
            Ways ways(points, neighbors);
            PositiveSystem system(neighbors);
            for (Index i = 0; i < 3; ++i) {
                const std::vector<Index> near = every_other(i, neighbors);
                const Matrix expected = slow_gram(rows[i], points, near);
                std::vector<Matrix> made;
                for (DifferenceGram& gram : ways.grams) {
                    gram.fill(rows[i], near, system);
                    made.push_back(lower_half(system));
                    EXPECT_LT((made.back() - expected).norm(), 1e-13 * expected.norm());
                }
                EXPECT_EQ(made[1], made[2]);
            }
            EXPECT_GE(DifferenceGram::bytes(neighbors, dimension), neighbors * (dimension + neighbors) * 8);
        }
    }
}

TEST(DifferenceGram, IsZeroWhereTheRowIsAPoint) {
    const Points points = reference::random_points(12, 9, 3);
    const std::vector<Index> near{1, 4, 7, 9};
    Ways ways(points, 4);
    for (DifferenceGram& gram : ways.grams) {
        PositiveSystem system(4);
        gram.fill(points[7], near, system);
        const Matrix c = lower_half(system);
        EXPECT_EQ(c.row(2).head(3), Matrix::Zero(1, 3));
        EXPECT_EQ(c(3, 2), 0.0);
        EXPECT_GT(c(0, 0), 0.0);
        EXPECT_GT(c(3, 3), 0.0);
    }
}

// Two clumps a million apart, each about as wide as one: about a centre between or in one of them, all but a few of the
// digits of a product belong to the distance.
TEST(DifferenceGram, IsAsExactFarFromTheCenter) {
    Points points = reference::random_points(40, 6, 3);
    for (Index i = 0; i < 40; i += 2) {
        points[i][2] += 1e6F;
    }
    Ways ways(points, 8);
    const std::vector<Index> far = every_other(2, 8);
    const std::vector<Index> near = every_other(3, 8);
    PositiveSystem system(8);
    for (DifferenceGram& gram : ways.grams) {
        gram.fill(points[0], far, system);
        const Matrix expected = slow_gram(points[0], points, far);
        EXPECT_LT((lower_half(system) - expected).norm(), 1e-13 * expected.norm());
        gram.fill(points[1], near, system);
        const Matrix other = slow_gram(points[1], points, near);
        EXPECT_LT((lower_half(system) - other).norm(), 1e-13 * other.norm());
    }
}

TEST(DifferenceGram, IsZeroForEqualPointsAlone) {
    Points points = reference::equal_points(3, 5);
    points[2][4] = std::nextafter(points[2][4], 1.0F);
    Ways ways(points, 2);
    for (DifferenceGram& gram : ways.grams) {
        PositiveSystem system(2);
        gram.fill(points[0], std::vector<Index>{1, 2}, system);
        EXPECT_EQ(system.column(0)[0], 0.0);
        EXPECT_GT(system.column(1)[1], 0.0);
    }
}

}  // namespace
}  // namespace isogon::difference_gram_test
