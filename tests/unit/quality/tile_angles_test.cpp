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

}  // namespace
}  // namespace isogon::tile_angles_test
