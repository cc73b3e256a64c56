#include "isogon/pairs/tiled_sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/random.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon::tiled_sparse_matrix_test {
namespace {

CsrMatrix<float> random_upper(Index count, std::uint32_t one_in, std::uint64_t seed) {
    CsrMatrix<float> upper{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            if (random.below(one_in) == 0) {
                upper.indices.push_back(j);
                upper.values.push_back(static_cast<float>(random.normal()));
            }
        }
        upper.offsets.push_back(upper.indices.size());
    }
    return upper;
}

class TileTargetsOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, TileTargetsOf, testing::Values(0, 1, 2, 47, 48, 49, 96, 97, 200, 331));

TEST_P(TileTargetsOf, HoldsEveryEntryOnceInTheTileWhereItBelongs) {
    for (const std::uint32_t one_in : {1U, 3U, 50U}) {
        const CsrMatrix<float> upper = random_upper(GetParam(), one_in, 5);
        const TiledSparseMatrix targets(upper);
        const auto panels = static_cast<Index>((GetParam() + tile_width - 1) / tile_width);
        Offset seen = 0;
        for (Index p = 0; p < panels; ++p) {
            for (Index q = p; q < panels; ++q) {
                const TiledSparseMatrix::Tile tile = targets.tile(p, q);
                ASSERT_TRUE(std::is_sorted(tile.places, tile.places + tile.count));
                for (std::size_t k = 0; k < tile.count; ++k, ++seen) {
                    const auto i = static_cast<Index>(p * tile_width + (tile.places[k] >> tile_place_shift));
                    const auto j = static_cast<Index>(q * tile_width + (tile.places[k] & tile_place_mask));
                    const auto columns = upper.row_indices(i);
                    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
                    ASSERT_TRUE(found != columns.end() && *found == j);
                    ASSERT_EQ(tile.values[k], upper.row_values(i)[found - columns.begin()]);
                }
            }
        }
        EXPECT_EQ(seen, upper.entries());
    }
}

}  // namespace
}  // namespace isogon::tiled_sparse_matrix_test
