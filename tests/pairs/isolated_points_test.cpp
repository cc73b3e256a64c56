#include "pairs/isolated_points.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"
#include "support/matching_examples.hpp"

namespace isogon::isolated_points_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// Points in the plane at these angles, with these lengths.
Points at_degrees(const std::vector<double>& degrees, const std::vector<double>& lengths) {
    Matrix x(degrees.size(), 2);
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        const double angle = degrees[i] * std::numbers::pi / 180.0;
        x.row(static_cast<Eigen::Index>(i)) << lengths[i] * std::cos(angle), lengths[i] * std::sin(angle);
    }
    return support::to_points(x);
}

double angle_between(const Matrix& x, Eigen::Index i, Eigen::Index j) {
    const double cosine = x.row(i).normalized().dot(x.row(j).normalized());
    return std::acos(std::clamp(cosine, -1.0, 1.0));
}

std::vector<Index> isolated_in(const Points& x, double tau) {
    return isolated_points(thresholded_similarities(x.view(), tau, {}));
}

TEST(IsolatedPoints, HaveADirectionButNoNeighbour) {
    Points x = at_degrees({0.0, 5.0, 90.0, 180.0}, {1.0, 2.0, 3.0, 1.0});
    EXPECT_EQ(isolated_in(x, 0.9), (std::vector<Index>{2, 3}));
    std::fill(x[3].begin(), x[3].end(), 0.0F);
    EXPECT_EQ(isolated_in(x, 0.9), (std::vector<Index>{2}));
    EXPECT_EQ(isolated_in(x, 0.9999), (std::vector<Index>{0, 1, 2}));
}

class BridgeAt : public testing::TestWithParam<std::tuple<double, double>> {};

INSTANTIATE_TEST_SUITE_P(Thresholds, BridgeAt,
                         testing::Combine(testing::Values(0.2, 0.5, 0.75, 0.9, 0.99, 0.9999),
                                          testing::Values(12.0, 40.0, 61.0, 89.0)));

/// Two points as one bridge: from the first, isolated, to the second.
TEST_P(BridgeAt, GoesAlongTheArcInEvenStepsBelowTheAngleOfTheThreshold) {
    const auto [tau, degrees] = GetParam();
    const double angle = degrees * std::numbers::pi / 180.0;
    if (angle < std::acos(tau)) {
        return;  // not isolated
    }
    const Points x = at_degrees({0.0, degrees}, {1.0, 5.0});
    const VirtualInputs bridged = add_virtual_inputs(x.view(), {0}, tau, on_threads(2));
    ASSERT_EQ(bridged.points.count(), 2U + bridged.added);
    const Matrix all = to_matrix(bridged.points);
    EXPECT_EQ(all.topRows(2), to_matrix(x));
    Eigen::Index before = 0;
    for (Eigen::Index k = 2; k <= 2 + bridged.added; ++k) {
        const Eigen::Index next = k < 2 + bridged.added ? k : 1;
        EXPECT_LT(angle_between(all, before, next), std::acos(tau));
        EXPECT_NEAR(angle_between(all, before, next), angle / (bridged.added + 1.0), 1e-3);
        EXPECT_GT(all.row(next).norm(), all.row(before).norm());
        before = next;
    }
    EXPECT_LE(bridged.added, std::ceil(angle / (0.99 * std::acos(tau))) - 1);
    EXPECT_EQ(bridged.unreachable, 0U);
}

TEST_P(BridgeAt, EndsTheIsolation) {
    const auto [tau, degrees] = GetParam();
    const Points x = at_degrees({0.0, degrees, degrees + 0.1}, {1.0, 5.0, 2.0});
    const std::vector<Index> isolated = isolated_in(x, tau);
    const VirtualInputs bridged = add_virtual_inputs(x.view(), isolated, tau, on_threads(2));
    EXPECT_TRUE(isolated_in(bridged.points, tau).empty());
}

