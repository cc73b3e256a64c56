#include "pairs/pair_tiles.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::pair_tiles_test {

namespace {

using reference::on_threads;
using reference::random_points;

double product(const Points& a, Index i, const Points& b, Index j) {
    return std::inner_product(a[i].begin(), a[i].end(), b[j].begin(), 0.0, std::plus<>(),
                              [](double x, double y) { return x * y; });
}

PackedPoints packed(const Points& points) {
    return pack(points.view(), {}, {}, on_threads(1));
}

struct Visit {
    std::size_t task;
    Index first_row;
    Index first_column;
    bool first_in_block;
};

class TilesOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, TilesOf,
                         testing::Values(0, 1, 2, 3, 47, 48, 49, 95, 96, 97, 143, 144, 145, 500, 767, 768, 769, 1536,
                                         1537, 2000));

TEST_P(TilesOf, EveryPairIsSeenOnceAndNothingElseIs) {
    const Index n = GetParam();
    // The product of points i and j is 1 everywhere, so that what is cleared shows.
    Points ones(n, 1);
    std::fill(ones.values().begin(), ones.values().end(), 1.0F);
    std::vector<std::uint8_t> seen(std::size_t{n} * n);
    for_each_pair_tile(packed(ones), packed(ones), on_threads(3), [&](PairTile& tile) {
        EXPECT_EQ(tile.diagonal, tile.first_row == tile.first_column);
        for (std::size_t i = 0; i < tile_width; ++i) {
            for (std::size_t j = 0; j < tile_width; ++j) {
                const bool inside = i < tile.rows && j < tile.columns;
                const bool pair = inside && tile.first_row + i < tile.first_column + j;
                ASSERT_EQ(tile.values[i * tile_width + j], pair ? 1.0F : 0.0F);
                if (pair) {
                    ++seen[(tile.first_row + i) * n + tile.first_column + j];
                }
            }
        }
    });
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            ASSERT_EQ(seen[std::size_t{i} * n + j], i < j ? 1 : 0) << i << ", " << j;
        }
    }
}

TEST_P(TilesOf, TheTilesOfATaskComeInOrder) {
    const Index n = GetParam();
    const PackedPoints points = packed(random_points(n, 2, 1));
    std::vector<std::vector<Visit>> tasks(pair_task_count(n));
    std::mutex adding;
    for_each_pair_tile(points, points, on_threads(3), [&](PairTile& tile) {
        const std::lock_guard lock(adding);
        ASSERT_LT(tile.task, tasks.size());
        tasks[tile.task].push_back({tile.task, tile.first_row, tile.first_column, tile.first_in_block});
    });
    for (const auto& visits : tasks) {
        for (std::size_t v = 0; v < visits.size(); ++v) {
            const bool new_rows = v == 0 || visits[v].first_row != visits[v - 1].first_row;
            EXPECT_EQ(visits[v].first_in_block, new_rows);
            if (v > 0) {
                EXPECT_LT(std::tuple(visits[v - 1].first_row, visits[v - 1].first_column),
                          std::tuple(visits[v].first_row, visits[v].first_column));
            }
        }
    }
}

/// Panels (rows, columns) of these two wide blocks, in the order of their visits.
std::vector<std::pair<Index, Index>> panels_of(const WidePair& two, Range own, Index count) {
    std::vector<std::pair<Index, Index>> panels;
    visit_block_pairs(two, own, count, [&](std::span<const PanelPair> pairs) {
        for (const PanelPair& pair : pairs) {
            panels.emplace_back(pair.rows, pair.columns);
        }
    });
    return panels;
}

