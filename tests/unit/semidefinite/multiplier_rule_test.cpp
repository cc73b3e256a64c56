#include "semidefinite/multiplier_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace isogon::multiplier_rule_test {
namespace {

constexpr double price = 2.5;

TEST(MultiplierRule, IsWithinItsBoundsWhereCornersAreSharp) {
    for (const double t : {-7.0, -2.5, -1.0, 0.0, 0.25, 2.0, 4.0}) {
        EXPECT_EQ(MultiplierRule(DistanceRule::Equal, price).at(t, 0.0).force, t);
        EXPECT_EQ(MultiplierRule(DistanceRule::AtMost, price).at(t, 0.0).force, std::max(0.0, t));
        EXPECT_EQ(MultiplierRule(DistanceRule::Slack, price).at(t, 0.0).force, std::clamp(t, -price, price));
    }
}

TEST(MultiplierRule, SlopeIsTheDerivative) {
    constexpr double step = 1e-5;
    for (const DistanceRule kind : {DistanceRule::Equal, DistanceRule::AtMost, DistanceRule::Slack}) {
        const MultiplierRule rule(kind, price);
        for (const double t : {-9.0, -2.4, -0.5, 0.0, 0.3, 2.6, 8.0}) {
            const double change = rule.at(t + step, 0.7).force - rule.at(t - step, 0.7).force;
            EXPECT_NEAR(rule.at(t, 0.7).slope, change / (2.0 * step), 1e-8);
        }
    }
}

/// y = force(y + sigma g) is the barrier's: y times what is missing, -g, is rounding / (4 sigma).
TEST(MultiplierRule, RoundedAtMostIsABarrier) {
    const MultiplierRule rule(DistanceRule::AtMost, price);
    constexpr double rounding = 0.36;
    constexpr double sigma = 3.0;
    for (const double missing : {1e-3, 0.1, 5.0}) {
        const double y = rounding / (4.0 * sigma) / missing;
        EXPECT_NEAR(rule.at(y - sigma * missing, rounding).force, y, 1e-13 * y);
    }
}

TEST(MultiplierRule, NeverLeavesItsBoundsNorTheNumbers) {
    for (const double t : {-1e300, -1e12, -1.0, 1e12, 1e150}) {
        const Pull strings = MultiplierRule(DistanceRule::AtMost, price).at(t, 1.0);
        EXPECT_GE(strings.force, 0.0);
        EXPECT_TRUE(std::isfinite(strings.slope) || std::abs(t) > 1e154);
        const Pull rods = MultiplierRule(DistanceRule::Slack, price).at(t, 1.0);
        EXPECT_LE(std::abs(rods.force), price);
        EXPECT_GE(rods.slope, 0.0);
    }
}

}  // namespace
}  // namespace isogon::multiplier_rule_test
