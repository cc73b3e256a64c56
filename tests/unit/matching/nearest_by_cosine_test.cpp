#include "matching/nearest_by_cosine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"

namespace isogon::nearest_by_cosine_test {
namespace {

using reference::on_threads;

TEST(NearestByCosine, AreTheLargestCosinesBelow90Degrees) {
    const Points points = reference::random_points(300, 4, 2);
    support::Matrix x = support::to_matrix(points);
    x.rowwise().normalize();
    const support::Matrix cosines = x * x.transpose();
    const std::vector<Index> list{5, 299, 0};
    const auto nearest = nearest_by_cosine(points.view(), list, 10, on_threads(2));
    for (std::size_t k = 0; k < list.size(); ++k) {
        std::vector<double> expected;
        for (Index j = 0; j < 300; ++j) {
            if (j != list[k] && cosines(list[k], j) > 0.0) {
                expected.push_back(cosines(list[k], j));
            }
        }
        std::sort(expected.rbegin(), expected.rend());
        ASSERT_EQ(nearest[k].size(), 10U);
        for (std::size_t n = 0; n < 10; ++n) {
            EXPECT_NEAR(nearest[k][n].cosine, expected[n], 1e-6);
            EXPECT_NEAR(cosines(list[k], nearest[k][n].point), expected[n], 1e-6);
        }
    }
}

TEST(NearestByCosine, TiesGoToTheSmallerIndexAndZeroVectorsAreNearNobody) {
    Points x(6, 2);
    for (const Index i : {0, 2, 3, 5}) {
        x[i][0] = 1.0F;
    }
    x[4][1] = 1.0F;
    const std::vector<Index> list{3, 4};
    const auto nearest = nearest_by_cosine(x.view(), list, 2, {});
    ASSERT_EQ(nearest[0].size(), 2U);
    EXPECT_EQ(nearest[0][0].point, 0U);
    EXPECT_EQ(nearest[0][1].point, 2U);
    EXPECT_TRUE(nearest[1].empty());
    EXPECT_TRUE(nearest_by_cosine(x.view(), {}, 2, {}).empty());
}

TEST(NearestByCosine, AreTheSameOnRanksThatHoldOnlyTheirOwn) {
    for (const Index count : {3U, 60U, 1000U}) {
        Points x = reference::random_points(count, 4, 3);
        std::copy_n(x[0].begin(), 4, x[count - 1].begin());  // a tie across ranks
        const std::vector<Index> list{0, 2, count / 2, count - 1};
        const auto whole = nearest_by_cosine(x.view(), list, 3, on_threads(1));
        for (const std::size_t ranks : {2U, 3U, 5U}) {
            support::on_ranks(ranks, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
                EXPECT_EQ(nearest_by_cosine(points, list, 3, context), whole) << ranks << " ranks";
            });
        }
    }
}

}  // namespace
}  // namespace isogon::nearest_by_cosine_test
