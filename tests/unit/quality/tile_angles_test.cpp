#include "quality/tile_angles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "isogon/pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::tile_angles_test {

namespace {

constexpr double to_degrees = 180.0 / std::numbers::pi;

/// 48 points at growing distances from one direction, down to equal ones.
Points around_one_direction(Index dimension, double closest) {
    const Points noise = reference::random_points(48, dimension, 1);
    Points points(48, dimension);
    for (Index i = 0; i < 48; ++i) {
        const double distance = i < 2 ? 0.0 : closest * std::pow(1.4, i);
        for (Index k = 0; k < dimension; ++k) {
            points[i][k] = static_cast<float>(1.0 + distance * double{noise[i][k]});
        }
    }
    return points;
}

class Near : public testing::TestWithParam<std::tuple<Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Directions, Near,
                         testing::Combine(testing::Values(2, 31, 32, 33, 784), testing::Values(1e-6, 1e-3)));

TEST_P(Near, AnglesAreThoseOfFloat64) {
    const auto [dimension, closest] = GetParam();
    const Points points = around_one_direction(dimension, closest);
    const auto lengths = norms(points.view());
    const PackedPoints packed = pack_directions(points.view(), lengths, reference::every_point(48), {});
    alignas(64) std::array<float, tile_size> values{};
    multiply_panels(packed.panel(0), packed.panel(0), dimension, values.data(), tile_width);
    TileAngles angle(packed, PairTile{.rows = 48, .columns = 48}, values.data());
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 48; ++j) {
            const double expected = reference::degrees(points, i, j);
            // Directions and products are rounded to float32; wide angles are taken from the cosine alone.
            const double allowed = expected < 17.0 ? 2e-5 : (expected < 160.0 ? 2e-4 : 0.05);
            ASSERT_NEAR(angle(i, j) * to_degrees, expected, allowed) << i << ", " << j;
        }
    }
    EXPECT_EQ(angle(0, 1), 0.0);
}

TEST(TileAngles, AnOrderOfCallsThatJumpsBetweenRowsGivesTheSame) {
    const Points points = around_one_direction(10, 1e-4);
    const auto lengths = norms(points.view());
    const PackedPoints packed = pack_directions(points.view(), lengths, reference::every_point(48), {});
    alignas(64) std::array<float, tile_size> values{};
    multiply_panels(packed.panel(0), packed.panel(0), 10, values.data(), tile_width);
    TileAngles jumping(packed, PairTile{}, values.data());
    for (Index i = 0; i < 48; ++i) {
        TileAngles fresh(packed, PairTile{}, values.data());
        EXPECT_EQ(jumping(i, 47 - i), fresh(i, 47 - i));
    }
}

TEST(TileAngles, CosinesRoundedBeyondTheirBoundsAreNumbers) {
    const PackedPoints packed(48, 1);
    alignas(64) std::array<float, tile_size> values{};
    values[0] = -1.0000002F;
    values[1] = 1.0000002F;
    TileAngles angle(packed, PairTile{}, values.data());
    EXPECT_DOUBLE_EQ(angle(0, 0), std::numbers::pi);
    EXPECT_EQ(angle(0, 1), 0.0);
}

TEST(ThresholdEdge, ACosineThatIsTheThresholdIsNotAboveIt) {
    const std::array<float, 3> x{1.0F, 1.0F, 0.0F};
    const std::array<float, 3> y{1.0F, 0.0F, 1.0F};
    const std::array<float, 3> nearer{1.0F, 1e-6F, 1.0F};
    const std::array<float, 3> opposite{-1.0F, -1.0F, 0.0F};
    EXPECT_FALSE(is_above(x, y, 0.5));
    EXPECT_TRUE(is_above(x, nearer, 0.5));
    EXPECT_FALSE(is_above(x, opposite, 0.5));
    EXPECT_FALSE(is_above(x, std::array<float, 3>{}, 0.5));
}

/// Products in float32 as wrong as they may be.
TEST(ThresholdEdge, RoundingIsTakenBackAndNothingElse) {
    const Points points = reference::whole_points(40, 3, 2, 1);
    for (const bool diagonal : {false, true}) {
        alignas(64) std::array<float, tile_size> values{};
        for (Index i = 0; i < 40; ++i) {
            for (Index j = 0; j < 40; ++j) {
                values.at(i * tile_width + j) = static_cast<float>(i == j ? 0.5 : 0.5 + ((i + j) % 3 - 1.0) * 3e-7);
            }
        }
        values[1] = 0.7F;
        values[2] = 0.3F;
        const auto before = values;
        const PairTile tile{.rows = 40, .columns = 40, .diagonal = diagonal};
        settle_edge(points.view(), 0.5, tile, values.data());
        EXPECT_EQ(values[1], 0.7F);
        EXPECT_EQ(values[2], 0.3F);
        for (Index i = 0; i < 40; ++i) {
            for (Index j = i == 0 ? 3 : 0; j < tile_width; ++j) {
                const std::size_t place = i * tile_width + j;
                if (j >= 40 || (diagonal && j <= i)) {
                    EXPECT_EQ(values.at(place), before.at(place));
                } else {
                    EXPECT_EQ(values.at(place) > 0.5F, is_above(points[i], points[j], 0.5)) << i << ", " << j;
                    EXPECT_NEAR(values.at(place), before.at(place), 4e-7);
                }
            }
        }
    }
}

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

}  // namespace isogon::tile_angles_test
