#include "matching/placement_kernel.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/random.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::placement_kernel_test {
namespace {

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
    }
}

TEST(MultiplyListed, TakesAnEmptyList) {
    const MultiVector<float> vectors(2, 3);
    multiply_listed(vectors.row(0), vectors, {}, nullptr);
}

}  // namespace
}  // namespace isogon::placement_kernel_test
