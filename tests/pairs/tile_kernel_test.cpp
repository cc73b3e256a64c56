#include "pairs/tile_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::tile_kernel_test {
namespace {

/// A tile of which about `density` of the entries are above zero; the others are 0, -0 or below.
struct Tile {
    alignas(64) std::array<float, tile_size> values{};

    Tile(double density, std::uint64_t seed) {
        Random random(seed, RandomStream::Test, 0);
        for (float& value : values) {
            const bool hit = random.uniform() < density;
            const auto size = static_cast<float>(random.uniform(0.5, 2.0));
            value = hit ? size : std::array{0.0F, -0.0F, -size}.at(random.below(3));
        }
    }
};

std::vector<std::pair<std::uint32_t, float>> positive_entries(const Tile& tile) {
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::uint32_t i = 0; i < tile_width; ++i) {
        for (std::uint32_t j = 0; j < tile_width; ++j) {
            if (tile.values.at(i * tile_width + j) > 0.0F) {
                entries.emplace_back(i * 64 + j, tile.values.at(i * tile_width + j));
            }
        }
    }
    return entries;
}

std::vector<std::pair<std::uint32_t, float>> collected(const Tile& tile) {
    TileEntries hits;
    collect_positive(tile.values.data(), hits);
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::size_t h = 0; h < hits.count; ++h) {
        entries.emplace_back(hits.places[h], hits.values[h]);
    }
    return entries;
}

class AtDensity : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Tiles, AtDensity, testing::Values(0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 1.0));

TEST_P(AtDensity, CollectsWhatALoopFindsInItsOrder) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Tile tile(GetParam(), seed);
        ASSERT_EQ(collected(tile), positive_entries(tile)) << "seed " << seed;
    }
}

TEST_P(AtDensity, TakesTheHingeWithItsSumsAndPlaces) {
    Tile tile(GetParam(), 7);
    const Tile before = tile;
    TilePlaces places;
    const HingeOfTile hinge = take_hinge(tile.values.data(), -0.5F, places);
    double squares = 0.0;
    double sum = 0.0;
    for (std::size_t place = 0; place < tile_size; ++place) {
        const float positive = std::max(0.0F, before.values.at(place));
        squares += double{positive} * positive;
        sum += double{positive};
        ASSERT_EQ(tile.values.at(place), -0.5F * positive);
        ASSERT_EQ((places.rows[place / tile_width] >> (place % tile_width)) & 1U, positive > 0.0F ? 1U : 0U);
    }
    EXPECT_NEAR(hinge.squares, squares, 1e-5 * squares);
    EXPECT_NEAR(hinge.sum, sum, 1e-5 * sum);
}

TEST(CollectPositive, FindsEverySinglePlace) {
    Tile tile(0.0, 1);
    for (std::size_t place = 0; place < tile_size; ++place) {
        const float before = tile.values.at(place);
        tile.values.at(place) = 0.25F;
        ASSERT_EQ(collected(tile), positive_entries(tile)) << "place " << place;
        tile.values.at(place) = before;
    }
}

TEST(CollectPositive, TakesTheSmallestAndLargestButNotNan) {
    Tile tile(0.0, 2);
    tile.values[5] = std::numeric_limits<float>::min();
    tile.values[6] = std::numeric_limits<float>::infinity();
    tile.values[7] = std::numeric_limits<float>::quiet_NaN();
    const auto entries = collected(tile);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].first, 5U);
    EXPECT_EQ(entries[1].first, 6U);
}

std::vector<float> random_block(std::size_t width, std::uint64_t seed) {
    std::vector<float> block(tile_width * width);
    Random random(seed, RandomStream::Test, 1);
    for (float& value : block) {
        value = static_cast<float>(random.uniform(-1.0, 1.0));
    }
    return block;
}

class AtWidth : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Blocks, AtWidth, testing::Range(std::size_t{16}, std::size_t{161}, std::size_t{16}));

