#include "isogon/forces/exact_repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::exact_repulsion_test {
namespace {

TEST(ExactRepulsion, IsTheSumOverAllPairs) {
    ExactRepulsion exact;
    for (const Index dimension : {1, 2, 3, 4, 7}) {
        for (const Index count : {2, 7, 8, 9, 64, 65, 200}) {
            const WideVectors y = support::random_outputs(count, dimension, 3.0);
            WideVectors pushes(count, dimension);
            const double total = exact.repel(y, pushes, {});
            const support::Repelled truth = support::repelled(y);
            EXPECT_NEAR(total, truth.total, 1e-12 * count * count);
            EXPECT_LT(support::relative_error(pushes, truth.pushes), 1e-12);
        }
    }
}

TEST(ExactRepulsion, PointsInOnePlaceDoNotPush) {
    ExactRepulsion exact;
    const WideVectors y(5, 2);
    WideVectors pushes(5, 2);
    EXPECT_EQ(exact.repel(y, pushes, {}), 20.0);
    EXPECT_TRUE(std::all_of(pushes.values.begin(), pushes.values.end(), [](double value) { return value == 0.0; }));
}

TEST(ExactRepulsion, OutputsFarAwayStayNumbers) {
    ExactRepulsion exact;
    const WideVectors y = support::random_outputs(20, 2, 1e38);
    WideVectors pushes(20, 2);
    EXPECT_GE(exact.repel(y, pushes, {}), 0.0);
    EXPECT_TRUE(
        std::all_of(pushes.values.begin(), pushes.values.end(), [](double value) { return std::isfinite(value); }));
}

TEST(ExactRepulsion, HasTheSameBitsOnAnyNumberOfThreadsAndEndsWhenAsked) {
    ExactRepulsion exact;
    const WideVectors y = support::random_outputs(500, 2, 3.0);
    WideVectors one(500, 2);
    WideVectors three(500, 2);
    EXPECT_EQ(exact.repel(y, one, reference::on_threads(1)), exact.repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values, three.values);
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)exact.repel(y, one, context), Interruption);
}

}  // namespace
}  // namespace isogon::exact_repulsion_test
