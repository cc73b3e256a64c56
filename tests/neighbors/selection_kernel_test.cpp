#include "neighbors/nearest_selection.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <array>
#include <limits>

#include "core/random.hpp"

namespace isogon::selection_kernel_test {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

struct Tile {
    alignas(64) std::array<float, tile_size> values{};
    std::array<float, tile_width> rows{};
    std::array<float, tile_width> columns{};
};

Tile random_tile(std::uint64_t seed) {
    Random random(seed, RandomStream::Test, 0);
    Tile tile;
    for (float& value : tile.values) {
        value = static_cast<float>(random.below(100));
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        tile.rows[i] = random.below(3) == 0 ? never : static_cast<float>(random.below(120));
        tile.columns[i] = random.below(3) == 0 ? never : static_cast<float>(random.below(120));
    }
    return tile;
}

TEST(SelectionKernel, MarksWhatReachesOneOfItsThresholdsOnEveryInstructionSet) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Tile tile = random_tile(seed);
            TilePlaces places;
            EXPECT_TRUE(mark_reaching(tile.values.data(), tile.rows.data(), tile.columns.data(), places));
            for (std::size_t i = 0; i < tile_width; ++i) {
                for (std::size_t j = 0; j < tile_width; ++j) {
                    const float value = tile.values[i * tile_width + j];
                    const bool reaching = value >= tile.rows[i] || value >= tile.columns[j];
                    ASSERT_EQ((places.rows[i] >> j & 1U) != 0, reaching) << i << ", " << j << " on " << target;
                }
                ASSERT_EQ(places.rows[i] >> tile_width, 0U);
            }
        }
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(SelectionKernel, TellsThatNothingIsMarked) {
    Tile tile = random_tile(1);
    tile.rows.fill(100.0F);
    tile.columns.fill(never);
    TilePlaces places;
    EXPECT_FALSE(mark_reaching(tile.values.data(), tile.rows.data(), tile.columns.data(), places));
    tile.values[47 * tile_width + 47] = 100.0F;
    EXPECT_TRUE(mark_reaching(tile.values.data(), tile.rows.data(), tile.columns.data(), places));
}

}  // namespace
}  // namespace isogon::selection_kernel_test
