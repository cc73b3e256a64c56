#include "methods/semidefinite/unfolding_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::unfolding_steps_test {

namespace {

TEST(UnfoldingPoints, DistinctOnesAreNotCopied) {
    const Points given = reference::random_points(6, 3, 1);
    Summary summary;
    const UnfoldingPoints points(given.view(), {}, summary, {});
    EXPECT_EQ(points.view()[0].data(), given.view()[0].data());
}

TEST(UnfoldingPoints, BridgesStandAmongSharedPairsInTheirPlace) {
    // Even points lie here, odd ones far off, so that the bridge's ends are no first nor last.
    Points points = reference::random_points(30, 2, 4);
    for (Index i = 1; i < 30; i += 2) {
        points[i][0] += 100.0F;
    }
    const NeighborLists lists = reference::euclidean_lists(points, 4);
    const DistanceConstraints listed = distance_constraints(points.view(), lists, KeptPairs::SharedNeighbors);
    Summary summary;
    const DistanceConstraints kept =
        distances_to_keep(points.view(), lists, {KeptPairs::SharedNeighbors, {ComponentPolicy::Bridge}}, summary, {});
    ASSERT_EQ(static_cast<double>(kept.size()), static_cast<double>(listed.size()) + summary.value("bridges"));
    EXPECT_LT(listed.size(), kept.size());
    EXPECT_EQ(std::adjacent_find(kept.pairs.begin(), kept.pairs.end(), std::greater_equal<>()), kept.pairs.end());
    EXPECT_TRUE(std::includes(kept.pairs.begin(), kept.pairs.end(), listed.pairs.begin(), listed.pairs.end()));
    for (std::size_t a = 0; a < listed.size(); ++a) {
        const auto place = std::lower_bound(kept.pairs.begin(), kept.pairs.end(), listed.pairs[a]) - kept.pairs.begin();
        EXPECT_EQ(kept.squared[static_cast<std::size_t>(place)], listed.squared[a]);
    }
}

LandmarkUnfolding unfolded() {
    LandmarkUnfolding result;
    result.unfolding.status = SemidefiniteStatus::Solved;
    result.unfolding.outputs = MultiVector<double>(4, 3);
    result.unfolding.outputs.values() = {3, 1, 1e-9, -3, 1, -1e-9, 3, -1, 1e-9, -3, -1, -1e-9};
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
    const Points points = recorded_outputs(unfolded(), 2, unit, {}, summary);
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

TEST(UnfoldingSummary, SaysHowItEnded) {
    const Points given = reference::random_points(4, 3, 1);
    const PowerOfTwoScaling unit(given.view(), {});
    const auto end_of = [&](SemidefiniteStatus status, const std::string& message, const RunContext& context) {
        LandmarkUnfolding some = unfolded();
        some.unfolding.status = status;
        some.unfolding.message = message;
        Summary summary;
        (void)recorded_outputs(some, 2, unit, context, summary);
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
    EXPECT_TRUE(recorded_outputs(nothing, 2, unit, {}, summary).empty());
    EXPECT_EQ(summary.termination, Termination::NumericalFailure);
}

}  // namespace

}  // namespace isogon::unfolding_steps_test
