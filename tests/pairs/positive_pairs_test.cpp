#include "pairs/positive_pairs.hpp"

#include <gtest/gtest.h>
#include <stop_token>
#include <vector>

#include "pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"

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

/// A number for each point, different on both sides.
std::vector<float> numbers(Index count, float factor) {
    std::vector<float> list;
    for (Index i = 0; i < count; ++i) {
        list.push_back(factor * (1.0F + 0.37F * static_cast<float>(i % 11)));
    }
    return list;
}

CsrMatrix<float> matrix_of(Index count, PairRuns runs) {
    CsrMatrix<float> upper;
    append_pairs(count, runs, upper);
    validate(upper);
    return upper;
}

class PairRing : public testing::TestWithParam<Index> {};

// Fewer points than a panel, whole panels, whole blocks and not; more ranks than blocks.
INSTANTIATE_TEST_SUITE_P(Counts, PairRing, testing::Values(1, 2, 47, 48, 96, 97, 300, 1000, 1537));

TEST_P(PairRing, FindsOnEachRankThePairsOfOneProcessThatHaveAnOwnPoint) {
    const Index count = GetParam();
    const Points x = reference::random_points(count, 5, 1);
    const std::vector<float> left = numbers(count, 1.0F);
    const std::vector<float> right = numbers(count, -0.3F);
    const CsrMatrix<float> whole = matrix_of(
        count, collect_positive_pairs(pack(x.view(), {}, left, {}), pack(x.view(), {}, right, {}), {}, "test"));
    for (const std::size_t ranks : {1U, 2U, 3U, 4U, 7U}) {
        // All that a rank has at once, and little by little.
        for (const Index piece : {Index{1}, Index{100}, Index{5000}}) {
            for (const int threads : {1, 2, 3}) {
                if (threads > 1 && (ranks != 3 || piece != 100)) {
                    continue;
                }
                support::on_ranks(
                    ranks, x.view(),
                    [&](const RunContext& context, const DistributedPoints& points) {
                        const CsrMatrix<float> found = matrix_of(
                            count, collect_positive_pairs_in_ring(points, {left, right}, piece, context, "test"));
                        const CsrMatrix<float> expected = support::own_part(whole, points.local_range());
                        EXPECT_EQ(found.offsets, expected.offsets) << ranks << " ranks, pieces of " << piece;
                        EXPECT_EQ(found.indices, expected.indices);
                        EXPECT_EQ(found.values, expected.values);
                    },
                    threads);
            }
        }
    }
}

TEST(PairRing, TellsHowFarItIs) {
    const Points x = reference::random_points(1000, 5, 1);
    const std::vector<float> ones(1000, 1.0F);
    support::on_ranks(3, x.view(), [&](RunContext context, const DistributedPoints& points) {
        std::vector<Progress> reported;
        context.on_iteration = [&](const Progress& progress) { reported.push_back(progress); };
        (void)collect_positive_pairs_in_ring(points, {ones, ones}, 48, context, "test");
        ASSERT_FALSE(reported.empty());
        for (std::size_t k = 1; k < reported.size(); ++k) {
            EXPECT_EQ(reported[k].phase, "test");
            EXPECT_GE(reported[k].done, reported[k - 1].done);
        }
        EXPECT_EQ(reported.back().done, reported.back().total);
    });
}

TEST(PairRing, EndsAtTheSamePlaceOnAllRanksWhenOneIsAsked) {
    const Points x = reference::random_points(1000, 5, 1);
    const std::vector<float> ones(1000, 1.0F);
    for (const std::size_t after : {0U, 1U, 4U}) {
        std::vector<std::uint64_t> calls(3);
        support::on_ranks(3, x.view(), [&](RunContext context, const DistributedPoints& points) {
            std::stop_source source;
            std::size_t reported = 0;
            context.stop = source.get_token();
            context.on_iteration = [&](const Progress&) {
                if (points.communicator()->rank() == 1 && reported++ == after) {
                    source.request_stop();
                }
            };
            EXPECT_THROW((void)collect_positive_pairs_in_ring(points, {ones, ones}, 48, context, "test"), Interruption);
            calls[points.communicator()->rank()] = points.communicator()->traffic().collective_calls;
        });
        EXPECT_EQ(calls, std::vector<std::uint64_t>(3, calls[0]));
    }
}

TEST(PairRing, ARankThatFailsDoesNotBlockTheOthers) {
    const Points x = reference::random_points(1000, 5, 1);
    const std::vector<float> ones(1000, 1.0F);
    support::on_ranks(3, x.view(), [&](RunContext context, const DistributedPoints& points) {
        const bool fails = points.communicator()->rank() == 2;
        std::size_t reported = 0;
        context.on_iteration = [&](const Progress&) {
            if (fails && ++reported == 3) {
                throw std::bad_alloc();
            }
        };
        const auto build = [&] { (void)collect_positive_pairs_in_ring(points, {ones, ones}, 48, context, "test"); };
        if (fails) {
            EXPECT_THROW(build(), std::bad_alloc);
            (void)points.communicator()->leave({.failed = true, .code = 1});
        } else {
            EXPECT_THROW(build(), RankEnded);
        }
    });
}

TEST(PairRing, HoldsLessTheMoreRanksThereAre) {
    EXPECT_EQ(pair_ring_bytes(96, 10), 3 * PackedPoints::bytes(96, 11));  // both pieces are all there is
    EXPECT_LT(pair_ring_bytes(10000, 784), pair_ring_bytes(20000, 784) * 3 / 4);
    const Points x = reference::random_points(1000, 5, 1);
    EXPECT_EQ(ring_piece(x.view()), 1000U);
}

}  // namespace

}  // namespace isogon::positive_pairs_test