TEST(WidePairs, HaveEveryPairOfPanelsOfOwnBlocksOnceInAscendingOrder) {
    for (const Index count : {1U, 48U, 49U, 700U, 3000U, 6200U, 30000U}) {
        const RowBlocks blocks = pair_blocks(count);
        const RowBlocks wide = wide_blocks(count);
        EXPECT_EQ(wide.rows % blocks.rows, 0U);
        EXPECT_EQ(wide.blocks, block_count(count, wide.rows));
        for (const Range own : {Range{0, blocks.blocks}, Range{blocks.blocks / 3, blocks.blocks / 2}}) {
            std::vector<std::pair<Index, Index>> seen;
            std::mutex adding;
            for_each_wide_pair_of(own, count, on_threads(3), [&](const WidePair& two) {
                const auto panels = panels_of(two, own, count);
                const std::lock_guard lock(adding);
                std::map<Index, Index> last_column;
                std::map<Index, Index> last_row;
                for (const auto& [row, column] : panels) {
                    EXPECT_EQ(row * panel_width / wide.rows, two.rows);
                    EXPECT_EQ(column * panel_width / wide.rows, two.columns);
                    EXPECT_TRUE(!last_column.contains(row) || last_column[row] < column);
                    EXPECT_TRUE(!last_row.contains(column) || last_row[column] < row);
                    last_column[row] = column;
                    last_row[column] = row;
                }
                seen.insert(seen.end(), panels.begin(), panels.end());
            });
            std::vector<std::pair<Index, Index>> expected;
            for_each_block_pair_of(own, count, on_threads(1), [&](std::span<const PanelPair> pairs) {
                for (const PanelPair& pair : pairs) {
                    expected.emplace_back(pair.rows, pair.columns);
                }
            });
            std::ranges::sort(seen);
            std::ranges::sort(expected);
            EXPECT_EQ(seen, expected) << count;
        }
    }
}

TEST(BlockPairsByRuns, AreThoseOfTheOtherOrderAndShareNoBlockAtATime) {
    for (const Index count : {1U, 49U, 3000U, 60000U}) {
        const RowBlocks blocks = pair_blocks(count);
        for (const Range own : {Range{0, blocks.blocks}, Range{blocks.blocks / 3, blocks.blocks / 2}}) {
            using Pairs = std::vector<std::tuple<Index, Index, bool, std::size_t, std::size_t>>;
            Pairs expected;
            Pairs seen;
            const auto add = [](std::span<const PanelPair> pairs, Pairs& to) {
                for (const PanelPair& pair : pairs) {
                    to.emplace_back(pair.rows, pair.columns, pair.first_in_block, pair.task, pair.row_block);
                }
            };
            for_each_block_pair_of(own, count, on_threads(1),
                                   [&](std::span<const PanelPair> pairs) { add(pairs, expected); });
            std::mutex adding;
            std::vector<std::atomic<int>> users(blocks.blocks);
            std::atomic<int> clashes{0};
            for_each_block_pair_by_runs_of(own, count, on_threads(3), [&](std::span<const PanelPair> pairs) {
                const std::size_t rows = pairs.front().row_block;
                const std::size_t columns = pairs.front().columns * panel_width / blocks.rows;
                clashes += users[rows].fetch_add(1);
                clashes += rows == columns ? 0 : users[columns].fetch_add(1);
                {
                    const std::lock_guard lock(adding);
                    add(pairs, seen);
                }
                users[rows] -= 1;
                users[columns] -= rows == columns ? 0 : 1;
            });
            std::ranges::sort(seen);
            std::ranges::sort(expected);
            EXPECT_EQ(seen, expected) << count;
            EXPECT_EQ(clashes, 0);
        }
    }
}

TEST_P(TilesOf, NoTwoVisitsShareARowOrAColumn) {
    const Index n = GetParam();
    const PackedPoints points = packed(random_points(n, 2, 2));
    std::vector<std::atomic<int>> users(points.panels());
    std::atomic<int> clashes{0};
    for_each_pair_tile(points, points, on_threads(3), [&](PairTile& tile) {
        const auto row = tile.first_row / tile_width;
        const auto column = tile.first_column / tile_width;
        clashes += users[row].fetch_add(1);
        clashes += row == column ? 0 : users[column].fetch_add(1);
        users[row] -= 1;
        users[column] -= row == column ? 0 : 1;
    });
    EXPECT_EQ(clashes, 0);
}

/// Row sums in float32, whose bits depend on the order of the additions.
std::vector<float> order_sensitive_sums(const PackedPoints& points, int threads) {
    std::vector<float> sums(points.panels() * tile_width);
    for_each_pair_tile(points, points, on_threads(threads), [&](PairTile& tile) {
        for (std::size_t i = 0; i < tile_width; ++i) {
            for (std::size_t j = 0; j < tile_width; ++j) {
                sums[tile.first_row + i] += tile.values[i * tile_width + j];
                sums[tile.first_column + j] += tile.values[i * tile_width + j];
            }
        }
    });
    return sums;
}

