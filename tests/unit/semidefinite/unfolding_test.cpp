#include "isogon/semidefinite/unfolding.hpp"

#include <gtest/gtest.h>

namespace isogon::unfolding_test {

namespace {

/// Three points on a line: 0, 1, 3.
WideVectors line() {
    WideVectors outputs(3, 1);
    outputs.values = {0.0, 1.0, 3.0};
    return outputs;
}

TEST(DistanceChanges, AreThoseOfSquaredDistances) {
    const DistanceConstraints constraints{.pairs = {{0, 1}, {0, 2}, {1, 2}}, .squared = {1.0, 6.0, 5.0}};
    const DistanceChanges changes = distance_changes(line(), constraints);
    EXPECT_DOUBLE_EQ(changes.most_stretched, 0.5);
    EXPECT_DOUBLE_EQ(changes.most_shrunk, 0.2);
    EXPECT_DOUBLE_EQ(changes.mean, 0.7 / 3.0);
}

TEST(DistanceChanges, ARuleForbidsItsOwn) {
    const DistanceChanges changes{.most_stretched = 0.1, .most_shrunk = 0.3};
    EXPECT_EQ(changes.forbidden(DistanceRule::Equal), 0.3);
    EXPECT_EQ(changes.forbidden(DistanceRule::AtMost), 0.1);
    EXPECT_EQ(changes.forbidden(DistanceRule::Slack), 0.0);
}

TEST(DistanceChanges, EqualPointsAreMeasuredByTheOthers) {
    const DistanceConstraints constraints{.pairs = {{0, 1}, {0, 2}}, .squared = {0.0, 9.0}};
    EXPECT_DOUBLE_EQ(distance_changes(line(), constraints).most_stretched, 1.0 / 4.5);
    const DistanceConstraints nothing{.pairs = {{0, 1}}, .squared = {0.0}};
    EXPECT_DOUBLE_EQ(distance_changes(line(), nothing).most_stretched, 1.0);
}

}  // namespace

}  // namespace isogon::unfolding_test
