#include "quality/score_steps.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "pairs/threshold.hpp"
#include "reference/point_sets.hpp"

namespace isogon::score_steps_test {

namespace {

TEST(PointsText, KnowsOneFromMany) {
    EXPECT_EQ(points_text(0), "0 points");
    EXPECT_EQ(points_text(1), "1 point");
    EXPECT_EQ(points_text(2), "2 points");
}

TEST(GivenOrChosen, TakesWhatIsGivenAndChoosesElse) {
    const Points points = reference::random_points(200, 5, 1);
    Summary summary;
    EXPECT_EQ(given_or_chosen(0.25, points.view(), 3, {}, summary), 0.25);
    EXPECT_TRUE(summary.seconds.empty());
    const double chosen = choose_threshold(points.view(), {.seed = 3}).threshold;
    EXPECT_EQ(given_or_chosen({}, points.view(), 3, {}, summary), chosen);
    ASSERT_EQ(summary.seconds.size(), 1U);
    EXPECT_EQ(summary.seconds.front().first, "threshold");
}

TEST(WarnOfIsolated, WarnsAboveATenthOfThePointsWithADirection) {
    Summary summary;
    warn_of_isolated({2, 30, 10, 0.5}, "no other point", "take a lower one", summary);
    EXPECT_TRUE(summary.warnings.empty());
    warn_of_isolated({3, 30, 10, 0.5}, "no other point", "take a lower one", summary);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_EQ(summary.warnings.front(),
              "3 of 30 points (15.0%) have no other point above the threshold 0.5, so the angles say nothing of them: "
              "take a lower one");
}

TEST(WarnOfIsolated, ZeroVectorsAloneAreNoReason) {
    Summary summary;
    warn_of_isolated({0, 30, 30, 0.5}, "no other point", "take a lower one", summary);
    EXPECT_TRUE(summary.warnings.empty());
}

TEST(EndEarly, NamesTheReason) {
    Summary summary;
    end_early(Interruption(Termination::TimeLimit), summary);
    EXPECT_EQ(summary.termination, Termination::TimeLimit);
    EXPECT_NE(summary.message.find("time-limit"), std::string::npos);
}

TEST(Norms, AreComparedPointByPoint) {
    const std::vector<double> x{1.0, 2.0, 4.0, 10.0};
    const std::vector<double> y{1.0, 3.0, 2.0, 0.0};
    const NormScore score = compare_norms(x, y);
    EXPECT_DOUBLE_EQ(score.mean, (0.0 + 0.5 + 0.5 + 1.0) / 4.0);
    EXPECT_DOUBLE_EQ(score.max, 1.0);
}

TEST(Norms, ZeroVectorsOfXAreLeftOut) {
    const std::vector<double> x{0.0, 2.0, 0.0};
    const std::vector<double> y{5.0, 2.5, 0.0};
    EXPECT_DOUBLE_EQ(compare_norms(x, y).mean, 0.25);
    EXPECT_DOUBLE_EQ(compare_norms(x, y).max, 0.25);
}

TEST(Norms, WithoutAnyPointAllIsZero) {
    const std::vector<double> zeros{0.0, 0.0};
    EXPECT_EQ(compare_norms(zeros, zeros).mean, 0.0);
    EXPECT_EQ(compare_norms(zeros, zeros).max, 0.0);
    EXPECT_EQ(compare_norms({}, {}).mean, 0.0);
}

}  // namespace

}  // namespace isogon::score_steps_test
