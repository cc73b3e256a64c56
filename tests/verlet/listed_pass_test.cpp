#include "verlet/listed_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/moving_points.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::listed_pass_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// About six near pairs a point, and radii of which few pairs, or with `crowded` most, are within.
LocalTargets targets_of(Index count, bool crowded, std::uint64_t seed) {
    LocalTargets targets;
    targets.near = {.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            if (random.uniform() * count < 12.0) {
                targets.near.indices.push_back(j);
                targets.near.values.push_back(static_cast<float>(random.uniform(0.1, 2.0)));
            }
        }
        targets.near.offsets.push_back(targets.near.indices.size());
        targets.radii.push_back(static_cast<float>(crowded ? 20.0 : random.uniform(0.0, 0.4)));
    }
    return targets;
}

MultiVector<float> positions(Index count, Index dimension, std::uint64_t seed) {
    return support::to_block(support::random_matrix(count, dimension, seed));
}

struct Result {
    Matrix sums;
    LocalSums total;
    auto as_tuple() const { return std::tuple(sums, total.near_squares, total.off_squares, total.violations); }
};

Result result_of(LocalPass& pass, const MultiVector<float>& y, const RunContext& context) {
    MultiVector<float> sums = support::random_block(y.rows(), y.columns(), 99);  // whatever was there
    const LocalSums total = pass.apply(y, sums, context);
    return {to_matrix(sums), total};
}

/// Each row is finished once, by a factor of its own, which is taken back.
Result result_of(ListedPass& pass, const MultiVector<float>& y, const RunContext& context) {
    MultiVector<float> sums = support::random_block(y.rows(), y.columns(), 99);  // whatever was there
    const auto factor_of = [](std::size_t i) { return std::exp2(static_cast<double>(i % 7)); };
    const LocalSums total = pass.apply(y, sums, context, [&](const RowBlock& rows) {
        for (std::size_t i = 0; i < rows.rows; ++i) {
            const auto factor = static_cast<float>(factor_of(rows.first + i));
            std::for_each_n(rows.values + i * rows.stride, rows.columns, [&](float& sum) { sum *= factor; });
        }
    });
    Matrix found = to_matrix(sums);
    for (Index i = 0; i < y.rows(); ++i) {
        found.row(i) /= factor_of(i);
    }
    return {found, total};
}

class ListedPassOf : public testing::TestWithParam<std::tuple<Index, Index, bool, bool>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, ListedPassOf,
                         testing::Combine(testing::Values(2, 48, 97, 420), testing::Values(3, 16, 33),
                                          testing::Values(false, true), testing::Values(false, true)));

TEST_P(ListedPassOf, IsThePassOverAllPairs) {
    const auto [count, dimension, crowded, divided] = GetParam();
    LocalTargets targets = targets_of(count, crowded, 1);
    targets.divided = divided;
    ListedPass listed(targets, {0.5, 0.1});
    LocalPass dense(targets, {0.5, 0.1});
    MultiVector<float> y = positions(count, dimension, 2);
    std::uint64_t few = 0;
    for (std::uint64_t t = 0; t < 6; ++t) {
        const Result found = result_of(listed, y, on_threads(2));
        const Result expected = result_of(dense, y, on_threads(2));
        EXPECT_LT((found.sums - expected.sums).cwiseAbs().maxCoeff(),
                  1e-5 * (1.0 + expected.sums.cwiseAbs().maxCoeff()));
        EXPECT_NEAR(found.total.near_squares, expected.total.near_squares, 1e-9 * expected.total.near_squares);
        EXPECT_NEAR(found.total.off_squares, expected.total.off_squares, 1e-9 * expected.total.off_squares + 1e-12);
        EXPECT_EQ(found.total.violations, expected.total.violations);
        few += expected.total.violations <= ListedPass::most_violating * count ? 1 : 0;
        support::move_all(y, 0.02, t);
    }
    const PassCounts counts = listed.counts();
    EXPECT_GE(counts.listed, few);
    EXPECT_GE(counts.dense, 6 - few);
    if (few == 0 || few == 6) {
        EXPECT_LE(counts.listed, few == 6 ? 6U : 1U);  // by which it is found that many are too near
        EXPECT_EQ(counts.dense, 6U - few);
    }
}

// Pairs that are given up have no curvature: what is left is of those that are near their targets, and of intruders.
TEST(ListedPass, HasTheCurvaturesOfItsPairs) {
    constexpr Index count = 97;
    constexpr LossShape shape{2.0, 0.1};
    const LocalTargets targets = targets_of(count, false, 1);
    const MultiVector<float> y = positions(count, 3, 2);
    ListedPass pass(targets, shape);
    (void)result_of(pass, y, on_threads(2));
    const PairLoss loss(targets.radii, shape);
    const Matrix rows = to_matrix(y);
    std::vector<double> expected(count);
    for (Index i = 0; i < count; ++i) {
        for (Index j = i + 1; j < count; ++j) {
            const double q = (rows.row(i) - rows.row(j)).squaredNorm();
            const double radius = double{std::max(targets.radii[i], targets.radii[j])};
            const auto near = targets.near.row_indices(i);
            const auto at = std::ranges::lower_bound(near, j) - near.begin();
            const bool is_near = at < std::ssize(near) && near[at] == j;
            const double target = is_near ? double{targets.near.row_values(i)[at]} : radius;
            const double weight = std::pow(is_near ? std::max(target, 0.05 * radius) : radius, -2.0);
            const double slope = 1.0 / (1.0 + weight * (q - target) * (q - target) / shape.robust_step);
            const double curvature = is_near      ? weight * slope * std::max(q, 0.05 * radius)
                                     : q < radius ? shape.off_support_weight * weight * slope * q
                                                  : 0.0;
            expected[i] += curvature;
            expected[j] += curvature;
        }
    }
    ASSERT_EQ(pass.curvatures().size(), count);
    for (Index i = 0; i < count; ++i) {
        EXPECT_NEAR(pass.curvatures()[i], expected[i], 1e-4 * expected[i]) << i;
    }
}

