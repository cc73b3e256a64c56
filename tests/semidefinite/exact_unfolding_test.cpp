#include "semidefinite/exact_unfolding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon::exact_unfolding_test {
namespace {

/// A chain of n points, all links of length 1.
DistanceConstraints chain(Index n) {
    DistanceConstraints constraints;
    for (Index i = 0; i + 1 < n; ++i) {
        constraints.pairs.emplace_back(i, i + 1);
        constraints.squared.push_back(1.0);
    }
    return constraints;
}

double squared_distance(const Unfolding& unfolding, Index i, Index j) {
    double sum = 0.0;
    for (Index c = 0; c < unfolding.outputs.columns(); ++c) {
        sum += std::pow(unfolding.outputs.at(i, c) - unfolding.outputs.at(j, c), 2);
    }
    return sum;
}

/// A strip of paper, `across` points wide, rolled around a third of a cylinder, and how it lies flat.
struct Strip {
    Points rolled;
    Points flat;
};

Strip strip(Index along, Index across) {
    Strip result{Points(along * across, 3), Points(along * across, 2)};
    const double radius = 1.5 * along / std::numbers::pi;
    for (Index i = 0; i < along * across; ++i) {
        // A little irregular: neighbours are then not a matter of rounding.
        const double s = i % along + 0.05 * std::sin(3.0 * i);
        const double h = i / along + 0.05 * std::cos(7.0 * i);
        const auto set = [](std::span<float> row, std::initializer_list<double> values) {
            std::transform(values.begin(), values.end(), row.begin(), [](double v) { return static_cast<float>(v); });
        };
        set(result.rolled[i], {radius * std::cos(s / radius), radius * std::sin(s / radius), h});
        set(result.flat[i], {s, h});
    }
    return result;
}

DistanceConstraints constraints_of(const Points& points, Index neighbors, KeptPairs kept) {
    return distance_constraints(points.view(),
                                exact_neighbors(points.view(), neighbors, Metric::Euclidean, RunContext{}), kept);
}

/// A straight chain has the largest trace, hence |y_0 - y_{n-1}| = n - 1.
TEST(ExactUnfolding, AChainIsPulledStraight) {
    const Unfolding unfolding = unfold_exactly(9, chain(9), {.price = 16.0});
    ASSERT_EQ(unfolding.status, SemidefiniteStatus::Solved) << unfolding.message;
    EXPECT_NEAR(std::sqrt(squared_distance(unfolding, 0, 8)), 8.0, 1e-3);
    EXPECT_NEAR(unfolding.trace, 60.0, 1e-3);  // sum (i - 4)^2
    EXPECT_NEAR(unfolding.eigenvalues[0], 60.0, 1e-2);
    EXPECT_LE(unfolding.gap, 1e-6);
}

/// A ring of equal links opens to the regular polygon: the most that its Laplacian's first eigenvalue allows.
TEST(ExactUnfolding, ARingBecomesARegularPolygon) {
    constexpr Index n = 7;
    DistanceConstraints ring = chain(n);
    ring.pairs.insert(ring.pairs.begin() + 1, {0, n - 1});
    ring.squared.push_back(1.0);
    const Unfolding unfolding = unfold_exactly(n, ring, {.price = 16.0});
    const double sine = std::sin(std::numbers::pi / n);
    EXPECT_NEAR(unfolding.trace, n / (4.0 * sine * sine), 1e-4);
    ASSERT_GE(unfolding.eigenvalues.size(), 2U);
    EXPECT_NEAR(unfolding.eigenvalues[0], unfolding.eigenvalues[1], 1e-3);
}

TEST(ExactUnfolding, OutputsAreCentredAndAlongTheirAxes) {
    const Unfolding unfolding = unfold_exactly(9, chain(9), {.price = 16.0});
    const MultiVector<double>& y = unfolding.outputs;
    for (Index c = 0; c < y.columns(); ++c) {
        for (Index other = 0; other <= c; ++other) {
            double sum = 0.0;
            double product = 0.0;
            for (Index i = 0; i < y.rows(); ++i) {
                sum += y.at(i, c);
                product += y.at(i, c) * y.at(i, other);
            }
            EXPECT_NEAR(sum, 0.0, 1e-9);
            EXPECT_NEAR(product, c == other ? unfolding.eigenvalues[c] : 0.0, 1e-6);
        }
    }
}

TEST(ExactUnfolding, ARolledStripLiesFlat) {
    const Strip sheet = strip(16, 4);
    const DistanceConstraints constraints = constraints_of(sheet.rolled, 4, KeptPairs::SharedNeighbors);
    const Unfolding unfolding =
        unfold_exactly(sheet.rolled.count(), constraints,
                       {.price = slack_penalty(sheet.rolled.count(), constraints), .solver = {.tolerance = 1e-4}});
    ASSERT_EQ(unfolding.status, SemidefiniteStatus::Solved) << unfolding.message;
    const double total = std::accumulate(unfolding.eigenvalues.begin(), unfolding.eigenvalues.end(), 0.0);
    EXPECT_GE((unfolding.eigenvalues[0] + unfolding.eigenvalues[1]) / total, 0.99);
    EXPECT_LE(distance_changes(unfolding.outputs, constraints).mean, 0.01);
    // Ends that were within a cylinder's width are as far apart as on the sheet.
    EXPECT_NEAR(std::sqrt(squared_distance(unfolding, 0, 15)), 15.0, 0.6);
}

TEST(ExactUnfolding, WhatIsRigidStaysAsItIs) {
    const Strip sheet = strip(4, 2);
    const DistanceConstraints all = constraints_of(sheet.rolled, 7, KeptPairs::Neighbors);
    const Unfolding unfolding = unfold_exactly(8, all, {.price = 16.0});
    EXPECT_LE(distance_changes(unfolding.outputs, all).mean, 1e-3);
}

TEST(ExactUnfolding, APriceThatIsTooLowLetsGo) {
    const Unfolding unfolding = unfold_exactly(9, chain(9), {.price = 1.0});
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::Unbounded);
}

