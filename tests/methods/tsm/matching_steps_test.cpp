#include "methods/tsm/matching_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::matching_steps_test {
namespace {

double length_of(const MultiVector<float>& y, Index i) {
    double square = 0.0;
    for (Index k = 0; k < y.columns(); ++k) {
        square += double{y.row(i)[k]} * double{y.row(i)[k]};
    }
    return std::sqrt(square);
}

TEST(ThresholdStep, TakesTheGivenOneOrChoosesAndRecordsIt) {
    const Points x = support::clustered_points(150, 20, 8, 0.7, 5);
    const RunContext context = reference::on_threads(1);
    Summary given;
    EXPECT_EQ(threshold_step(x.view(), 0.5, 1, given, context).threshold, 0.5);
    EXPECT_EQ(given.value("threshold"), 0.5);
    Summary chosen;
    const double tau = threshold_step(x.view(), std::nullopt, 1, chosen, context).threshold;
    EXPECT_EQ(tau, choose_threshold(x.view(), {.seed = 1}, context).threshold);
    EXPECT_EQ(chosen.value("threshold"), tau);
    ASSERT_EQ(chosen.seconds.size(), 1U);
    EXPECT_EQ(chosen.seconds[0].first, "threshold");
}

TEST(StateMatching, NeedsMoreForDenserSimilaritiesAndForTheItemsOfTheMethod) {
    const Points x = support::clustered_points(150, 20, 8, 0.7, 5);
    std::uint64_t need = 0;
    RunContext context = reference::on_threads(1);
    context.on_need = [&](std::uint64_t bytes) { need = bytes; };
    state_matching(x.view(), 4, 0.01, {}, context);
    const std::uint64_t sparse = need;
    state_matching(x.view(), 4, 0.01, {{"the solver", 1000}}, context);
    EXPECT_EQ(need, sparse + 1000);
    state_matching(x.view(), 4, 0.5, {}, context);
    EXPECT_GT(need, sparse);
    context.memory_limit = 10;
    EXPECT_THROW(state_matching(x.view(), 4, 0.01, {}, context), LimitExceeded);
}

TEST(StateMatching, OfFewWidePointsIsFarBelowTheirProductWithThemselves) {
    const Points x = support::clustered_points(40, 3000, 4, 0.7, 5);
    std::uint64_t need = 0;
    RunContext context = reference::on_threads(1);
    context.on_need = [&](std::uint64_t bytes) { need = bytes; };
    state_matching(x.view(), 4, 0.01, {}, context);
    EXPECT_LT(need, std::uint64_t{3000} * 3000 * sizeof(double) / 4);
}

TEST(MessageOf, HasTheNumbersBehindTheEnd) {
    MatchingEnd end{Termination::Converged, 12, " on the spheres", "0.001", ", residual 0.1", ": svd"};
    EXPECT_EQ(message_of(end),
              "the residual changed by less than 0.001 in each of ten updates after 12 updates on the spheres, "
              "residual 0.1");
    end.termination = Termination::IterationLimit;
    EXPECT_EQ(message_of(end), "all 12 updates made on the spheres, residual 0.1");
    end.termination = Termination::Stalled;
    EXPECT_EQ(message_of(end), "no step led further after 12 updates on the spheres, residual 0.1");
    end.termination = Termination::NumericalFailure;
    EXPECT_EQ(message_of(end), "the residual became infinite after 12 updates on the spheres: svd");
    end.termination = Termination::Cancelled;
    EXPECT_EQ(message_of(end), "ended after 12 updates on the spheres, residual 0.1");
}

TEST(OnSpheres, KeepsDirectionsAndSetsLengths) {
    Points coordinates(2, 2);
    coordinates[0][0] = 3.0F;
    coordinates[0][1] = 4.0F;
    coordinates[1][1] = -0.5F;
    const MultiVector<float> y = on_spheres(coordinates.view(), {10.0F, 1.0F}, 0);
    EXPECT_FLOAT_EQ(y.row(0)[0], 6.0F);
    EXPECT_FLOAT_EQ(y.row(0)[1], 8.0F);
    EXPECT_FLOAT_EQ(y.row(1)[0], 0.0F);
    EXPECT_FLOAT_EQ(y.row(1)[1], -1.0F);
}

TEST(OnSpheres, DrawsADirectionWhereThereIsNone) {
    const Points nowhere(3, 4);
    const std::vector<float> lengths{2.0F, 2.0F, 0.0F};
    const MultiVector<float> y = on_spheres(nowhere.view(), lengths, 1);
    EXPECT_NEAR(length_of(y, 0), 2.0, 1e-6);
    EXPECT_NEAR(length_of(y, 1), 2.0, 1e-6);
    EXPECT_EQ(length_of(y, 2), 0.0);
    EXPECT_NE(y.row(0)[0], y.row(1)[0]);
    EXPECT_NE(y.row(0)[0], on_spheres(nowhere.view(), lengths, 2).row(0)[0]);
}

}  // namespace
}  // namespace isogon::matching_steps_test
