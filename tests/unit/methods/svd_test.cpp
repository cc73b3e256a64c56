#include "isogon/methods/svd.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::svd_test {
namespace {

TEST(Svd, KeepsAllInnerProductsOfPointsInASubspace) {
    const support::Matrix flat = support::random_matrix(40, 3, 1) * support::random_orthonormal(12, 3, 2).transpose();
    const Embedding result = svd(support::to_points(flat).view(), {.dimension = 3});
    const support::Matrix y = support::to_matrix(result.coordinates);
    EXPECT_LT((y * y.transpose() - flat * flat.transpose()).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Svd, IsTheBestApproximationOfTheInnerProducts) {
    const support::Matrix x = support::random_matrix(50, 8, 4);
    const support::Matrix products = x * x.transpose();
    for (const int d : {1, 4, 7}) {
        const Embedding result = svd(support::to_points(x).view(), {.dimension = d});
        const support::Matrix y = support::to_matrix(result.coordinates);
        const support::Matrix best = support::truncated(products, static_cast<Index>(d));
        EXPECT_LT((y * y.transpose() - best).norm(), 1e-4 * products.norm());
    }
}

TEST(Svd, DoesNotCentre) {
    support::Matrix x = support::random_matrix(30, 5, 5);
    x.col(0).array() += 10.0;
    const Embedding result = svd(support::to_points(x).view(), {.dimension = 5});
    EXPECT_GT(std::abs(support::to_matrix(result.coordinates).col(0).mean()), 9.0);
}

TEST(Svd, RefusesABadDimension) {
    const Points x = support::to_points(support::random_matrix(30, 5, 5));
    EXPECT_THROW((void)svd(x.view(), {.dimension = 0}), InvalidArgument);
    EXPECT_THROW((void)svd(x.view(), {.dimension = 6}), InvalidArgument);
}

TEST(Svd, TellsTheOptionsItUsed) {
    const Points x = support::to_points(support::random_matrix(30, 5, 5));
    EXPECT_EQ(to_text(svd(x.view(), {.dimension = 2}).options.at("dimension")), "2");
}

}  // namespace
}  // namespace isogon::svd_test
