#include "neighbors/nearest_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/random.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::nearest_selection_test {

namespace {

using reference::on_threads;
using reference::random_points;
using Candidate = NearestSelection::Candidate;

std::vector<Candidate> random_candidates(Index count, std::uint64_t seed) {
    std::vector<Candidate> all;
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        all.push_back({static_cast<float>(random.below(200)), i});
    }
    return all;
}

std::vector<Candidate> best(std::vector<Candidate> all, Index keep) {
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return a.key != b.key ? a.key > b.key : a.index < b.index;
    });
    all.resize(std::min<std::size_t>(all.size(), keep));
    return all;
}

void expect_equal(std::span<const Candidate> found, const std::vector<Candidate>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t a = 0; a < found.size(); ++a) {
        EXPECT_EQ(found[a].key, expected[a].key) << a;
        EXPECT_EQ(found[a].index, expected[a].index) << a;
    }
}

void expect_the_best(const std::vector<Candidate>& all, Index keep) {
    NearestSelection forth(1, keep);
    NearestSelection back(1, keep);
    std::for_each(all.begin(), all.end(), [&](const Candidate& c) { forth.offer(0, c.index, c.key); });
    std::for_each(all.rbegin(), all.rend(), [&](const Candidate& c) { back.offer(0, c.index, c.key); });
    const auto unordered = forth.best(0);
    expect_equal(best({unordered.begin(), unordered.end()}, keep), best(all, keep));
    expect_equal(forth.finish(0), best(all, keep));
    expect_equal(back.finish(0), best(all, keep));
}

TEST(NearestSelection, KeepsTheBestWhateverTheOrderOfTheOffers) {
    for (const Index keep : {1U, 5U, 48U, 200U}) {
        for (const Index count : {1U, 47U, 300U, 5000U}) {
            expect_the_best(random_candidates(count, keep), keep);
        }
    }
}

TEST(NearestSelection, KeepsTheBestOfKeysThatCountingHardlyTellsApart) {
    constexpr Index count = 700;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const Index keep : {2U, 5U, 48U, 200U}) {
        for (const int groups : {1, 2, 3}) {
            // So few, one fewer and one more than are kept lie far beyond the others.
            for (const Index beyond : {keep - 1, keep, keep + 1}) {
                for (const float how_far : {10.0F, 1e30F, infinity}) {
                    std::vector<Candidate> all = random_candidates(count, keep);
                    for (Candidate& candidate : all) {
                        const Index place = candidate.index * 311 % count;  // in no order of the keys
                        candidate.key = groups == 3 ? candidate.key : static_cast<float>(place % groups);
                        candidate.key += place < beyond ? how_far : 0.0F;
                    }
                    expect_the_best(all, keep);
                }
            }
        }
    }
}

TEST(NearestSelection, TakesATileForItsRowsAndItsColumns) {
    alignas(64) std::array<float, tile_size> values{};
    for (std::size_t place = 0; place < tile_size; ++place) {
        values[place] = static_cast<float>((place * 7919) % 1000);
    }
    // Rows 0..47 against columns 48..59.
    PairTile tile{.first_row = 0, .first_column = 48, .rows = 48, .columns = 12, .values = values.data()};
    NearestSelection both(60, 3);
    NearestSelection rows(60, 3);
    both.take_tile(tile, true);
    rows.take_tile(tile, false);
    for (Index i = 0; i < 60; ++i) {
        std::vector<Candidate> offered;
        for (Index j = 0; j < (i < 48 ? 12U : 48U); ++j) {
            offered.push_back(i < 48 ? Candidate{values[i * tile_width + j], 48 + j}
                                     : Candidate{values[j * tile_width + i - 48], j});
        }
        expect_equal(both.finish(i), best(offered, 3));
        expect_equal(rows.finish(i), i < 48 ? best(offered, 3) : std::vector<Candidate>{});
    }
}

TEST(NearestSelection, OfADiagonalTileOnlyPairsCount) {
    alignas(64) std::array<float, tile_size> values{};
    values.fill(1.0F);
    PairTile tile{.rows = 5, .columns = 5, .diagonal = true, .values = values.data()};
    NearestSelection selection(5, 10);
    selection.take_tile(tile, true);
    for (Index i = 0; i < 5; ++i) {
        const auto found = selection.finish(i);
        ASSERT_EQ(found.size(), 4U);
        EXPECT_TRUE(std::none_of(found.begin(), found.end(), [&](const Candidate& c) { return c.index == i; }));
    }
}

/// Offers every pair with keys that are off by up to `error`.
NearestSelection offered(const MetricSpace& space, Index keep, double error) {
    const Index n = space.points().count;
    NearestSelection selection(n, keep);
    for (Index i = 0; i < n; ++i) {
        Random random(9, RandomStream::Test, i);
        for (Index j = 0; j < n; ++j) {
            if (i != j) {
                const double cosine = 1.0 - double{space.distance(i, j)};
                selection.offer(i, j, static_cast<float>(cosine + error * (random.uniform() - 0.5)));
            }
        }
    }
    return selection;
}

TEST(ListCompletion, PutsCandidatesInTheOrderOfTheirDistances) {
    const Points x = random_points(200, 5, 1);
    const MetricSpace space({x.view(), x.view(), Metric::Cosine});
    NearestSelection selection = offered(space, candidates_for(7), 1e-6);
    const NeighborLists lists = complete_lists(space, selection, 7, {0, space.queries().count}, on_threads(2));
    for (Index i = 0; i < 200; ++i) {
        const auto truth = reference::sorted_distances(x.view(), i, x.view(), Metric::Cosine);
        for (Index a = 0; a < 7; ++a) {
            ASSERT_NEAR(double{lists.distances_of(i)[a]}, truth[a], 1e-6);
        }
    }
}

TEST(ListCompletion, SearchesARowAgainWhereRoundingCouldHaveLostANeighbour) {
    // Points so near each other that the rounding of keys, which is real here, says nothing of their order.
    Points x = random_points(150, 4, 2);
    for (float& value : x.values()) {
        value = 1.0F + 1e-4F * value;
    }
    const MetricSpace space({x.view(), x.view(), Metric::Cosine});
    NearestSelection selection = offered(space, candidates_for(5), 1e-6);
    const NeighborLists lists = complete_lists(space, selection, 5, {0, space.queries().count}, on_threads(2));
    for (Index i = 0; i < 150; ++i) {
        std::vector<float> all;
        for (Index j = 0; j < 150; ++j) {
            if (i != j) {
                all.push_back(space.distance(i, j));
            }
        }
        std::sort(all.begin(), all.end());
        for (Index a = 0; a < 5; ++a) {
            ASSERT_EQ(lists.distances_of(i)[a], all[a]) << i;
        }
    }
}

TEST(ListCompletion, KeepsMoreCandidatesThanNeighbours) {
    EXPECT_EQ(candidates_for(1), 9U);
    EXPECT_EQ(candidates_for(800), 900U);
}

}  // namespace

}  // namespace isogon::nearest_selection_test
