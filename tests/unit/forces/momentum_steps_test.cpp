#include "forces/momentum_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::momentum_steps_test {
namespace {

/// Gradients of opposite signs, so that centring changes nothing.
MultiVector<double> opposite(double value) {
    MultiVector<double> vectors(2, 1);
    vectors.at(0, 0) = value;
    vectors.at(1, 0) = -value;
    return vectors;
}

TEST(MomentumSteps, GrowOnTheWayAndShrinkAtATurn) {
    MomentumSteps steps(2, 1);
    MultiVector<double> y(2, 1);
    const SchedulePhase phase{1, 1.0, 0.5, 0.1};
    steps.apply(opposite(1.0), phase, y, {});
    EXPECT_NEAR(y.at(0, 0), -0.1 * 1.2, 1e-15);
    steps.apply(opposite(1.0), phase, y, {});
    const double second = 0.5 * -0.12 - 0.1 * 1.4;
    EXPECT_NEAR(y.at(0, 0), -0.12 + second, 1e-15);
    steps.apply(opposite(-1.0), phase, y, {});
    EXPECT_NEAR(y.at(0, 0), -0.12 + second + 0.5 * second + 0.1 * 1.4 * 0.8, 1e-15);
    EXPECT_NEAR(y.at(0, 0), -y.at(1, 0), 1e-15);
    steps.rest();
    const double here = y.at(0, 0);
    steps.apply(opposite(1.0), phase, y, {});
    EXPECT_NEAR(y.at(0, 0), here - 0.12, 1e-15);
}

TEST(MomentumSteps, NoPointGoesFurtherThanTheLongestStep) {
    MomentumSteps steps(50, 2);
    MultiVector<double> y(50, 2);
    steps.apply(support::random_outputs(50, 2, 1e6), {1, 1.0, 0.5, 1.0}, y, {});
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_LT(std::hypot(y.at(i, 0), y.at(i, 1)), 2.0 * MomentumSteps::longest_step);  // centred afterwards
    }
}

TEST(MomentumSteps, TheMeanStaysInTheOrigin) {
    MultiVector<double> y = support::random_outputs(3000, 3, 2.0);
    MultiVector<double> again = y;
    centre_rows(y, reference::on_threads(1));
    centre_rows(again, reference::on_threads(3));
    EXPECT_EQ(y.values(), again.values());
    for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 3000; ++i) {
            sum += y.at(i, c);
        }
        EXPECT_NEAR(sum, 0.0, 1e-9);
    }
}

TEST(MomentumSteps, GoOnAsTheyWereSaved) {
    MomentumSteps steps(20, 2);
    MultiVector<double> y(20, 2);
    const SchedulePhase phase{1, 1.0, 0.5, 0.1};
    steps.apply(support::random_outputs(20, 2, 1.0), phase, y, {});
    Archive saved;
    steps.save(saved);
    MomentumSteps others(20, 2);
    others.restore(saved);
    MultiVector<double> again = y;
    steps.apply(support::random_outputs(20, 2, 1.0, 3), phase, y, {});
    others.apply(support::random_outputs(20, 2, 1.0, 3), phase, again, {});
    EXPECT_EQ(y.values(), again.values());
    MomentumSteps wider(20, 3);
    EXPECT_THROW(wider.restore(saved), InputError);
}

}  // namespace
}  // namespace isogon::momentum_steps_test
