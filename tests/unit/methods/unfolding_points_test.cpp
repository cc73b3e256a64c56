#include "methods/unfolding_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"

namespace isogon::unfolding_points_test {
namespace {

TEST(UnfoldingPoints, AreDistinctAndLeadBack) {
    const Points once = reference::random_points(6, 3, 1);
    const std::vector<Index> rows{4, 0, 4, 2, 0, 1};
    const Points given = reference::reordered(once, rows);
    Summary summary;
    const UnfoldingPoints points(given.view(), {}, summary, {});
    ASSERT_EQ(points.view().count, 4U);
    EXPECT_EQ(points.rows(), (std::vector<Index>{0, 1, 3, 5}));
    EXPECT_EQ(summary.value("duplicates"), 2.0);
    Points fitted(4, 1);
    for (Index i = 0; i < 4; ++i) {
        fitted[i][0] = points.view()[i][0];
    }
    const Points all = points.of_all(fitted);
    for (Index i = 0; i < 6; ++i) {
        EXPECT_EQ(all[i][0], given[i][0]);
    }
}

TEST(UnfoldingPoints, DistinctOnesAreNotCopied) {
    const Points given = reference::random_points(6, 3, 1);
    Summary summary;
    const UnfoldingPoints points(given.view(), {}, summary, {});
    EXPECT_EQ(points.view()[0].data(), given.view()[0].data());
}

TEST(UnfoldingPoints, ListsOfPointsThatComeAgainAreRefused) {
    const Points given = reference::reordered(reference::random_points(6, 3, 1), {0, 1, 2, 0});
    const NeighborLists lists = reference::euclidean_lists(given, 2);
    Summary summary;
    EXPECT_THROW(UnfoldingPoints(given.view(), {.neighbors = &lists}, summary, {}), InputError);
}

TEST(UnfoldingPoints, KeepsTheDistancesOfListsAndBridges) {
    Points points = reference::random_points(20, 2, 3);
    for (Index i = 10; i < 20; ++i) {
        points[i][0] += 100.0F;
    }
    const NeighborLists lists = reference::euclidean_lists(points, 9);
    Summary refused;
    EXPECT_THROW(
        (void)distances_to_keep(points.view(), lists, KeptPairs::Neighbors, ComponentPolicy::Error, refused, {}),
        InputError);
    Summary summary;
    const DistanceConstraints kept =
        distances_to_keep(points.view(), lists, KeptPairs::Neighbors, ComponentPolicy::Bridge, summary, {});
    EXPECT_EQ(kept.size(), 2 * 45U + 1U);
    EXPECT_EQ(summary.value("constraints"), 91.0);
    EXPECT_TRUE(std::is_sorted(kept.pairs.begin(), kept.pairs.end()));
    // The bridge is the shortest distance between the parts.
    double shortest = 1e30;
    double bridge = 0.0;
    for (Index i = 0; i < 10; ++i) {
        for (Index j = 10; j < 20; ++j) {
            const double dx = double{points[i][0]} - double{points[j][0]};
            const double dy = double{points[i][1]} - double{points[j][1]};
            shortest = std::min(shortest, dx * dx + dy * dy);
            for (std::size_t a = 0; a < kept.size(); ++a) {
                bridge = kept.pairs[a] == std::pair<Index, Index>{i, j} ? kept.squared[a] : bridge;
            }
        }
    }
    EXPECT_NEAR(bridge, shortest, 1e-6 * shortest);
}

TEST(UnfoldingPoints, BridgesStandAmongSharedPairsInTheirPlace) {
    // Even points lie here, odd ones far off, so that the bridge's ends are no first nor last.
    Points points = reference::random_points(30, 2, 4);
    for (Index i = 1; i < 30; i += 2) {
        points[i][0] += 100.0F;
    }
    const NeighborLists lists = reference::euclidean_lists(points, 4);
    const DistanceConstraints listed = distance_constraints(points.view(), lists, KeptPairs::SharedNeighbors);
    Summary summary;
    const DistanceConstraints kept =
        distances_to_keep(points.view(), lists, KeptPairs::SharedNeighbors, ComponentPolicy::Bridge, summary, {});
    ASSERT_EQ(static_cast<double>(kept.size()), static_cast<double>(listed.size()) + summary.value("bridges"));
    EXPECT_LT(listed.size(), kept.size());
    EXPECT_EQ(std::adjacent_find(kept.pairs.begin(), kept.pairs.end(), std::greater_equal<>()), kept.pairs.end());
    EXPECT_TRUE(std::includes(kept.pairs.begin(), kept.pairs.end(), listed.pairs.begin(), listed.pairs.end()));
    for (std::size_t a = 0; a < listed.size(); ++a) {
        const auto place = std::lower_bound(kept.pairs.begin(), kept.pairs.end(), listed.pairs[a]) - kept.pairs.begin();
        EXPECT_EQ(kept.squared[static_cast<std::size_t>(place)], listed.squared[a]);
    }
}

}  // namespace
}  // namespace isogon::unfolding_points_test
