#include "quality/centring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/point_sets.hpp"

namespace isogon::centring_test {
namespace {

Points moved(const Points& points, float shift) {
    Points result = points;
    for (float& value : result.values()) {
        value += shift;
    }
    return result;
}

double largest_after(const Points& points, const Centring& centring) {
    double largest = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < points.dimension(); ++k) {
            largest = std::max(largest, std::abs((double{points[i][k]} - centring.offset[k]) * centring.scale));
        }
    }
    return largest;
}

TEST(Centring, LeavesPointsAroundTheOriginWhereTheyAre) {
    const std::vector<double> origin(3);
    EXPECT_EQ(find_centring(reference::random_points(100, 3, 1).view()).offset, origin);
    EXPECT_EQ(find_centring(reference::whole_points(100, 3, 1, 2).view()).offset, origin);
}

TEST(Centring, MovesPointsThatLieFarAway) {
    const Centring centring = find_centring(moved(reference::random_points(500, 3, 3), 1000.0F).view());
    for (const double value : centring.offset) {
        EXPECT_NEAR(value, 1000.0, 1.0);
    }
}

TEST(Centring, WholeNumbersStayWhole) {
    for (const float shift : {100.0F, 4099.0F, -70000.0F}) {
        const Centring centring = find_centring(moved(reference::whole_points(300, 4, 9, 4), shift).view());
        for (const double value : centring.offset) {
            EXPECT_NEAR(value, double{shift} + 4.5, 2.0);
            EXPECT_EQ(value, std::round(value));
        }
    }
}

TEST(Centring, TheLargestCoordinateBecomesAboutOne) {
    for (const float factor : {1e-44F, 1e-38F, 1e-10F, 1.0F, 1e37F}) {
        for (const float shift : {0.0F, 1.0F}) {
            const Points points =
                reference::scaled(moved(reference::whole_points(50, 3, 9, 5), shift * 1000.0F), factor / 1100.0F);
            const double largest = largest_after(points, find_centring(points.view()));
            EXPECT_TRUE(largest == 0.0 || (largest >= 1.0 && largest < 2.0)) << factor << ": " << largest;
        }
    }
}

TEST(Centring, EqualPointsAndZerosAreNoDivisionByZero) {
    for (const Points& points : {Points(10, 2), reference::equal_points(10, 2)}) {
        const Centring centring = find_centring(points.view());
        EXPECT_TRUE(std::isfinite(centring.scale));
        EXPECT_GT(centring.scale, 0.0);
        EXPECT_LT(largest_after(points, centring), 2.0);
    }
}

}  // namespace
}  // namespace isogon::centring_test
