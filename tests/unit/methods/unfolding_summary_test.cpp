#include "methods/unfolding_summary.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"

namespace isogon::unfolding_summary_test {
namespace {

LandmarkUnfolding unfolded() {
    LandmarkUnfolding result;
    result.unfolding.status = SemidefiniteStatus::Solved;
    result.unfolding.outputs = WideVectors(4, 3);
    result.unfolding.outputs.values = {3, 1, 1e-9, -3, 1, -1e-9, 3, -1, 1e-9, -3, -1, -1e-9};
    result.unfolding.eigenvalues = {36.0, 4.0, 4e-18};
    result.unfolding.trace = 40.0;
    result.unfolding.bound = 41.0;
    result.unfolding.gap = 0.01;
    result.rounds = 7;
    result.monitored = 90;
    result.summary.trace = {{1, 40.0, 0.5, 0.0}};
    result.summary.seconds = {{"solver", 2.0}};
    return result;
}

TEST(UnfoldingSummary, SuggestsTheFewestDimensionsThatHoldNearlyAll) {
    EXPECT_EQ(suggested_dimension({90.0, 9.0, 1.0}), 2U);
    EXPECT_EQ(suggested_dimension({90.0, 8.0, 1.0, 1.0}), 3U);
    EXPECT_EQ(suggested_dimension({1.0}), 1U);
    EXPECT_EQ(suggested_dimension({1.0, 1.0, 1.0, 1.0}), 4U);
    EXPECT_EQ(suggested_dimension({}), 0U);
}

TEST(UnfoldingSummary, TellsNumbersInTheUnitOfTheInput) {
    const Points given = reference::scaled(reference::random_points(4, 3, 1), 0x1p30F);
    const PowerOfTwoScaling unit(given.view(), {});
    ASSERT_NE(unit.unit(), 1.0);
    Summary summary;
    const Points points = told(unfolded(), 2, unit, {}, summary);
    EXPECT_EQ(points[1][0], static_cast<float>(-3.0 * unit.unit()));
    EXPECT_EQ(summary.value("trace"), 40.0 * unit.unit() * unit.unit());
    EXPECT_EQ(summary.trace[0].objective, 40.0 * unit.unit() * unit.unit());
    EXPECT_EQ(summary.value("spectrum_0"), 0.9);
    EXPECT_EQ(summary.value("rounds"), 7.0);
    EXPECT_EQ(summary.value("monitored"), 90.0);
    EXPECT_EQ(summary.value("duality_gap"), 0.01);
    EXPECT_EQ(summary.value("suggested_dimension"), 2.0);
    EXPECT_EQ(summary.termination, Termination::Converged);
    EXPECT_TRUE(summary.warnings.empty());
    EXPECT_EQ(summary.seconds.front().first, "solver");
}

TEST(UnfoldingSummary, DimensionsThatAreNotThereAreZeroAndWarnedOf) {
    const Points given = reference::random_points(4, 3, 1);
    Summary summary;
    const Points points = told(unfolded(), 4, PowerOfTwoScaling(given.view(), {}), {}, summary);
    ASSERT_EQ(points.dimension(), 4U);
    for (Index i = 0; i < 4; ++i) {
        EXPECT_EQ(points[i][2], 0.0F);
        EXPECT_EQ(points[i][3], 0.0F);
    }
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_NE(summary.warnings[0].find("2 dimensions"), std::string::npos) << summary.warnings[0];
}

TEST(UnfoldingSummary, SaysHowItEnded) {
    const Points given = reference::random_points(4, 3, 1);
    const PowerOfTwoScaling unit(given.view(), {});
    const auto end_of = [&](SemidefiniteStatus status, const std::string& message, const RunContext& context) {
        LandmarkUnfolding some = unfolded();
        some.unfolding.status = status;
        some.unfolding.message = message;
        Summary summary;
        (void)told(some, 2, unit, context, summary);
        EXPECT_NE(summary.message.find(message), std::string::npos);
        EXPECT_EQ(summary.warnings.size(), 1U);
        return summary.termination;
    };
    EXPECT_EQ(end_of(SemidefiniteStatus::NotConverged, "violated after all rounds", {}), Termination::IterationLimit);
    EXPECT_EQ(end_of(SemidefiniteStatus::NotConverged, "the solver", {}), Termination::Stalled);
    RunContext late;
    late.limit_seconds(0.0);
    EXPECT_EQ(end_of(SemidefiniteStatus::Interrupted, "ended", late), Termination::TimeLimit);
    LandmarkUnfolding nothing = unfolded();
    nothing.unfolding.outputs = {};
    nothing.unfolding.status = SemidefiniteStatus::NotConverged;
    Summary summary;
    EXPECT_TRUE(told(nothing, 2, unit, {}, summary).empty());
    EXPECT_EQ(summary.termination, Termination::NumericalFailure);
}

}  // namespace
}  // namespace isogon::unfolding_summary_test