TEST_P(TilesOf, SumsAreTheSameBitsForAnyNumberOfThreads) {
    const PackedPoints points = packed(random_points(GetParam(), 3, 3));
    const auto one = order_sensitive_sums(points, 1);
    EXPECT_EQ(one, order_sensitive_sums(points, 2));
    EXPECT_EQ(one, order_sensitive_sums(points, 3));
}

TEST(PairTiles, HoldTheProductsOfLeftWithRight) {
    const Points a = random_points(130, 7, 4);
    const Points b = random_points(130, 7, 5);
    for_each_pair_tile(packed(a), packed(b), on_threads(2), [&](PairTile& tile) {
        for (Index i = 0; i < tile.rows; ++i) {
            for (Index j = 0; j < tile.columns; ++j) {
                if (tile.first_row + i < tile.first_column + j) {
                    ASSERT_NEAR(double{tile.values[i * tile_width + j]},
                                product(a, tile.first_row + i, b, tile.first_column + j), 1e-5);
                }
            }
        }
    });
}

TEST(PairTiles, ReportEveryRoundAndStopBetweenTwo) {
    const PackedPoints points = packed(random_points(1000, 2, 6));
    std::stop_source source;
    RunContext context = on_threads(2);
    context.stop = source.get_token();
    std::vector<std::uint64_t> done;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "test");
        done.push_back(progress.done);
        if (progress.done == 3) {
            source.request_stop();
        }
    };
    EXPECT_THROW(for_each_pair_tile(
                     points, points, context, [](PairTile&) {}, "test"),
                 Interruption);
    EXPECT_EQ(done, (std::vector<std::uint64_t>{1, 2, 3}));
}

class BandsOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Counts, BandsOf,
                         testing::Combine(testing::Values(0, 1, 47, 48, 49, 2000), testing::Values(1, 48, 97, 300)));

TEST_P(BandsOf, HoldTheProductsOfTheirRowsWithAllColumns) {
    const auto [rows, columns] = GetParam();
    const Points a = random_points(rows, 5, 7);
    const Points b = random_points(columns, 5, 8);
    std::vector<int> visits(rows);
    for_each_row_band(packed(a), packed(b), on_threads(3), [&, columns = columns](RowBand& band) {
        EXPECT_EQ(band.columns, columns);
        for (Index r = 0; r < band.rows; ++r) {
            ++visits[band.first_row + r];
            for (Index j = 0; j < columns; ++j) {
                ASSERT_NEAR(double{band.values[r * band.stride + j]}, product(a, band.first_row + r, b, j), 1e-5);
            }
        }
    });
    EXPECT_EQ(visits, std::vector<int>(rows, 1));
}

TEST(RowBands, ReportAndStop) {
    const PackedPoints points = packed(random_points(4000, 2, 11));
    std::stop_source source;
    RunContext context = on_threads(2);
    context.stop = source.get_token();
    std::uint64_t done = 0;
    context.on_iteration = [&](const Progress& progress) {
        done = progress.done;
        EXPECT_EQ(progress.total, 84U);
        source.request_stop();
    };
    EXPECT_THROW(for_each_row_band(
                     points, points, context, [](RowBand&) {}, "test"),
                 Interruption);
    EXPECT_GT(done, 0U);
    EXPECT_LT(done, 84U);
}

TEST(RowBands, StateTheirBytes) {
    EXPECT_EQ(row_band_bytes(48, 1), 48U * 48U * 4U);
    EXPECT_EQ(row_band_bytes(49, 3), 3U * 96U * 48U * 4U);
}

class CrossTilesOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Counts, CrossTilesOf,
                         testing::Combine(testing::Values(0, 1, 48, 49, 500), testing::Values(0, 1, 47, 96, 300)));

TEST_P(CrossTilesOf, EveryProductIsSeenOnceByAscendingColumn) {
    const auto [n, m] = GetParam();
    const Points rows = random_points(n, 5, 1);
    const Points columns = random_points(m, 5, 2);
    std::vector<Index> next(n, 0);
    for_each_cross_tile(packed(rows), packed(columns), on_threads(3), [&](PairTile& tile) {
        EXPECT_FALSE(tile.diagonal);
        EXPECT_EQ(tile.first_in_block, tile.first_column == 0);
        for (Index i = 0; i < tile.rows; ++i) {
            ASSERT_EQ(next[tile.first_row + i], tile.first_column);
            next[tile.first_row + i] += tile.columns;
            for (Index j = 0; j < tile.columns; ++j) {
                ASSERT_NEAR(double{tile.values[i * tile_width + j]},
                            product(rows, tile.first_row + i, columns, tile.first_column + j), 1e-5);
            }
        }
    });
    EXPECT_EQ(next, std::vector<Index>(n, m));
}

class ScheduleOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Blocks, ScheduleOf, testing::Range(Index{0}, Index{41}));

TEST_P(ScheduleOf, VisitsEveryPairOnceInAsFewRoundsAsATournamentNeeds) {
    const Index blocks = GetParam();
    const PairSchedule schedule(blocks);
    std::set<PairSchedule::BlockPair> pairs;
    for (Index r = 0; r < schedule.rounds(); ++r) {
        std::set<Index> seen;  // no block appears twice in a round
        for (const auto& [first, second] : schedule.round(r)) {
            EXPECT_LE(first, second);
            EXPECT_LT(second, blocks);
            EXPECT_TRUE(pairs.insert({first, second}).second) << first << " with " << second;
            EXPECT_TRUE(seen.insert(first).second) << "block " << first << ", round " << r;
            EXPECT_TRUE(first == second || seen.insert(second).second) << "block " << second << ", round " << r;
        }
    }
    EXPECT_EQ(pairs.size(), blocks * (blocks + 1) / 2);
    const Index opponents = blocks < 2 ? 0 : (blocks % 2 == 0 ? blocks - 1 : blocks);
    EXPECT_EQ(schedule.rounds(), (blocks > 0 ? 1 : 0) + opponents);
}

TEST(PairBlocks, OfRanksAreWholeOnesAndAreGatheredToEverybody) {
    constexpr std::size_t item = 3;
    for (const Index count : {1U, 49U, 7000U}) {
        std::vector<int> all(count * item);
        std::iota(all.begin(), all.end(), 1);
        std::vector<std::size_t> blocks(pair_blocks(count).blocks);
        std::iota(blocks.begin(), blocks.end(), std::size_t{1});
        support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
            const RankGroup ranks(communicator);
            const Range own = ranks.own_rows(pair_blocks(count));
            EXPECT_TRUE(own.begin % pair_blocks(count).rows == 0 || own.begin == count);
            std::vector<int> mine(all.size());
            std::copy(all.begin() + static_cast<std::ptrdiff_t>(own.begin * item),
                      all.begin() + static_cast<std::ptrdiff_t>(own.end * item),
                      mine.begin() + static_cast<std::ptrdiff_t>(own.begin * item));
            ranks.all_gather_rows(pair_blocks(count), std::as_writable_bytes(std::span(mine)));
            EXPECT_EQ(mine, all);
            const Range own_numbers = ranks.own_blocks(pair_blocks(count));
            std::vector<std::size_t> numbers(blocks.size());
            for (std::size_t b = own_numbers.begin; b < own_numbers.end; ++b) {
                numbers[b] = blocks[b];
            }
            ranks.all_gather_blocks(pair_blocks(count), std::as_writable_bytes(std::span(numbers)));
            EXPECT_EQ(numbers, blocks);
        });
    }
}

TEST(PairBlocks, GiveARankAViewOfPointsThatAreAllHere) {
    const Points all(1000, 2);
    EXPECT_FALSE(distributed(all.view()).is_distributed());
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const DistributedPoints whole(all.view(), communicator);
        EXPECT_FALSE(whole.is_distributed());
        EXPECT_EQ(whole.local_range().size(), 1000U);
        EXPECT_EQ(norms_of_all(whole).size(), 1000U);
        EXPECT_EQ(whole.gather_range({2, 5}).count(), 3U);
        EXPECT_EQ(communicator.traffic().collective_calls, 0U);
        const RankGroup ranks(communicator);
        const DistributedPoints points = distributed(whole);
        const Range own = ranks.own_rows(pair_blocks(1000));
        EXPECT_TRUE(points.is_distributed());
        EXPECT_EQ(points.count(), 1000U);
        EXPECT_EQ(points.local_range().begin, own.begin);
        EXPECT_EQ(points.local_range().end, own.end);
        EXPECT_EQ(points.local().data, all.view().data + 2 * own.begin);
        EXPECT_EQ(distributed(points).local().data, points.local().data);  // once is enough
        EXPECT_EQ(ranks.distributed(points.local(), pair_blocks(1000)).local_range().end, own.end);
    });
}

}  // namespace

}  // namespace isogon::pair_tiles_test
