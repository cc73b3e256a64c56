#include "forces/output_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"

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

TEST(OutputKernel, PointsInOnePlaceCostNothingAndArePulledNowhere) {
    EXPECT_EQ((OutputKernel{1.6, 0.9}.pull(0.0)), 0.0);
    EXPECT_EQ((OutputKernel{0.3, 1.0}.pull(0.0)), 0.3);
    EXPECT_EQ((OutputKernel{1.6, 0.9}.cost(0.0)), 0.0);
    EXPECT_EQ((OutputKernel{1.6, 0.9}.value(0.0)), 1.0);
}

/// The objective of the fit for 1 / (1 + a d^2b), written down once more.
double misfit(double a, double b, double min_distance, double spread) {
    double sum = 0.0;
    for (int i = 0; i < 300; ++i) {
        const double d = 3.0 * spread * i / 299.0;
        const double requested = d < min_distance ? 1.0 : std::exp(-(d - min_distance) / spread);
        sum += std::pow(1.0 / (1.0 + a * std::pow(d, 2.0 * b)) - requested, 2);
    }
    return sum;
}

TEST(KernelFit, NothingNearOrFarFitsBetter) {
    for (const double spread : {1.0, 0.5, 7.0}) {
        for (const double share : {0.0, 0.1, 0.5, 1.0}) {
            const OutputKernel kernel = fit_output_kernel(share * spread, spread);
            const double found = misfit(kernel.a, kernel.b, share * spread, spread);
            const double unit = std::pow(spread, 2.0 * kernel.b);
            for (const double factor : {0.5, 0.9, 0.999, 1.001, 1.1, 2.0}) {
                EXPECT_LT(found, misfit(kernel.a * factor, kernel.b, share * spread, spread));
                EXPECT_LT(found, misfit(kernel.a * unit / std::pow(spread, 2.0 * factor * kernel.b), factor * kernel.b,
                                        share * spread, spread));
            }
        }
    }
}

TEST(KernelFit, FindsWhatASearchOfTheWholePlaneFinds) {
    const OutputKernel kernel = fit_output_kernel(0.1, 1.0);
    double best = 1e9;
    for (double a = 0.2; a < 5.0; a *= 1.05) {
        for (double b = 0.3; b < 3.0; b *= 1.05) {
            best = std::min(best, misfit(a, b, 0.1, 1.0));
        }
    }
    EXPECT_LE(misfit(kernel.a, kernel.b, 0.1, 1.0), best);
    EXPECT_NEAR(kernel.a, 1.577, 2e-3);  // umap-learn prints these
    EXPECT_NEAR(kernel.b, 0.895, 2e-3);
}

TEST(KernelFit, RefusesWhatIsNoDistance) {
    EXPECT_THROW((void)fit_output_kernel(-0.1, 1.0), InvalidArgument);
    EXPECT_THROW((void)fit_output_kernel(1.1, 1.0), InvalidArgument);
    EXPECT_THROW((void)fit_output_kernel(0.1, 0.0), InvalidArgument);
    EXPECT_THROW((void)fit_output_kernel(NAN, 1.0), InvalidArgument);
    EXPECT_THROW((void)fit_output_kernel(0.1, NAN), InvalidArgument);
}

}  // namespace

}  // namespace isogon::output_kernel_test
