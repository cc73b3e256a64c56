#include "isogon/pairs/positive_pairs.hpp"

#include <gtest/gtest.h>

#include "isogon/pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"

namespace isogon::positive_pairs_test {
namespace {

using reference::on_threads;

class PositivePairs : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, PositivePairs, testing::Values(0, 1, 2, 48, 49, 300, 900));

TEST_P(PositivePairs, AreAllPairsWithAProductAboveZero) {
    const Index n = GetParam();
    const Points x = reference::whole_points(n, 3, 4, 1);
    Points shifted = x;
    for (float& value : shifted.values()) {
        value -= 2.0F;
    }
    const PackedPoints packed = pack(shifted.view(), {}, {}, on_threads(1));
    PairRuns runs = collect_positive_pairs(packed, packed, on_threads(3), "test");
    CsrMatrix<float> upper;
    append_pairs(n, runs, upper);
    validate(upper);
    for (Index i = 0; i < n; ++i) {
        std::size_t at = 0;
        for (Index j = i + 1; j < n; ++j) {
            float product = 0.0F;
            for (Index k = 0; k < 3; ++k) {
                product += shifted[i][k] * shifted[j][k];
            }
            if (product > 0.0F) {
                ASSERT_LT(at, upper.row_indices(i).size());
                ASSERT_EQ(upper.row_indices(i)[at], j);
                ASSERT_EQ(upper.row_values(i)[at], product);
                ++at;
            }
        }
        ASSERT_EQ(at, upper.row_indices(i).size());
    }
}

TEST(AppendPairs, GrowsAMatrixByRowsAndLaterColumns) {
    PairRuns first{{{0, 1, 5.0F}}, {{0, 2, 6.0F}, {1, 2, 7.0F}}};
    CsrMatrix<float> upper;
    append_pairs(3, first, upper);
    PairRuns more{{{0, 3, 8.0F}, {2, 3, 9.0F}}};
    append_pairs(4, more, upper);
    validate(upper);
    EXPECT_EQ(upper.offsets, (std::vector<Offset>{0, 3, 4, 5, 5}));
    EXPECT_EQ(upper.indices, (std::vector<Index>{1, 2, 3, 2, 3}));
    EXPECT_EQ(upper.values, (std::vector<float>{5.0F, 6.0F, 8.0F, 7.0F, 9.0F}));
}

}  // namespace
}  // namespace isogon::positive_pairs_test
