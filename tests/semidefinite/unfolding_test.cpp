#include "semidefinite/unfolding.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "semidefinite/exact_unfolding.hpp"

namespace isogon::unfolding_test {

namespace {

using reference::euclidean_lists;
using reference::on_threads;
using support::Matrix;
using Pairs = std::vector<std::pair<Index, Index>>;

/// eta, as in the paper: 1 where i lists j.
Matrix adjacency(const NeighborLists& lists) {
    Matrix eta = Matrix::Zero(lists.count(), lists.count());
    for (Index i = 0; i < lists.count(); ++i) {
        for (const Index j : lists[i]) {
            eta(i, j) = i == j ? 0.0 : 1.0;
        }
    }
    return eta;
}

/// Eq. 2 of the paper by dense matrices.
DistanceConstraints slow_constraints(const Points& points, const NeighborLists& lists, KeptPairs kept) {
    const Matrix eta = adjacency(lists);
    Matrix wanted = eta + eta.transpose();
    if (kept == KeptPairs::SharedNeighbors) {
        wanted += eta.transpose() * eta;
    }
    const Matrix x = support::to_matrix(points);
    DistanceConstraints result;
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = i + 1; j < points.count(); ++j) {
            if (wanted(i, j) > 0.0) {
                result.pairs.emplace_back(i, j);
                result.squared.push_back((x.row(i) - x.row(j)).squaredNorm());
            }
        }
    }
    return result;
}

void expect_equal(const DistanceConstraints& found, const DistanceConstraints& expected) {
    ASSERT_EQ(found.pairs, expected.pairs);
    ASSERT_EQ(found.squared.size(), expected.squared.size());
    for (std::size_t a = 0; a < found.size(); ++a) {
        EXPECT_NEAR(found.squared[a], expected.squared[a], 1e-14 * expected.squared[a]);
    }
}

TEST(DistanceConstraints, AreThoseOfThePaper) {
    for (const Points& points : {reference::random_points(60, 3, 1), reference::random_points(40, 19, 2),
                                 reference::awkward_points(40, 8, 3), reference::whole_points(50, 2, 4, 4)}) {
        for (const KeptPairs kept : {KeptPairs::Neighbors, KeptPairs::SharedNeighbors}) {
            const NeighborLists lists = euclidean_lists(points, 5);
            expect_equal(distance_constraints(points.view(), lists, kept), slow_constraints(points, lists, kept));
        }
    }
}

