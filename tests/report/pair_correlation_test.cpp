#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "report/measures.hpp"

namespace isogon::pair_correlation_test {

namespace {

constexpr SideMetrics by_angle{Nearness::Cosine, Nearness::Cosine};
constexpr SideMetrics by_distance{Nearness::Euclidean, Nearness::Euclidean};

TEST(PairCorrelation, IsOneWhereTheOrderOfDistancesStays) {
    const Points x = reference::random_points(100, 4, 1);
    EXPECT_NEAR(pair_correlation({x.view(), reference::scaled(x, 7.0F).view(), by_distance}, 0), 1.0, 1e-6);
    EXPECT_NEAR(pair_correlation({x.view(), reference::scaled(x, 7.0F).view(), by_angle}, 0), 1.0, 1e-6);
}

// Distances of corners of a cube tie, and once they are turned only up to rounding.
TEST(PairCorrelation, OfDistancesThatTieGoesByTiesAlsoWhereTheyAreRounded) {
    const Points x = reference::whole_points(100, 12, 1, 5);
    const Points y = reference::turned(x, 6);
    EXPECT_NEAR(pair_correlation({x.view(), y.view(), by_distance}, 0), 1.0, 1e-9);
}

TEST(PairCorrelation, IsMinusOneWhereItIsReversed) {
    // Three points of a line: distances 1, 2, 3; and others of distances 3, 2, 1 for the same pairs.
    Points x(3, 1);
    Points y(3, 2);
    x[1][0] = 1.0F;
    x[2][0] = 3.0F;
    y[1][0] = 3.0F;
    y[2][0] = 1.0F;
    y[2][1] = 0.1F;
    EXPECT_NEAR(pair_correlation({x.view(), y.view(), by_distance}, 0), -1.0, 1e-9);
}

TEST(PairCorrelation, IsNearZeroByChanceAlsoOverASample) {
    EXPECT_NEAR(
        pair_correlation(
            {reference::random_points(400, 5, 2).view(), reference::random_points(400, 5, 3).view(), by_distance}, 0),
        0.0, 0.05);
}

TEST(PairCorrelation, IsZeroWhereAllAreEquallyFar) {
    const Points x = reference::random_points(20, 3, 4);
    EXPECT_EQ(pair_correlation({x.view(), reference::equal_points(20, 2).view(), by_distance}, 0), 0.0);
}

}  // namespace

}  // namespace isogon::pair_correlation_test
