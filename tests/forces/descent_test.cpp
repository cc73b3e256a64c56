#include "forces/descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "forces/two_kernels.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::descent_test {

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

MonotoneDescent::Objective two_kernels(const TwoKernelObjective& objective) {
    return [&objective](const MultiVector<double>& y, MultiVector<double>& gradient, const RunContext& context) {
        return objective.gradient(y, gradient, context);
    };
}

/// Weights up to 1.
TwoKernelObjective objective_of(Index count) {
    CsrMatrix<double> kernel = support::random_affinities(count, 5);
    const double largest = *std::max_element(kernel.values.begin(), kernel.values.end());
    for (double& value : kernel.values) {
        value /= largest;
    }
    return pca_with_two_kernels(std::move(kernel));
}

/// sum_k (k + 1) (y_k - target_k)^2, whose least is known.
double bowl(const MultiVector<double>& y, MultiVector<double>& gradient, const RunContext& /*context*/) {
    double sum = 0.0;
    for (std::size_t k = 0; k < y.values().size(); ++k) {
        const double target = k % 2 == 0 ? 1.0 : -1.0;
        const double weight = static_cast<double>(k) + 1.0;
        gradient.values()[k] = 2.0 * weight * (y.values()[k] - target);
        sum += weight * std::pow(y.values()[k] - target, 2);
    }
    return sum;
}

TEST(MonotoneDescent, FindsTheLeastOfABowl) {
    MonotoneDescent descent(bowl, support::random_outputs(15, 2, 1.0), 0.0, reference::on_threads(1));
    EXPECT_EQ(descent.run_to(10000), Termination::Stalled);
    EXPECT_LT(descent.objective(), 1e-12);
    EXPECT_NEAR(descent.outputs().at(7, 1), -1.0, 1e-6);
}

TEST(MonotoneDescent, NeverIncreases) {
    const TwoKernelObjective objective = objective_of(80);
    for (const double spread : {1e-4, 1.0, 100.0}) {
        MonotoneDescent descent(two_kernels(objective), support::random_outputs(80, 2, spread, 3), 0.0,
                                reference::on_threads(1));
        double before = descent.objective();
        for (int iteration = 1; iteration <= 60; ++iteration) {
            (void)descent.run_to(iteration);
            EXPECT_LE(descent.objective(), before);
            before = descent.objective();
        }
        MultiVector<double> gradient(80, 2);
        EXPECT_EQ(objective.gradient(descent.outputs(), gradient, {}), descent.objective());
    }
}

TEST(MonotoneDescent, ConvergesWhereTheGradientIsSmall) {
    const TwoKernelObjective objective = objective_of(60);
    MonotoneDescent descent(two_kernels(objective), support::random_outputs(60, 2, 1.0, 3), 1e-7,
                            reference::on_threads(1));
    const double at_first = descent.slope();
    EXPECT_EQ(descent.run_to(5000), Termination::Converged);
    EXPECT_LT(descent.slope(), 0.01 * at_first);
    EXPECT_EQ(descent.run_to(6000), Termination::Converged);
    EXPECT_LE(descent.trace().back().change, 1e-7 * descent.objective());
}

TEST(MonotoneDescent, ContinuesToTheSameBitsOnAnyNumberOfThreads) {
    const TwoKernelObjective objective = objective_of(600);
    const MultiVector<double> start = support::random_outputs(600, 2, 1.0, 3);
    MonotoneDescent whole(two_kernels(objective), start, 0.0, reference::on_threads(1));
    MonotoneDescent parts(two_kernels(objective), start, 0.0, reference::on_threads(3));
    EXPECT_EQ(whole.run_to(25), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(8), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(8), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(25), Termination::IterationLimit);
    EXPECT_EQ(whole.outputs().values(), parts.outputs().values());
    ASSERT_EQ(whole.trace().size(), 3U);
    EXPECT_EQ(whole.trace()[1].change, whole.trace()[0].objective - whole.trace()[1].objective);
}

TEST(MonotoneDescent, ReturnsTheCurrentResultWhenCancelled) {
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    Points seen;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "layout");
        if (progress.done == 4) {
            seen = progress.coordinates();
            stop.request_stop();
        }
    };
    MonotoneDescent descent(bowl, support::random_outputs(15, 2, 1.0), 0.0, context);
    EXPECT_EQ(descent.run_to(100), Termination::Cancelled);
    EXPECT_EQ(std::move(seen).values(), to_points(descent.outputs()).values());
    EXPECT_EQ(descent.iteration(), 4);
    MonotoneDescent four(bowl, support::random_outputs(15, 2, 1.0), 0.0, {});
    (void)four.run_to(4);
    EXPECT_EQ(descent.outputs().values(), four.outputs().values());
}

TEST(MonotoneDescent, AFlatPlaceIsTheEnd) {
    MonotoneDescent descent(
        [](const MultiVector<double>&, MultiVector<double>& gradient, const RunContext&) {
            std::fill(gradient.values().begin(), gradient.values().end(), 0.0);
            return 3.0;
        },
        support::random_outputs(5, 2, 1.0), 0.0, {});
    EXPECT_EQ(descent.run_to(10), Termination::Stalled);
    EXPECT_EQ(descent.iteration(), 0);
}

}  // namespace

}  // namespace isogon::descent_test
