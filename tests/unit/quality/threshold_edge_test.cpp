#include "quality/threshold_edge.hpp"

#include <gtest/gtest.h>

#include <array>

#include "isogon/pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"

namespace isogon::threshold_edge_test {
namespace {

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

}  // namespace
}  // namespace isogon::threshold_edge_test
