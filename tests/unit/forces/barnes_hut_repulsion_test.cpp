#include "isogon/forces/barnes_hut_repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/forces/exact_repulsion.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::barnes_hut_repulsion_test {
namespace {

double error_of(double theta, const WideVectors& y) {
    WideVectors pushes(y.rows, y.columns);
    BarnesHutRepulsion tree(y.columns, theta);
    const double total = tree.repel(y, pushes, {});
    const support::Repelled truth = support::repelled(y);
    return std::max(support::relative_error(pushes, truth.pushes), std::abs(total - truth.total) / truth.total);
}

TEST(BarnesHutRepulsion, IsTheSumOverAllPairsWhereNoBoxIsNarrow) {
    for (const Index dimension : {1, 2, 3}) {
        for (const Index count : {2, 9, 300}) {
            EXPECT_LT(error_of(0.0, support::random_outputs(count, dimension, 3.0)), 1e-12);
        }
    }
}

TEST(BarnesHutRepulsion, ErrsByTheSquareOfTheta) {
    for (const Index dimension : {1, 2, 3}) {
        for (const double spread : {0.1, 3.0, 30.0}) {
            const WideVectors y = support::random_outputs(800, dimension, spread);
            EXPECT_LT(error_of(BarnesHutRepulsion::usual_theta, y), 0.03) << dimension << " numbers, spread " << spread;
            EXPECT_LT(error_of(0.125, y), 0.003) << dimension << " numbers, spread " << spread;
        }
    }
}

TEST(BarnesHutRepulsion, PointsInOnePlaceDoNotPush) {
    const WideVectors y(50, 2);
    WideVectors pushes(50, 2);
    EXPECT_EQ(BarnesHutRepulsion(2).repel(y, pushes, {}), 50.0 * 49.0);
    EXPECT_TRUE(std::all_of(pushes.values.begin(), pushes.values.end(), [](double value) { return value == 0.0; }));
}

TEST(BarnesHutRepulsion, DuplicatesAndFarOutputsStayNumbers) {
    WideVectors y = support::random_outputs(100, 3, 1e30);
    std::copy_n(y.values.begin(), 150, y.values.begin() + 150);
    WideVectors pushes(100, 3);
    EXPECT_GE(BarnesHutRepulsion(3).repel(y, pushes, {}), 100.0);  // every point has one in its place
    EXPECT_TRUE(
        std::all_of(pushes.values.begin(), pushes.values.end(), [](double value) { return std::isfinite(value); }));
}

TEST(BarnesHutRepulsion, HasTheSameBitsOnAnyNumberOfThreads) {
    const WideVectors y = support::random_outputs(1500, 3, 3.0);
    WideVectors one(1500, 3);
    WideVectors three(1500, 3);
    BarnesHutRepulsion tree(3);
    EXPECT_EQ(tree.repel(y, one, reference::on_threads(1)), tree.repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values, three.values);
}

TEST(BarnesHutRepulsion, RefusesWhatItHasNoTreeForAndEndsWhenAsked) {
    EXPECT_THROW(BarnesHutRepulsion(0), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(4), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, -0.1), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, 1.1), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, std::numeric_limits<double>::quiet_NaN()), InvalidArgument);
    RunContext context;
    context.limit_seconds(0.0);
    const WideVectors y = support::random_outputs(100, 2, 1.0);
    WideVectors pushes(100, 2);
    EXPECT_THROW((void)BarnesHutRepulsion(2).repel(y, pushes, context), Interruption);
}

TEST(BarnesHutRepulsion, TellsItsMemory) {
    EXPECT_GT(BarnesHutRepulsion::bytes(1000), std::uint64_t{1000} * 24);
    EXPECT_EQ(BarnesHutRepulsion::bytes(2000), 2 * BarnesHutRepulsion::bytes(1000));
}

}  // namespace
}  // namespace isogon::barnes_hut_repulsion_test