TEST_P(AtWidth, AccumulatesBothHalvesOfTheProduct) {
    const std::size_t width = GetParam();
    for (const double density : {0.0, 0.02, 0.3, 1.0}) {
        TileEntries hits;
        collect_positive(Tile(density, width).values.data(), hits);
        const auto left = random_block(width, 1);
        const auto right = random_block(width, 2);
        auto row_sums = random_block(width, 3);
        auto column_sums = random_block(width, 4);
        std::vector<double> rows(row_sums.begin(), row_sums.end());
        std::vector<double> columns(column_sums.begin(), column_sums.end());
        for (std::size_t h = 0; h < hits.count; ++h) {
            const std::size_t i = (hits.places[h] >> tile_place_shift) * width;
            const std::size_t j = (hits.places[h] & tile_place_mask) * width;
            for (std::size_t c = 0; c < width; ++c) {
                rows[i + c] += double{hits.values[h]} * double{right[j + c]};
                columns[j + c] += double{hits.values[h]} * double{left[i + c]};
            }
        }
        accumulate_hits(hits, {left.data(), row_sums.data()}, {right.data(), column_sums.data()}, width);
        for (std::size_t e = 0; e < rows.size(); ++e) {
            ASSERT_NEAR(double{row_sums[e]}, rows[e], 5e-5) << "density " << density << ", row sum " << e;
            ASSERT_NEAR(double{column_sums[e]}, columns[e], 5e-5) << "density " << density << ", column sum " << e;
        }
    }
}

TEST(CollectAbove, FindsWhatIsAboveTheThresholdOfItsRowInOrder) {
    alignas(64) float tile[tile_size];
    float thresholds[tile_width];
    Random random(1, RandomStream::Test, 0);
    for (float& value : tile) {
        value = static_cast<float>(random.below(20));  // equal to the threshold every so often
    }
    for (std::size_t i = 0; i < tile_width; ++i) {
        thresholds[i] = static_cast<float>(i);  // above all from row 20 on
    }
    thresholds[3] = std::numeric_limits<float>::infinity();
    thresholds[47] = -std::numeric_limits<float>::infinity();
    TileEntries hits;
    collect_above(tile, thresholds, hits);
    std::size_t h = 0;
    for (std::size_t i = 0; i < tile_width; ++i) {
        for (std::size_t j = 0; j < tile_width; ++j) {
            if (tile[i * tile_width + j] > thresholds[i]) {
                ASSERT_LT(h, hits.count);
                EXPECT_EQ(hits.places[h], i << tile_place_shift | j);
                EXPECT_EQ(hits.values[h++], tile[i * tile_width + j]);
            }
        }
    }
    EXPECT_EQ(h, hits.count);
}

TEST(MultiplyListed, GivesTheProductsWithTheListedVectors) {
    for (const Index d : {1U, 15U, 16U, 17U, 40U, 100U}) {
        const support::Matrix vectors = support::random_matrix(30, d, d);
        const support::Matrix vector = support::random_matrix(1, d, d + 1);
        const std::vector<Index> list{29, 0, 7, 7, 12};
        std::vector<float> products(list.size());
        multiply_listed(support::to_block(vector).row(0), support::to_block(vectors), list, products.data());
        for (std::size_t k = 0; k < list.size(); ++k) {
            EXPECT_NEAR(products[k], vectors.row(list[k]).dot(vector.row(0)), 1e-5 * d);
        }
        EXPECT_EQ(products[2], products[3]);
        // The same bits alone and among others: four share their last sums.
        for (std::size_t k = 0; k < list.size(); ++k) {
            float alone = 0.0F;
            multiply_listed(support::to_block(vector).row(0), support::to_block(vectors), {&list[k], 1}, &alone);
            EXPECT_EQ(alone, products[k]);
        }
    }
}

TEST(MultiplyListed, WritesNothingForAnEmptyList) {
    const support::Matrix vectors = support::random_matrix(2, 3, 1);
    std::vector<float> products(20, 7.0F);
    multiply_listed(support::to_block(vectors).row(0), support::to_block(vectors), {}, products.data());
    EXPECT_EQ(products, std::vector<float>(20, 7.0F));
}

}  // namespace
}  // namespace isogon::tile_kernel_test