TEST_P(ListedPassOf, HasTheSameBitsForAnyThreadsRanksAndHistory) {
    const auto [count, dimension, crowded, divided] = GetParam();
    LocalTargets targets = targets_of(count, crowded, 3);
    targets.divided = divided;
    const MultiVector<float> y = positions(count, dimension, 4);
    ListedPass fresh(targets, {});
    const Result one = result_of(fresh, y, on_threads(1));
    ListedPass experienced(targets, {});
    for (std::uint64_t seed = 5; seed < 8; ++seed) {  // from many too near to few and back
        MultiVector<float> elsewhere = positions(count, dimension, seed);
        for (Index i = 0; i < count && seed == 6; ++i) {
            std::copy_n(elsewhere.row(0), dimension, elsewhere.row(i));
        }
        (void)result_of(experienced, elsewhere, on_threads(3));
    }
    EXPECT_EQ(one.as_tuple(), result_of(experienced, y, on_threads(3)).as_tuple());
    EXPECT_EQ(one.as_tuple(), result_of(experienced, y, on_threads(2)).as_tuple());
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        LocalTargets own = targets;
        own.ranks = RankGroup(communicator);
        ListedPass pass(own, {});
        const RunContext context = own.ranks.agreeing(on_threads(1));
        EXPECT_EQ(one.as_tuple(), result_of(pass, y, context).as_tuple());
        EXPECT_EQ(one.as_tuple(), result_of(pass, y, context).as_tuple());
    });
}

/// 1,500 points, in an order that says nothing about their places: near panels miss most of what is near.
struct Walk {
    explicit Walk(std::uint64_t seed) : targets(targets_of(1500, false, seed)), y(positions(1500, 6, seed + 1)) {
        targets.divided = true;
    }
    void step() {
        for (Index i = 0; i < y.rows(); ++i) {
            Random random(++steps, RandomStream::Test, i);
            for (Index k = 0; k < y.columns(); ++k) {
                y.row(i)[k] += static_cast<float>(0.03 * random.normal());
            }
        }
    }
    LocalTargets targets;
    MultiVector<float> y;
    std::uint64_t steps = 0;
};

TEST(ListedPass, MissesPairsWhileFrozenAndNoneThawed) {
    Walk walk(10);
    ListedPass listed(walk.targets, {});
    LocalPass dense(walk.targets, {});
    const auto violations = [&](auto& pass) { return result_of(pass, walk.y, on_threads(2)).total.violations; };
    const double all = violations(dense);
    listed.freeze(FrozenLists::Near);
    const double near = violations(listed);
    EXPECT_GT(near, 0.0);
    EXPECT_LT(near, 0.5 * all);
    listed.freeze(FrozenLists::HalfOfNear);
    EXPECT_GT(violations(listed), 0.3 * near);
    EXPECT_LT(violations(listed), 0.7 * near);
    listed.freeze(FrozenLists::All);
    EXPECT_EQ(violations(listed), all) << "nothing has moved yet";
    for (int t = 0; t < 40; ++t) {
        walk.step();
    }
    EXPECT_LT(violations(listed), violations(dense));
    EXPECT_TRUE(listed.renew_stale(walk.y, on_threads(2)));
    EXPECT_EQ(violations(listed), violations(dense));
    EXPECT_FALSE(listed.renew_stale(walk.y, on_threads(2)));
    listed.freeze(FrozenLists::None);
    for (int t = 0; t < 40; ++t) {
        walk.step();
        ASSERT_EQ(violations(listed), violations(dense)) << t;
        EXPECT_FALSE(listed.renew_stale(walk.y, on_threads(2))) << "nothing is frozen";
    }
}

TEST(ListedPass, HasTheSameSumsOnEachRankWhileFrozen) {
    Walk alone(12);
    ListedPass of_all(alone.targets, {});
    std::vector<Result> expected;
    const auto visit_states = [](ListedPass& pass, Walk& walk, const RunContext& context, const auto& see) {
        for (const FrozenLists state :
             {FrozenLists::HalfOfNear, FrozenLists::Near, FrozenLists::All, FrozenLists::None}) {
            pass.freeze(state);
            for (int t = 0; t < 8; ++t) {
                see(result_of(pass, walk.y, context), pass.renew_stale(walk.y, context));
                walk.step();
            }
        }
    };
    std::vector<bool> renewed;
    visit_states(of_all, alone, on_threads(2), [&](const Result& result, bool was_stale) {
        expected.push_back(result);
        renewed.push_back(was_stale);
    });
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        Walk walk(12);
        walk.targets.ranks = RankGroup(communicator);
        ListedPass pass(walk.targets, {});
        std::size_t next = 0;
        visit_states(pass, walk, walk.targets.ranks.agreeing(on_threads(1)), [&](const Result& result, bool was_stale) {
            EXPECT_EQ(result.as_tuple(), expected[next].as_tuple());
            EXPECT_EQ(was_stale, renewed[next++]);
        });
    });
}

}  // namespace
}  // namespace isogon::listed_pass_test
