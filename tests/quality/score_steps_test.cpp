#include "quality/score_steps.hpp"

#include <gtest/gtest.h>

namespace isogon::score_steps_test {

namespace {

TEST(WarnOfIsolated, WarnsAboveATenthOfThePointsWithADirection) {
    Summary summary;
    warn_of_isolated({2, 30, 10, 0.5}, "no other point", "take a lower one", summary);
    EXPECT_TRUE(summary.warnings.empty());
    warn_of_isolated({0, 30, 30, 0.5}, "no other point", "take a lower one", summary);
    EXPECT_TRUE(summary.warnings.empty());
    warn_of_isolated({3, 30, 10, 0.5}, "no other point", "take a lower one", summary);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_EQ(summary.warnings.front(),
              "3 of 30 points (15.0%) have no other point above the threshold 0.5, so the angles say nothing of them: "
              "take a lower one");
}

}  // namespace

}  // namespace isogon::score_steps_test
