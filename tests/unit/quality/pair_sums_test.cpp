#include "quality/pair_sums.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "reference/point_sets.hpp"

namespace isogon::pair_sums_test {
namespace {

TEST(PairSums, WithoutAPairThereIsNoDeviationAndAPerfectIndex) {
    EXPECT_EQ(PairSums{}.mean_degrees(), 0.0);
    EXPECT_EQ(PairSums{}.jaccard(), 1.0);
}

TEST(PairSums, AreAMeanOverThoseInXAndAShareOfThoseInEither) {
    const PairSums sums{std::numbers::pi, 4, 3, 2};
    EXPECT_DOUBLE_EQ(sums.mean_degrees(), 45.0);
    EXPECT_DOUBLE_EQ(sums.jaccard(), 2.0 / 5.0);
}

TEST(PairSums, AddUp) {
    PairSums sums{1.0, 4, 3, 2};
    sums.add({0.5, 1, 2, 1});
    EXPECT_EQ(sums.deviation, 1.5);
    EXPECT_EQ(sums.in_x, 5U);
    EXPECT_EQ(sums.in_y, 5U);
    EXPECT_EQ(sums.in_both, 3U);
}

TEST(PairSums, AreOnlyInYNoLessAReasonForABadIndex) {
    const PairSums sums{0.0, 0, 3, 0};
    EXPECT_EQ(sums.mean_degrees(), 0.0);
    EXPECT_EQ(sums.jaccard(), 0.0);
}

/// Cosines of a tile whose points do not matter, being at wide angles.
TEST(AddTile, CountsPairsAboveTheThresholdAndListsThoseOfX) {
    const PackedPoints none(48, 1);
    alignas(64) std::array<float, tile_size> x{};
    alignas(64) std::array<float, tile_size> y{};
    const auto at = [](std::size_t i, std::size_t j) { return i * tile_width + j; };
    x[at(0, 47)] = y[at(0, 47)] = 0.75F;  // in both, at equal angles
    x[at(47, 0)] = 0.75F;                 // in x alone, a right angle in y
    y[at(20, 20)] = 0.75F;                // in y alone
    x[at(5, 5)] = y[at(5, 5)] = 0.5F;     // at the threshold is not above it
    TileAngles x_angle(none, PairTile{}, x.data());
    TileAngles y_angle(none, PairTile{}, y.data());
    PairSums sums{10.0, 100, 200, 50};
    TileEntries hits;
    add_tile(x_angle, y_angle, 0.5F, sums, hits);
    EXPECT_EQ(sums.in_x, 102U);
    EXPECT_EQ(sums.in_y, 202U);
    EXPECT_EQ(sums.in_both, 51U);
    EXPECT_NEAR(sums.deviation, 10.0 + std::asin(0.75), 1e-12);
    ASSERT_EQ(hits.count, 2U);
    EXPECT_EQ(hits.places[0], 47U);
    EXPECT_EQ(hits.places[1], 47U << tile_place_shift);
    EXPECT_EQ(hits.values[0], 0.0F);
    EXPECT_NEAR(hits.values[1], std::asin(0.75), 1e-6);
}

}  // namespace
}  // namespace isogon::pair_sums_test
