#include "verlet/violating_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/random.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/moving_points.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::violating_pairs_test {
namespace {

using reference::on_threads;
using support::move_all;
using support::targets_without_near;
using Found = std::vector<std::vector<ViolatingPairs::Other>>;

MultiVector<float> positions(Index count) {
    return support::to_block(support::random_matrix(count, 6, 4));
}

Found by_definition(const MultiVector<float>& y, const LocalTargets& targets) {
    Found found(y.rows());
    for (Index i = 0; i < y.rows(); ++i) {
        for (Index j = 0; j < y.rows(); ++j) {
            const float squared = support::squared(y, i, j);
            if (i != j && squared < std::max(targets.radii[i], targets.radii[j])) {
                found[i].push_back({j, squared});
            }
        }
    }
    return found;
}

void expect_same(const ViolatingPairs& pairs, const Found& expected, Range rows) {
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const auto of_point = pairs.of(static_cast<Index>(i));
        ASSERT_EQ(of_point.size(), expected[i].size()) << i;
        for (std::size_t k = 0; k < of_point.size(); ++k) {
            ASSERT_EQ(of_point[k].j, expected[i][k].j);
            ASSERT_EQ(of_point[k].squared, expected[i][k].squared);
        }
    }
}

class TooNear : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, TooNear, testing::Values(2, 48, 97, 700));

TEST_P(TooNear, AreFoundOnceAndListedForBothPoints) {
    const LocalTargets targets = targets_without_near(GetParam(), 0.7);
    VerletLists verlet(targets);
    MultiVector<float> y = positions(GetParam());
    ViolatingPairs pairs;
    const std::array<const VerletLists*, 1> lists{&verlet};
    for (std::uint64_t t = 0; t < 4; ++t) {  // by lists that are older than the positions
        ASSERT_TRUE(verlet.update(y, on_threads(2)));
        ASSERT_TRUE(pairs.find({y, targets, lists}, on_threads(3)));
        const Found expected = by_definition(y, targets);
        expect_same(pairs, expected, {0, y.rows()});
        for (Index i = 0; i < y.rows(); ++i) {
            y.row(i)[1] += static_cast<float>(0.004 * Random(t, RandomStream::Test, i).normal());
        }
        if (GetParam() == 700) {
            EXPECT_GT(verlet.listed(), 2 * (expected[5].size() + expected[6].size()));
        }
    }
}

/// Long lists are pruned. In each step other points are further from where they were than most, but within their skins.
TEST(ViolatingPairs, AreFoundWhereListsArePruned) {
    constexpr Index count = 1200;
    const LocalTargets targets = targets_without_near(count, 0.35);
    VerletLists verlet(targets);
    MultiVector<float> y = support::to_block(support::random_matrix(count, 3, 4));
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    move_all(y, 0.2, 5);  // by which lists become long
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    ASSERT_GT(verlet.listed(), Offset{2} * 16 * count);
    ViolatingPairs pairs;
    const std::array<const VerletLists*, 1> lists{&verlet};
    for (std::uint64_t t = 0; t < 20; ++t) {
        ASSERT_TRUE(pairs.find({y, targets, lists}, on_threads(3)));
        expect_same(pairs, by_definition(y, targets), {0, count});
        move_all(y, 0.001, 10 + t);
        for (Index i = static_cast<Index>(t); i < count; i += 29) {
            y.row(i)[t % 3] += i % 2 == 0 ? 0.12F : -0.12F;  // some towards each other
        }
    }
}

TEST_P(TooNear, AreFoundByEachRankForItsPoints) {
    const Index count = GetParam();
    const MultiVector<float> y = positions(count);
    const Found expected = by_definition(y, targets_without_near(count, 0.7));
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        LocalTargets targets = targets_without_near(count, 0.7);
        targets.ranks = RankGroup(communicator);
        VerletLists verlet(targets);
        const RunContext context = targets.ranks.agreeing(on_threads(1));
        ASSERT_TRUE(verlet.update(y, context));
        ViolatingPairs pairs;
        const std::array<const VerletLists*, 1> lists{&verlet};
        ASSERT_TRUE(pairs.find({y, targets, lists}, context));
        expect_same(pairs, expected, targets.ranks.own_rows(pair_blocks(count)));
    });
}

TEST(ViolatingPairs, AreNotListedWhereTheyAreMany) {
    const LocalTargets targets = targets_without_near(400, 5.0);
    const MultiVector<float> y = positions(400);
    std::size_t all = 0;
    for (const auto& of_point : by_definition(y, targets)) {
        all += of_point.size();
    }
    ASSERT_GT(all, 2 * ViolatingPairs::most_found * 400);
    VerletLists verlet(targets);
    ASSERT_TRUE(verlet.update(y, on_threads(2)));
    ViolatingPairs pairs;
    const std::array<const VerletLists*, 1> lists{&verlet};
    EXPECT_FALSE(pairs.find({y, targets, lists}, on_threads(2)));
}

}  // namespace
}  // namespace isogon::violating_pairs_test
