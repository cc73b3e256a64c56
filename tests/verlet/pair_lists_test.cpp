#include "verlet/pair_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "distributed/rank_group.hpp"
#include "pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"

namespace isogon::pair_lists_test {
namespace {

using reference::on_threads;
using Runs = std::vector<std::vector<ListedPair>>;
using Sets = std::vector<std::set<Index>>;

void expect_lists(const PairLists& lists, const Sets& expected) {
    ASSERT_EQ(lists.begins.size(), expected.size() + 1);
    for (Index i = 0; i < expected.size(); ++i) {
        const auto list = lists.of(i);
        ASSERT_EQ(std::vector<Index>(list.begin(), list.end()),
                  std::vector<Index>(expected[i].begin(), expected[i].end()))
            << i;
    }
}

/// Pairs i < j of which `is_listed` tells, by wide blocks and in the order of their visits.
template <class IsListed>
Runs runs_of(Index count, const IsListed& is_listed) {
    const RowBlocks wide = wide_blocks(count);
    Runs runs(wide.blocks * wide.blocks);
    const Range all{0, pair_blocks(count).blocks};
    for_each_wide_pair_of(all, count, on_threads(3), [&](const WidePair& two) {
        visit_block_pairs(two, all, count, [&](std::span<const PanelPair> pairs) {
            for (const PanelPair& pair : pairs) {
                const Range rows = block_range(pair.rows, count, panel_width);
                const Range columns = block_range(pair.columns, count, panel_width);
                for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
                    for (auto j = static_cast<Index>(std::max<std::size_t>(i + 1, columns.begin)); j < columns.end;
                         ++j) {
                        if (is_listed(i, j)) {
                            runs[two.rows * wide.blocks + two.columns].push_back({i, j});
                        }
                    }
                }
            }
        });
    });
    return runs;
}

class ListsOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, ListsOf, testing::Values(1, 2, 48, 49, 500, 6200));

TEST_P(ListsOf, BothWaysGiveThoseOfTheDefinition) {
    const Index count = GetParam();
    const auto is_listed = [&](Index i, Index j) { return (std::uint64_t{i} * 7919 + j * 104729ULL) % 59 == 3; };
    Sets expected(count);
    for (Index i = 0; i < count; ++i) {
        for (Index j = i + 1; j < count; ++j) {
            if (is_listed(i, j)) {
                expected[i].insert(j);
                expected[j].insert(i);
            }
        }
    }
    Runs runs = runs_of(count, is_listed);
    Runs again = runs;
    const std::size_t room = std::size_t{120} * count;
    PairLists lists{.begins = {0}, .listed = std::vector<Index>(room, 3)};
    const Index* const memory = lists.listed.data();
    list_by_wide_blocks(runs, count, lists, on_threads(3));
    expect_lists(lists, expected);
    EXPECT_TRUE(lists.listed.data() == memory || lists.entries() <= room / 4) << "they fit into that memory";
    std::ranges::reverse(again);  // any order will do
    Runs of_own = again;
    expect_lists(lists_of(again, {0, count}, count, on_threads(2)), expected);
    const Range own{count / 3, count / 2};
    for (Index i = 0; i < count; ++i) {
        if (i < own.begin || own.end <= i) {
            expected[i].clear();
        }
    }
    expect_lists(lists_of(of_own, own, count, on_threads(2)), expected);
}

TEST(Renewed, ListsLoseWhatFreshPointsHadAndGetWhatWasFound) {
    constexpr Index count = 300;
    std::vector<std::uint8_t> is_fresh(count);
    Sets expected(count);
    Runs old(1);
    Runs fresh(1);
    for (Index i = 0; i < count; ++i) {
        is_fresh[i] = Random(1, RandomStream::Test, i).uniform(0.0, 1.0) < 0.2 ? 1 : 0;
    }
    for (Index i = 0; i < count; ++i) {
        Random random(2, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            const bool before = random.uniform(0.0, 1.0) < 0.1;
            const bool now = random.uniform(0.0, 1.0) < 0.1;
            const bool of_fresh = is_fresh[i] + is_fresh[j] > 0;
            if (before) {
                old[0].push_back({i, j});
            }
            if (of_fresh && now) {
                fresh[0].push_back({j, i});
            }
            if (of_fresh ? now : before) {
                expected[i].insert(j);
                expected[j].insert(i);
            }
        }
    }
    const PairLists lists = lists_of(old, {0, count}, count, on_threads(1));
    expect_lists(renewed(lists, is_fresh, lists_of(fresh, {0, count}, count, on_threads(1)), on_threads(2)), expected);
}

}  // namespace
}  // namespace isogon::pair_lists_test