TEST(DistanceConstraints, OfListsWrittenByHand) {
    Points points(4, 1);
    for (Index i = 0; i < 4; ++i) {
        points[i][0] = static_cast<float>(i * i);
    }
    // 0 lists 1 and 2, which no one else joins; 3 lists itself, which is no pair, and 2.
    const NeighborLists lists{.size = 2, .indices = {1, 2, 0, 3, 3, 0, 3, 2}};
    const DistanceConstraints near = distance_constraints(points.view(), lists, KeptPairs::Neighbors);
    EXPECT_EQ(near.pairs, (Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(near.squared, (std::vector<double>{1.0, 16.0, 64.0, 25.0}));
    const DistanceConstraints shared = distance_constraints(points.view(), lists, KeptPairs::SharedNeighbors);
    EXPECT_EQ(shared.pairs, (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(shared.squared, (std::vector<double>{1.0, 16.0, 81.0, 9.0, 64.0, 25.0}));
}

TEST(DistanceConstraints, DuplicatesAreKeptAtDistanceZero) {
    const Points points = reference::equal_points(6, 3);
    const DistanceConstraints constraints =
        distance_constraints(points.view(), euclidean_lists(points, 2), KeptPairs::SharedNeighbors);
    EXPECT_GE(constraints.size(), 6U);
    EXPECT_EQ(constraints.squared, std::vector<double>(constraints.size(), 0.0));
}

TEST(DistanceConstraints, DoNotDependOnThreads) {
    const Points points = reference::random_points(2000, 11, 8);
    const NeighborLists lists = euclidean_lists(points, 5);
    const auto one = distance_constraints(points.view(), lists, KeptPairs::SharedNeighbors, on_threads(1));
    const auto three = distance_constraints(points.view(), lists, KeptPairs::SharedNeighbors, on_threads(3));
    EXPECT_EQ(one.pairs, three.pairs);
    EXPECT_EQ(one.squared, three.squared);
    EXPECT_LE(one.size(), 2000U * 15U);
}

TEST(DistanceConstraints, RefuseWhatCannotBe) {
    Points points = reference::random_points(6, 2, 9);
    const NeighborLists lists = euclidean_lists(points, 2);
    const auto make = [&](const NeighborLists& these, const RunContext& context) {
        return distance_constraints(points.view(), these, KeptPairs::Neighbors, context);
    };
    EXPECT_THROW((void)make({}, {}), InvalidArgument);
    EXPECT_THROW((void)make({.size = 1, .indices = {1, 0}}, {}), InvalidArgument);
    EXPECT_THROW((void)make({.size = 1, .indices = {1, 0, 1, 1, 1, 6}}, {}), InputError);
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)make(lists, little), LimitExceeded);
    std::stop_source stop;
    stop.request_stop();
    RunContext stopped;
    stopped.stop = stop.get_token();
    EXPECT_THROW((void)make(lists, stopped), Interruption);
    points[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)make(lists, {}), InputError);
}

/// A chain in any order: 0 - 2 - 4 ... 5 - 3 - 1, all links of length 1.
DistanceConstraints tangled_chain(Index n) {
    std::vector<Index> order;
    for (Index i = 0; i < n; i += 2) {
        order.push_back(i);
    }
    for (Index i = n - 1 - n % 2; i < n; i -= 2) {
        order.push_back(i);
    }
    DistanceConstraints constraints;
    for (Index k = 0; k + 1 < n; ++k) {
        constraints.pairs.emplace_back(std::min(order[k], order[k + 1]), std::max(order[k], order[k + 1]));
    }
    std::sort(constraints.pairs.begin(), constraints.pairs.end());
    constraints.squared.assign(constraints.pairs.size(), 1.0);
    return constraints;
}

TEST(SlackPrice, DependsOnTheLongestPath) {
    EXPECT_EQ(slack_penalty(21, tangled_chain(21)), 100.0);
    EXPECT_EQ(slack_penalty(12, tangled_chain(12)), 30.25);
    EXPECT_EQ(slack_penalty(2, {.pairs = {{0, 1}}, .squared = {4.0}}), 1.0);
}

TEST(SlackPrice, DoesNotGoByLengths) {
    DistanceConstraints constraints = tangled_chain(21);
    constraints.squared.assign(constraints.pairs.size(), 1e6);
    EXPECT_EQ(slack_penalty(21, constraints), 100.0);
}

TEST(SlackPrice, HoldsAChainTogetherWhereHalfOfItLetsGo) {
    const DistanceConstraints chain = tangled_chain(15);
    const double price = slack_penalty(15, chain);
    EXPECT_EQ(unfold_exactly(15, chain, {.price = price}).status, SemidefiniteStatus::Solved);
    EXPECT_EQ(unfold_exactly(15, chain, {.price = price / 2.2}).status, SemidefiniteStatus::Unbounded);
}

/// Three points on a line: 0, 1, 3.
MultiVector<double> line() {
    MultiVector<double> outputs(3, 1);
    outputs.values() = {0.0, 1.0, 3.0};
    return outputs;
}

TEST(DistanceChanges, AreThoseOfSquaredDistances) {
    const DistanceConstraints constraints{.pairs = {{0, 1}, {0, 2}, {1, 2}}, .squared = {1.0, 6.0, 5.0}};
    const DistanceChanges changes = distance_changes(line(), constraints);
    EXPECT_DOUBLE_EQ(changes.most_stretched, 0.5);
    EXPECT_DOUBLE_EQ(changes.most_shrunk, 0.2);
    EXPECT_DOUBLE_EQ(changes.mean, 0.7 / 3.0);
}

TEST(DistanceChanges, EqualPointsAreMeasuredByTheOthers) {
    const DistanceConstraints constraints{.pairs = {{0, 1}, {0, 2}}, .squared = {0.0, 9.0}};
    EXPECT_DOUBLE_EQ(distance_changes(line(), constraints).most_stretched, 1.0 / 4.5);
    const DistanceConstraints nothing{.pairs = {{0, 1}}, .squared = {0.0}};
    EXPECT_DOUBLE_EQ(distance_changes(line(), nothing).most_stretched, 1.0);
}

}  // namespace

}  // namespace isogon::unfolding_test