TEST(ExactUnfolding, PointsThatNothingTiesFlyApart) {
    const Unfolding unfolding = unfold_exactly(6, chain(4), {.price = 16.0});
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::Unbounded);
}

/// With a gap g between the points, the others in line, the trace is 3.6 g + 1.2 g^2 larger, and the gap costs 16 g^2.
TEST(ExactUnfolding, EqualPointsPartAsFarAsThePriceAllows) {
    DistanceConstraints constraints = chain(5);
    constraints.squared[2] = 0.0;
    const Unfolding unfolding = unfold_exactly(5, constraints, {.price = 16.0});
    constexpr double gap = 3.6 / (2.0 * (16.0 - 1.2));
    EXPECT_NEAR(std::sqrt(squared_distance(unfolding, 2, 3)), gap, 1e-4);
    EXPECT_NEAR(std::sqrt(squared_distance(unfolding, 0, 4)), 3.0 + gap, 1e-3);
}

TEST(ExactUnfolding, TheUnitOfLengthDoesNotMatter) {
    DistanceConstraints constraints = chain(6);
    const Unfolding before = unfold_exactly(6, constraints, {.price = 10.0});
    for (double& squared : constraints.squared) {
        squared *= 0x1p40;
    }
    const Unfolding after = unfold_exactly(6, constraints, {.price = 10.0});
    EXPECT_DOUBLE_EQ(after.eigenvalues[0], 0x1p40 * before.eigenvalues[0]);
    EXPECT_EQ(after.iterations, before.iterations);
    EXPECT_DOUBLE_EQ(after.gap, before.gap);
}

TEST(ExactUnfolding, GivesNothingWhenEndedBeforeAnythingOfUse) {
    RunContext context;
    context.limit_seconds(0.0);
    const Unfolding unfolding = unfold_exactly(30, chain(30), {.price = 200.0}, context);
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::Interrupted);
    EXPECT_TRUE(unfolding.outputs.values().empty());
    EXPECT_TRUE(unfolding.eigenvalues.empty());
}

TEST(ExactUnfolding, GivesWhatItHadWhenEndedNearTheEnd) {
    std::stop_source stop;
    RunContext context{.stop = stop.get_token()};
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 26) {
            stop.request_stop();
        }
    };
    const Unfolding unfolding = unfold_exactly(30, chain(30), {.price = 200.0}, context);
    ASSERT_EQ(unfolding.status, SemidefiniteStatus::Interrupted) << unfolding.iterations;
    ASSERT_FALSE(unfolding.outputs.values().empty()) << unfolding.message;
    EXPECT_LT(distance_changes(unfolding.outputs, chain(30)).mean, 0.5);
}

TEST(ExactUnfolding, RefusesWhatCannotBeUnfolded) {
    EXPECT_THROW(static_cast<void>(unfold_exactly(1, chain(2), {})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(unfold_exactly(5, {}, {})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(unfold_exactly(5, chain(5), {.price = -1.0})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(unfold_exactly(8002, chain(8002), {})), InvalidArgument);
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW(static_cast<void>(unfold_exactly(5, chain(5), {}, context)), LimitExceeded);
}

}  // namespace
}  // namespace isogon::exact_unfolding_test
