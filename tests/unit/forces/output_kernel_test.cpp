#include "isogon/forces/output_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace isogon::output_kernel_test {
namespace {

TEST(OutputKernel, CostIsMinusTheLogarithmAndPullItsDerivative) {
    for (const OutputKernel kernel : {OutputKernel{}, OutputKernel{1.6, 0.9}, OutputKernel{0.3, 1.0}}) {
        for (const double s : {1e-3, 0.5, 1.0, 20.0, 1e4}) {
            EXPECT_NEAR(kernel.value(s), 1.0 / (1.0 + kernel.a * std::pow(s, kernel.b)), 1e-15);
            EXPECT_NEAR(kernel.cost(s), -std::log(kernel.value(s)), 1e-12);
            const double h = 1e-5 * s;
            EXPECT_NEAR(kernel.pull(s), (kernel.cost(s + h) - kernel.cost(s - h)) / (2.0 * h), 1e-6 * kernel.pull(s));
        }
    }
}

TEST(OutputKernel, TheGapCostsMinusTheLogarithmAndPushesWithItsDerivative) {
    for (const OutputKernel kernel : {OutputKernel{}, OutputKernel{1.6, 0.9}, OutputKernel{0.3, 1.0}}) {
        for (const double s : {0.5, 1.0, 20.0, 1e4}) {
            EXPECT_NEAR(kernel.gap_cost(s), -std::log(1.0 - kernel.value(s)), 1e-9);
            const double h = 1e-5 * s;
            const double fall = (kernel.gap_cost(s - h) - kernel.gap_cost(s + h)) / (2.0 * h);
            EXPECT_NEAR(kernel.push(s) * (1.0 + OutputKernel::softening / s), fall, 1e-5 * fall);
        }
        EXPECT_EQ(kernel.push(0.0), kernel.b / OutputKernel::softening);
        EXPECT_EQ(kernel.gap_cost(0.0), kernel.gap_cost(OutputKernel::softening));
    }
}

TEST(OutputKernel, TheShortcutOfCauchyIsTheGeneralForm) {
    const OutputKernel nearly{1.0 + 1e-15, 1.0};
    for (const double s : {0.0, 1e-3, 3.0, 1e8}) {
        EXPECT_NEAR(OutputKernel{}.pull(s), nearly.pull(s), 1e-12);
        EXPECT_NEAR(OutputKernel{}.value(s), nearly.value(s), 1e-12);
    }
}

TEST(OutputKernel, PointsInOnePlaceCostNothingAndArePulledNowhere) {
    EXPECT_EQ((OutputKernel{1.6, 0.9}.pull(0.0)), 0.0);
    EXPECT_EQ((OutputKernel{0.3, 1.0}.pull(0.0)), 0.3);
    EXPECT_EQ((OutputKernel{1.6, 0.9}.cost(0.0)), 0.0);
    EXPECT_EQ((OutputKernel{1.6, 0.9}.value(0.0)), 1.0);
}

}  // namespace
}  // namespace isogon::output_kernel_test
