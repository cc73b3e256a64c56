#include "isogon/forces/grid_repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/forces/exact_repulsion.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::grid_repulsion_test {
namespace {

struct Errors {
    double pushes = 0.0;
    double total = 0.0;
};

Errors errors_of(GridRepulsion& grid, const WideVectors& y) {
    WideVectors pushes(y.rows, y.columns);
    const double total = grid.repel(y, pushes, {});
    const support::Repelled truth = support::repelled(y);
    return {support::relative_error(pushes, truth.pushes), std::abs(total - truth.total) / truth.total};
}

TEST(GridRepulsion, IsNearTheSumOverAllPairsAtEverySize) {
    for (const Index dimension : {1, 2}) {
        GridRepulsion grid(1500, dimension);  // one after the other: what it keeps must fit
        for (const double spread : {1e-4, 0.1, 1.0, 3.0, 10.0, 12.0, 3.0}) {
            const Errors errors = errors_of(grid, support::random_outputs(1500, dimension, spread));
            EXPECT_LT(errors.pushes, 5e-3) << dimension << " numbers, spread " << spread;
            EXPECT_LT(errors.total, 1e-5) << dimension << " numbers, spread " << spread;
        }
    }
}

TEST(GridRepulsion, UnevenMapsAreNoWorse) {
    WideVectors y = support::random_outputs(900, 2, 1.0);
    for (std::size_t i = 0; i < 900; ++i) {
        y.at(i, 0) += i % 3 == 0 ? 50.0 : 0.0;
        y.at(i, 1) *= 1e-3;
    }
    GridRepulsion grid(900, 2);
    EXPECT_LT(errors_of(grid, y).pushes, 3e-3);
}

TEST(GridRepulsion, PushesSumToNothing) {
    const WideVectors y = support::random_outputs(1000, 2, 5.0);
    WideVectors pushes(1000, 2);
    GridRepulsion(1000, 2).repel(y, pushes, {});
    for (std::size_t c = 0; c < 2; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 1000; ++i) {
            sum += pushes.at(i, c);
        }
        EXPECT_NEAR(sum, 0.0, 1e-7);
    }
}

TEST(GridRepulsion, OutputsFarApartAreLookedAtPairByPair) {
    const WideVectors y = support::random_outputs(300, 2, 1e5);
    WideVectors by_grid(300, 2);
    WideVectors by_pairs(300, 2);
    EXPECT_EQ(GridRepulsion(300, 2).repel(y, by_grid, {}), ExactRepulsion().repel(y, by_pairs, {}));
    EXPECT_EQ(by_grid.values, by_pairs.values);
}

TEST(GridRepulsion, PointsInOnePlaceDoNotPush) {
    const WideVectors y(50, 2);
    WideVectors pushes(50, 2);
    EXPECT_NEAR(GridRepulsion(50, 2).repel(y, pushes, {}), 50.0 * 49.0, 1e-6);
    for (const double value : pushes.values) {
        EXPECT_NEAR(value, 0.0, 1e-9);
    }
}

TEST(GridRepulsion, HasTheSameBitsOnAnyNumberOfThreadsAndInAnyHistory) {
    const WideVectors y = support::random_outputs(3000, 2, 8.0);
    WideVectors one(3000, 2);
    WideVectors three(3000, 2);
    WideVectors later(3000, 2);
    GridRepulsion used(3000, 2);
    used.repel(support::random_outputs(3000, 2, 9.0, 7), later, {});
    const double total = GridRepulsion(3000, 2).repel(y, one, reference::on_threads(1));
    EXPECT_EQ(total, GridRepulsion(3000, 2).repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(total, used.repel(y, later, {}));
    EXPECT_EQ(one.values, three.values);
    EXPECT_EQ(one.values, later.values);
}

TEST(GridRepulsion, RefusesWhatItHasNoGridForAndEndsWhenAsked) {
    EXPECT_THROW(GridRepulsion(100, 3), InvalidArgument);
    EXPECT_THROW(GridRepulsion(100, 0), InvalidArgument);
    RunContext context;
    context.limit_seconds(0.0);
    const WideVectors y = support::random_outputs(100, 2, 1.0);
    WideVectors pushes(100, 2);
    EXPECT_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context), Interruption);
}

/// The largest need that is told while outputs of this size are pushed.
std::uint64_t told_for(double size) {
    const WideVectors y = support::random_outputs(100, 2, size);
    WideVectors pushes(100, 2);
    std::uint64_t told = 0;
    RunContext context;
    context.on_need = [&](std::uint64_t bytes) { told = std::max(told, bytes); };
    (void)GridRepulsion(100, 2).repel(y, pushes, context);
    return told;
}

TEST(GridRepulsion, AsWideAsTheMapItsMemoryGrowsAndIsStatedBefore) {
    EXPECT_LE(told_for(1.0), GridRepulsion::bytes(100, 2));
    const std::uint64_t wide = told_for(30.0);
    EXPECT_GT(wide, 4 * GridRepulsion::bytes(100, 2));
    const WideVectors y = support::random_outputs(100, 2, 30.0);
    WideVectors pushes(100, 2);
    RunContext context;
    context.memory_limit = wide;
    EXPECT_NO_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context));
    context.memory_limit = wide - 1;
    EXPECT_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context), LimitExceeded);
}

TEST(GridRepulsion, TellsItsMemory) {
    EXPECT_GT(GridRepulsion::bytes(100, 2), std::uint64_t{4} * 128 * 128 * 16);
    EXPECT_LT(GridRepulsion::bytes(100, 1), GridRepulsion::bytes(100, 2) / 10);
    EXPECT_EQ(GridRepulsion::most_nodes(100), 768U);
    EXPECT_EQ(GridRepulsion::most_nodes(70000), 1058U);
    EXPECT_EQ(GridRepulsion::most_nodes(4000000000U), 1536U);
}

}  // namespace
}  // namespace isogon::grid_repulsion_test
