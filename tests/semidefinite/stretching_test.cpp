#include "semidefinite/stretching.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/point_sets.hpp"
#include "support/distances.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::stretching_test {
namespace {

using support::Matrix;
using support::to_matrix;

DistanceGraph example_graph() {
    return distance_graph(60, support::distances_of(reference::random_points(60, 2, 1), 5));
}

MultiVector<double> example_start() {
    MultiVector<double> start = support::start_of(reference::random_points(60, 2, 1));
    const DistanceGraph graph = example_graph();
    for (double& value : start.values()) {
        value /= std::sqrt(graph.unit);
    }
    return start;
}

TEST(Stretching, EndsWhereForcesBalanceThePull) {
    const DistanceGraph graph = example_graph();
    const RunContext context;
    Stretching stretching(graph, example_start(), context);
    const std::int64_t steps = stretching.descend(1e-20, 200);
    EXPECT_LT(steps, 200);
    MultiVector<double> pulled(graph.nodes, stretching.outputs().columns());
    laplacian_product(graph, stretching.forces(), stretching.outputs(), pulled, context);
    const Matrix outputs = to_matrix(stretching.outputs());
    EXPECT_LT((to_matrix(pulled) - outputs).norm(), 1e-6 * outputs.norm());
    EXPECT_LT(outputs.colwise().mean().norm(), 1e-10);
    EXPECT_NEAR(stretching.trace(), outputs.squaredNorm(), 1e-9 * outputs.squaredNorm());
}

TEST(Stretching, UpdatesLessenTheExcess) {
    const DistanceGraph graph = example_graph();
    const RunContext context;
    Stretching stretching(graph, example_start(), context);
    double stiffness = Stretching::first_stiffness;
    double last = 1e300;
    for (int round = 0; round < 8; ++round) {
        stretching.descend(1e-8, 100);
        const double worst = *std::max_element(stretching.excess().begin(), stretching.excess().end());
        EXPECT_LT(worst, last);
        last = worst;
        stiffness *= 4.0;
        stretching.update(stiffness, Stretching::first_rounding);
    }
    EXPECT_LT(last, 1e-2);
}

TEST(Stretching, ReshapingTurnsDropsAndAdds) {
    const DistanceGraph graph = example_graph();
    const RunContext context;
    MultiVector<double> start = example_start();
    const Matrix turned = to_matrix(start) * support::random_matrix(2, 4, 2);  // four columns of rank 2
    Stretching stretching(graph, support::to_multi_vector(turned), context);
    const Matrix gram = support::centred_gram(turned);
    stretching.reshape(1, 1e-9, {});
    ASSERT_EQ(stretching.outputs().columns(), 2U);
    const Matrix outputs = to_matrix(stretching.outputs());
    EXPECT_LT(support::difference(outputs * outputs.transpose(), gram), 1e-12 * gram.norm());
    EXPECT_LT(std::abs(outputs.col(0).dot(outputs.col(1))), 1e-12 * gram.norm());
    stretching.reshape(1, 1e-9, std::vector<double>(graph.nodes, 0.125));
    EXPECT_EQ(stretching.outputs().columns(), 3U);
    EXPECT_TRUE(stretching.may_grow());
    stretching.reshape(3, 1.0, {});
    EXPECT_EQ(stretching.outputs().columns(), 3U);
}

TEST(Stretching, HasTheSameBitsOnAnyThreads) {
    const Points points = reference::random_points(900, 2, 3);
    const DistanceGraph graph = distance_graph(900, support::distances_of(points, 4));
    const auto run = [&](int threads) {
        const RunContext context = reference::on_threads(threads);
        Stretching stretching(graph, support::start_of(points), context);
        stretching.descend(1e-3, 5);
        return stretching.outputs().values();
    };
    EXPECT_EQ(run(1), run(3));
}

TEST(Stretching, StatesItsMemory) {
    const DistanceGraph graph = example_graph();
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW(Stretching(graph, example_start(), little), LimitExceeded);
    RunContext enough;
    enough.memory_limit = std::max(NewtonSystem(graph, 2).bytes(), NewtonSystem::order_bytes(graph, 2));
    EXPECT_FALSE(Stretching(graph, example_start(), enough).may_grow());
}

TEST(Stretching, DoesNotGrowWhereTheOrderOfTheLargerFactorHasNoRoom) {
    // For a chain the factor has no more entries than the matrix: the search for the order takes the most.
    const DistanceGraph graph = distance_graph(201, support::chain(std::vector<double>(200, 1.0), 10));
    const std::uint64_t of_three = NewtonSystem::order_bytes(graph, 3);
    ASSERT_LT(2.25 * static_cast<double>(NewtonSystem(graph, 2).bytes()), static_cast<double>(of_three) / 2.0 - 1.0);
    const auto stretching_within = [&](const RunContext& context) {
        return Stretching(graph, support::start_of(reference::random_points(201, 2, 1)), context);
    };
    RunContext context;
    context.memory_limit = of_three;
    EXPECT_TRUE(stretching_within(context).may_grow());
    context.memory_limit = of_three - 1;
    Stretching stretching = stretching_within(context);
    EXPECT_FALSE(stretching.may_grow());
    EXPECT_THROW(stretching.reshape(2, 1.0, std::vector<double>(graph.nodes, 0.125)), LimitExceeded);
}

}  // namespace
}  // namespace isogon::stretching_test
