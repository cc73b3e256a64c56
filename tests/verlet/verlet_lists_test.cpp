#include "verlet/verlet_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/moving_points.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::verlet_lists_test {
namespace {

using reference::on_threads;
using support::move_all;
using support::move_point;
using support::squared;

/// No near pairs but (0, 1), and radii up to `most`.
LocalTargets targets_of(Index count, double most, std::uint64_t seed) {
    LocalTargets targets;
    targets.near = {.rows = count, .columns = count};
    Random random(seed, RandomStream::Test, 0);
    for (Index i = 0; i < count; ++i) {
        if (i == 0 && count > 1) {
            targets.near.indices.push_back(1);
            targets.near.values.push_back(0.1F);
        }
        targets.near.offsets.push_back(targets.near.indices.size());
        const double radius = i % 11 == 0 ? 0.0 : random.uniform(0.0, most);
        targets.radii.push_back(static_cast<float>(radius * radius));
    }
    return targets;
}

/// Every pair that is too near is in the lists of both; lists ascend and have nothing that is near in the targets.
void expect_complete(const VerletLists& verlet, const LocalTargets& targets, const MultiVector<float>& y) {
    for (Index i = 0; i < y.rows(); ++i) {
        const auto list = verlet.of(i);
        ASSERT_TRUE(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end());
        ASSERT_EQ(std::count(list.begin(), list.end(), i), 0);
        for (Index j = 0; j < y.rows(); ++j) {
            const bool listed = std::binary_search(list.begin(), list.end(), j);
            const bool near = std::min(i, j) == 0 && std::max(i, j) == 1;
            const bool too_near = i != j && !near && squared(y, i, j) < std::max(targets.radii[i], targets.radii[j]);
            ASSERT_FALSE(near && listed);
            ASSERT_TRUE(listed || !too_near) << i << ", " << j;
        }
    }
}

TEST(VerletLists, MissNoneWhileAllPointsWalk) {
    for (const Index count : {1U, 2U, 49U, 300U}) {
        for (const double length : {1e-4, 0.01, 0.3}) {
            const LocalTargets targets = targets_of(count, 0.5, 1);
            MultiVector<float> y = support::random_block(count, 5, 2);
            VerletLists verlet(targets);
            for (std::uint64_t t = 0; t < 25; ++t) {
                ASSERT_TRUE(verlet.update(y, on_threads(2)));
                expect_complete(verlet, targets, y);
                move_all(y, length / static_cast<double>(1 + t), 10 + t);  // as a descent slows down
            }
        }
    }
}

TEST(VerletLists, MissNoneOfOnePointThatFliesThroughTheOthers) {
    const LocalTargets targets = targets_of(200, 0.4, 3);
    MultiVector<float> y = support::random_block(200, 3, 4);
    VerletLists verlet(targets);
    for (int t = 0; t < 60; ++t) {
        y.row(5)[0] = -3.0F + 0.1F * static_cast<float>(t);
        ASSERT_TRUE(verlet.update(y, on_threads(2)));
        expect_complete(verlet, targets, y);
    }
    EXPECT_LT(verlet.whole_scans(), 15.0) << "one point that moves is scanned alone";
}

TEST(VerletLists, AreScannedInPartsWherePointsLeaveByTurns) {
    constexpr Index count = 300;
    constexpr Index at_once = 12;
    constexpr int turns = 9;  // each costs 2 * 12 / 300 of a scan of all
    const LocalTargets targets = targets_of(count, 0.3, 1);
    MultiVector<float> y = support::random_block(count, 5, 2);
    VerletLists verlet(targets);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    const double before = verlet.whole_scans();
    for (int turn = 0; turn < turns; ++turn) {
        for (Index i = turn * at_once; i < (turn + 1) * at_once; ++i) {
            move_point(y, i, 0.3, 5);
        }
        ASSERT_TRUE(verlet.update(y, on_threads(2)));
        expect_complete(verlet, targets, y);
    }
    EXPECT_NEAR(verlet.whole_scans() - before, turns * 2.0 * at_once / count, 1e-6);
}

TEST(VerletLists, CostNothingWhereNothingMoves) {
    const LocalTargets targets = targets_of(300, 0.2, 7);
    const MultiVector<float> y = support::random_block(300, 6, 8);
    VerletLists verlet(targets);
    for (int t = 0; t < 20; ++t) {
        ASSERT_TRUE(verlet.update(y, on_threads(1)));
    }
    EXPECT_LT(verlet.whole_scans(), 4.0);
    expect_complete(verlet, targets, y);
}

TEST(VerletLists, SayWhereTooManyPairsAreTooNear) {
    const LocalTargets targets = targets_of(400, 10.0, 9);
    MultiVector<float> y(400, 3);  // all in one place
    VerletLists verlet(targets);
    EXPECT_FALSE(verlet.update(y, on_threads(2)));
    EXPECT_EQ(verlet.listed(), 0U);
    move_all(y, 100.0, 10);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    expect_complete(verlet, targets, y);
}

/// Fast points, one after the other, whose scans add to the lists of slow ones.
TEST(VerletLists, AreNoMoreThanMayLast) {
    constexpr Index count = 1500;
    const LocalTargets targets = targets_of(count, 1.3, 26);
    MultiVector<float> y = support::random_block(count, 3, 27);
    VerletLists verlet(targets);
    for (std::uint64_t t = 0; t < 60; ++t) {
        ASSERT_TRUE(verlet.update(y, on_threads(2)));
        ASSERT_LE(verlet.listed(), 2 * count * VerletLists::most_lasting);
        if (t % 40 == 0) {
            expect_complete(verlet, targets, y);
        }
        for (auto i = static_cast<Index>(t % 9); i < count; i += 9) {
            move_point(y, i, 0.1 * static_cast<double>(1 + t / 10), t);  // faster and faster
        }
    }
}

TEST(VerletLists, AreDividedIntoNearPanelsAndOthers) {
    const LocalTargets targets = targets_of(600, 0.6, 28);
    MultiVector<float> y = support::random_block(600, 4, 29);
    VerletLists near(targets, PanelPairs::Near);
    VerletLists others(targets, PanelPairs::Others);
    const NearPanels panels(y, 0.3, on_threads(2));
    near.divide_by(panels);
    others.divide_by(panels);
    for (std::uint64_t t = 0; t < 20; ++t) {
        ASSERT_TRUE(near.update(y, on_threads(2)) && others.update(y, on_threads(2)));
        for (Index i = 0; i < 600; ++i) {
            for (Index j = 0; j < 600; ++j) {
                const auto is_in = [&](const VerletLists& lists) {
                    return std::binary_search(lists.of(i).begin(), lists.of(i).end(), j);
                };
                const bool is_near = panels.are_near(i / 48, j / 48);
                ASSERT_FALSE(is_in(is_near ? others : near));
                const bool too_near = i != j && std::min(i, j) + std::max(i, j) != 1 &&
                                      squared(y, i, j) < std::max(targets.radii[i], targets.radii[j]);
                ASSERT_TRUE(!too_near || is_in(is_near ? near : others)) << i << ", " << j;
            }
        }
        move_all(y, 0.02, 40 + t);
    }
}

/// Expects the lists that one process has of the points of a rank, and none of the others; at the same cost of all
/// ranks.
void expect_part(const VerletLists& verlet, const VerletLists& of_all, const RankGroup& ranks, Index count) {
    const Range own = ranks.own_rows(pair_blocks(count));
    for (Index i = 0; i < count; ++i) {
        const bool is_own = own.begin <= i && i < own.end;
        ASSERT_TRUE(is_own ? std::ranges::equal(verlet.of(i), of_all.of(i)) : verlet.of(i).empty()) << i;
    }
    ASSERT_EQ(verlet.whole_scans(), of_all.whole_scans());
}

TEST(VerletLists, AreScannedByRanksWhenAndAsByOneProcess) {
    constexpr Index count = 500;
    const LocalTargets alone = targets_of(count, 0.5, 13);
    for (const std::size_t size : {1U, 2U, 3U, 13U}) {  // with 13 some have no points
        support::ThreadCommunicator::run(size, [&](const Communicator& communicator) {
            LocalTargets targets = alone;
            targets.ranks = RankGroup(communicator);
            MultiVector<float> y = support::random_block(count, 4, 14);
            VerletLists verlet(targets);
            VerletLists of_all(alone);
            const RunContext context = targets.ranks.agreeing(on_threads(1));
            for (int t = 0; t < 24; ++t) {
                ASSERT_TRUE(verlet.update(y, context) && of_all.update(y, on_threads(1)));
                expect_part(verlet, of_all, targets.ranks, count);
                for (Index i = 0; i < count; ++i) {  // some far at times, so that they are scanned alone
                    move_point(y, i, (i + 7 * static_cast<Index>(t)) % 40 == 0 ? 0.3 : 0.002,
                               20 + static_cast<Index>(t));
                }
            }
            EXPECT_NE(of_all.whole_scans(), std::round(of_all.whole_scans())) << "none was scanned alone";
        });
    }
}

std::vector<std::vector<Index>> lists_of(const VerletLists& verlet, Index count) {
    std::vector<std::vector<Index>> lists;
    for (Index i = 0; i < count; ++i) {
        const auto list = verlet.of(i);
        lists.emplace_back(list.begin(), list.end());
    }
    return lists;
}

TEST(VerletLists, StayAsTheyAreWhileFrozen) {
    const LocalTargets targets = targets_of(300, 1.5, 18);
    MultiVector<float> y = support::random_block(300, 5, 19);
    VerletLists verlet(targets);
    verlet.freeze(true);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    EXPECT_FALSE(verlet.are_stale(y, on_threads(2)));
    const auto before = lists_of(verlet, 300);
    move_all(y, 1.0, 20);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    EXPECT_EQ(before, lists_of(verlet, 300));
    EXPECT_EQ(verlet.whole_scans(), 1.0);
    EXPECT_TRUE(verlet.are_stale(y, on_threads(2)));
    verlet.renew();
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    EXPECT_NE(before, lists_of(verlet, 300));
    EXPECT_FALSE(verlet.are_stale(y, on_threads(2)));
    verlet.freeze(false);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    expect_complete(verlet, targets, y);
}

TEST(VerletLists, FrozenAgainDependOnThePositionsAlone) {
    const LocalTargets targets = targets_of(300, 1.5, 18);
    MultiVector<float> y = support::random_block(300, 5, 19);
    VerletLists verlet(targets);
    verlet.freeze(true);
    for (std::uint64_t t = 0; t < 5; ++t) {
        ASSERT_TRUE(verlet.update(y, on_threads(2)));
        verlet.renew();
        for (Index i = 0; i < 300; ++i) {
            move_point(y, i, 0.1 * static_cast<double>(i % 7), 40 + t);
        }
    }
    verlet.freeze(true);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    VerletLists other(targets);
    other.freeze(true);
    ASSERT_TRUE(other.update(y, on_threads(2)));
    for (std::uint64_t t = 0; t < 5; ++t) {
        EXPECT_EQ(lists_of(verlet, 300), lists_of(other, 300)) << t;
        move_all(y, 0.2, 50 + t);
        EXPECT_EQ(verlet.are_stale(y, on_threads(2)), other.are_stale(y, on_threads(2)));
        verlet.renew();
        other.renew();
        ASSERT_TRUE(verlet.update(y, on_threads(2)) && other.update(y, on_threads(2)));
    }
}

TEST(VerletLists, ListAPartOfWhatIsCrowdedWhileFrozen) {
    const LocalTargets targets = targets_of(3000, 10.0, 24);
    const MultiVector<float> y(3000, 3);  // all in one place
    VerletLists verlet(targets);
    EXPECT_FALSE(verlet.update(y, on_threads(2)));
    verlet.freeze(true);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    EXPECT_GT(verlet.listed(), 0U);
    EXPECT_LE(verlet.listed(), 2U * 3000U * VerletLists::most_listed);
}

TEST(VerletLists, AreTheSameOnEachRankWhileFrozen) {
    const LocalTargets alone = targets_of(500, 0.8, 22);
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        LocalTargets targets = alone;
        targets.ranks = RankGroup(communicator);
        MultiVector<float> y = support::random_block(500, 4, 23);
        VerletLists verlet(targets);
        VerletLists of_all(alone);
        verlet.freeze(true);
        of_all.freeze(true);
        const RunContext context = targets.ranks.agreeing(on_threads(1));
        for (int t = 0; t < 6; ++t) {
            ASSERT_TRUE(verlet.update(y, context) && of_all.update(y, on_threads(1)));
            expect_part(verlet, of_all, targets.ranks, 500);
            ASSERT_EQ(verlet.are_stale(y, context), of_all.are_stale(y, on_threads(1)));
            if (t % 2 == 1) {
                verlet.renew();
                of_all.renew();
            }
            move_all(y, 0.05, 30 + static_cast<std::uint64_t>(t));
        }
    });
}

TEST(VerletLists, AreScannedAnewAfterAnInterruption) {
    const LocalTargets targets = targets_of(300, 0.5, 15);
    MultiVector<float> y = support::random_block(300, 5, 16);
    VerletLists verlet(targets);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    move_all(y, 1.0, 17);
    const RunContext stopped = reference::cancelled(2);
    EXPECT_THROW((void)verlet.update(y, stopped), Interruption);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    expect_complete(verlet, targets, y);
}

}  // namespace
}  // namespace isogon::verlet_lists_test
