#include "core/power_of_two_scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::power_of_two_scaling_test {
namespace {

double longest(const PointsView& points) {
    return support::to_matrix(points).rowwise().norm().maxCoeff();
}

TEST(PowerOfTwoScaling, OfOrdinaryPointsIsTheirOwnWithoutACopy) {
    for (const float factor : {0.1F, 1.0F, 255.0F, 10000.0F}) {
        const Points x = reference::scaled(reference::random_points(20, 4, 1), factor);
        const PowerOfTwoScaling input(x.view(), {});
        EXPECT_EQ(input.points().data, x.view().data);
        EXPECT_EQ(input.unit(), 1.0);
        EXPECT_EQ(input.bytes(), 0U);
    }
}

TEST(PowerOfTwoScaling, OfOtherPointsMakesTheLongestOneToFourAndChangesNoDigit) {
    for (const double power : {-120.0, -60.0, -21.0, -20.0, 30.0, 70.0, 71.0, 120.0}) {
        const Points x = reference::random_points(20, 4, 2);
        const Points other = reference::scaled(x, static_cast<float>(std::exp2(power)));
        const PowerOfTwoScaling input(other.view(), {});
        EXPECT_GE(longest(input.points()), 1.0);
        EXPECT_LT(longest(input.points()), 4.0 + 1e-6);
        EXPECT_EQ(std::remainder(std::log2(input.unit()), 2.0), 0.0) << "a root of the unit that does not round";
        EXPECT_EQ(input.bytes(), 20U * 4U * sizeof(float));
        EXPECT_EQ(input.unit() * support::to_matrix(input.points()), support::to_matrix(other));
        Points coordinates = support::to_points(support::to_matrix(input.points()));
        input.restore(coordinates);
        EXPECT_EQ(support::to_matrix(coordinates), support::to_matrix(other));
    }
}

TEST(PowerOfTwoScaling, ReadsStridedViews) {
    const Points wide = reference::scaled(reference::random_points(20, 9, 3), 1e20F);
    const PointsView middle(wide.view().data + 2, 20, 4, 9);
    const PowerOfTwoScaling input(middle, {});
    EXPECT_EQ(input.unit() * support::to_matrix(input.points()), support::to_matrix(wide).middleCols(2, 4));
}

TEST(PowerOfTwoScaling, OfZerosIsTheirOwn) {
    const Points zero(5, 3);
    EXPECT_EQ(PowerOfTwoScaling(zero.view(), {}).unit(), 1.0);
}

TEST(PowerOfTwoScaling, OfADistanceIsThatOfPointsAsLong) {
    for (const double length : {0.0, 1e-30, 0.01, 0.02, 1.0, 1e6, 1e7, 1e30}) {
        const float number = static_cast<float>(length);
        const PowerOfTwoScaling input(5, number);
        EXPECT_EQ(input.unit(), PowerOfTwoScaling(PointsView(&number, 1, 1), {}).unit()) << length;
        EXPECT_EQ(input.points().count, 5U);
        EXPECT_EQ(input.points().dimension, 0U);
        EXPECT_EQ(input.bytes(), 0U);
    }
}

TEST(PowerOfTwoScaling, RefusesLengthsThatNoCoordinatesCouldHave) {
    Points x = reference::random_points(6, 4, 4);
    std::fill(x[3].begin(), x[3].end(), std::numeric_limits<float>::max());
    try {
        const PowerOfTwoScaling input(x.view(), {});
        ADD_FAILURE() << "was taken, in units of " << input.unit();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 3"), std::string::npos) << error.what();
    }
}

TEST(PowerOfTwoScaling, RefusesCoordinatesThatFloat32DoesNotHold) {
    const PowerOfTwoScaling unit(2, 3e38);
    Points coordinates(2, 1);
    coordinates[0][0] = 1.0F;
    unit.restore(coordinates);
    EXPECT_EQ(coordinates[0][0], static_cast<float>(unit.unit()));
    coordinates[1][0] = 4.0F;
    EXPECT_THROW(unit.restore(coordinates), InputError);
}

TEST(PowerOfTwoScaling, StatesTheCopyBeforeItIsTaken) {
    RunContext context;
    context.memory_limit = 100;
    const Points x = reference::random_points(20, 4, 5);
    EXPECT_NO_THROW(PowerOfTwoScaling(x.view(), context));
    const Points far = reference::scaled(x, 1e20F);
    EXPECT_THROW(PowerOfTwoScaling(far.view(), context), LimitExceeded);
}

TEST(PowerOfTwoScaling, OfSomePointsIsThatOfAll) {
    Points x = reference::scaled(reference::random_points(200, 4, 1), 1e-3F);
    x[3][0] = 1e9F;  // not among the last
    const PowerOfTwoScaling whole(x.view(), {});
    ASSERT_NE(whole.unit(), 1.0);
    const PointsView last(x.view().data + 400, 100, 4);
    const PowerOfTwoScaling some(last, norms(x.view()), {});
    EXPECT_EQ(some.unit(), whole.unit());
    for (Index i = 0; i < last.count; ++i) {
        const auto row = whole.points()[100 + i];
        EXPECT_TRUE(std::equal(row.begin(), row.end(), some.points()[i].begin()));
    }
}

}  // namespace
}  // namespace isogon::power_of_two_scaling_test