TEST(VirtualInputs, LeadToTheNearestNeighbourByCosineWhateverItsLength) {
    const Points x = at_degrees({0.0, 50.0, -30.0}, {1.0, 100.0, 0.01});
    const VirtualInputs bridged = add_virtual_inputs(x.view(), {0}, 0.95, on_threads(1));
    ASSERT_GT(bridged.added, 0U);
    for (Index k = 3; k < bridged.points.count(); ++k) {
        EXPECT_LT(bridged.points[k][1], 0.0F);
    }
}

TEST(VirtualInputs, ConnectIsolatedPointsOfManyDimensions) {
    const Points x = support::clustered_points(120, 9, 100, 0.2, 1);
    for (const double tau : {0.9, 0.97, 0.99}) {
        const std::vector<Index> isolated = isolated_in(x, tau);
        ASSERT_FALSE(isolated.empty());
        const VirtualInputs bridged = add_virtual_inputs(x.view(), isolated, tau, on_threads(2));
        EXPECT_GT(bridged.added, 0U);
        const std::vector<Index> still = isolated_in(bridged.points, tau);
        EXPECT_EQ(still.size(), bridged.unreachable);
        EXPECT_TRUE(to_matrix(bridged.points).allFinite());
    }
}

TEST(VirtualInputs, LeavePointsAtRightAnglesToAllOthersAloneAndCountThem) {
    Points x(4, 3);
    x[0][0] = 1.0F;
    x[1][0] = 2.0F;  // the same direction
    x[2][1] = 1.0F;
    x[3][2] = -1.0F;
    const std::vector<Index> isolated = isolated_in(x, 0.5);
    EXPECT_EQ(isolated, (std::vector<Index>{2, 3}));
    const VirtualInputs bridged = add_virtual_inputs(x.view(), isolated, 0.5, {});
    EXPECT_EQ(bridged.unreachable, 2U);
    EXPECT_EQ(bridged.added, 0U);
    EXPECT_EQ(to_matrix(bridged.points), to_matrix(x));
}

TEST(VirtualInputs, NeverLeadToAZeroVector) {
    Points x(3, 2);
    x[0][0] = 1.0F;
    x[2][1] = 1.0F;
    const VirtualInputs bridged = add_virtual_inputs(x.view(), {0, 2}, 0.5, {});
    EXPECT_EQ(bridged.unreachable, 2U);
    EXPECT_TRUE(to_matrix(bridged.points).allFinite());
}

TEST(VirtualInputs, OfNothingIsolatedAreTheInputs) {
    const Points x = support::clustered_points(50, 4, 2, 0.2, 3);
    const VirtualInputs bridged = add_virtual_inputs(x.view(), {}, 0.5, {});
    EXPECT_EQ(bridged.added, 0U);
    EXPECT_EQ(to_matrix(bridged.points), to_matrix(x));
}

TEST(VirtualInputs, OfARankAreItsOwnOfAllPointsThatThereAreThen) {
    const Points x = support::clustered_points(300, 9, 80, 0.2, 2);
    const std::vector<Index> isolated = isolated_in(x, 0.97);
    const VirtualInputs whole = add_virtual_inputs(x.view(), isolated, 0.97, on_threads(3));
    ASSERT_GT(whole.added, 0U);
    for (const std::size_t ranks : {2U, 4U}) {
        support::on_ranks(ranks, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            const VirtualInputs bridged = add_virtual_inputs(points, isolated, 0.97, context);
            EXPECT_EQ(bridged.added, whole.added);
            EXPECT_EQ(bridged.unreachable, whole.unreachable);
            const Range own = ranks_of(points).own_rows(pair_blocks(whole.points.count()));
            EXPECT_EQ(to_matrix(bridged.points), to_matrix(whole.points).middleRows(own.begin, own.size()));
        });
    }
}

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

}  // namespace isogon::isolated_points_test
