#include "isogon/pairs/pruned_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "isogon/core/random.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::pruned_lists_test {
namespace {

using reference::on_threads;

constexpr Index count = 1200;

LocalTargets targets_of(double most) {
    LocalTargets targets;
    targets.near = {.rows = count, .columns = count, .offsets = std::vector<Offset>(std::size_t{count} + 1)};
    for (Index i = 0; i < count; ++i) {
        targets.radii.push_back(static_cast<float>(Random(3, RandomStream::Test, i).uniform(0.0, most)));
    }
    return targets;
}

void move_all(MultiVector<float>& y, double way, std::uint64_t seed) {
    for (Index i = 0; i < y.rows(); ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index k = 0; k < y.columns(); ++k) {
            y.row(i)[k] += static_cast<float>(way * random.normal());
        }
    }
}

double distance(const MultiVector<float>& a, Index i, const MultiVector<float>& b, Index j) {
    double squares = 0.0;
    for (Index k = 0; k < a.columns(); ++k) {
        squares += std::pow(double{a.row(i)[k]} - double{b.row(j)[k]}, 2);
    }
    return std::sqrt(squares);
}

/// Points whose lists are long, as they moved far between two scans.
struct Moving {
    Moving() {
        EXPECT_TRUE(active.update(y, on_threads(2)));
        move_all(y, 0.2, 5);
        EXPECT_TRUE(active.update(y, on_threads(2)));
        EXPECT_GT(active.listed(), Offset{2} * 16 * count);
    }

    [[nodiscard]] bool update() { return pruned.update(y, targets, lists, rounded, on_threads(3)); }

    [[nodiscard]] bool is_near(Index i, Index j) const {
        return distance(y, i, y, j) < std::sqrt(std::max(targets.radii[i], targets.radii[j]));
    }

    LocalTargets targets = targets_of(0.35);
    MultiVector<float> y = support::to_block(support::random_matrix(count, 3, 4));
    ActivePairs active{targets};
    std::array<const ActivePairs*, 1> lists{&active};
    RoundedRows rounded;
    PrunedLists pruned;
};

/// By the definition: what is listed, near and not loose is kept. Returns how many pairs are kept.
std::size_t expect_all_near_kept(const Moving& moving) {
    std::size_t kept_of_all = 0;
    for (Index i = 0; i < count; ++i) {
        const auto kept = moving.pruned.of(i);
        kept_of_all += kept.size();
        for (const Index j : moving.active.of(i)) {
            const bool is_kept = std::ranges::find(kept, j) != kept.end();
            EXPECT_TRUE(j > i || !is_kept);
            EXPECT_TRUE(j < i || is_kept || moving.pruned.is_loose(i) || moving.pruned.is_loose(j) ||
                        !moving.is_near(i, j))
                << i << ", " << j;
        }
        EXPECT_TRUE(std::ranges::includes(moving.active.of(i), kept));
    }
    return kept_of_all;
}

TEST(PrunedLists, KeepWhatBecomesTooNear) {
    Moving moving;
    MultiVector<float> pruned_at = moving.y;
    int pruned = 0;
    std::size_t loose = 0;
    EXPECT_FALSE(moving.update());  // how fast points are is not known
    for (std::uint64_t t = 0; t < 30; ++t) {
        move_all(moving.y, 0.004, 10 + t);
        const auto far = static_cast<Index>(31 * t % count);
        moving.y.row(far)[1] += 0.3F;
        ASSERT_TRUE(moving.update());
        ASSERT_LT(expect_all_near_kept(moving), moving.active.listed() / 4);
        if (!moving.pruned.is_loose(far)) {  // pruned where it is now
            ++pruned;
            pruned_at = moving.y;
        }
        float skin = 0.0F;  // of those that are not loose, none has moved further than any that is
        float least_loose = std::numeric_limits<float>::infinity();
        for (Index i = 0; i < count; ++i) {
            const auto way = static_cast<float>(distance(moving.y, i, pruned_at, i));
            loose += moving.pruned.is_loose(i) ? 1 : 0;
            (moving.pruned.is_loose(i) ? least_loose : skin) =
                moving.pruned.is_loose(i) ? std::min(least_loose, way) : std::max(skin, way);
        }
        EXPECT_LE(skin, 1.0001F * least_loose);
    }
    EXPECT_GT(loose, 30U);
    EXPECT_GT(pruned, 1);
    EXPECT_LT(pruned, 15);
}

TEST(PrunedLists, ArePrunedAnewWhereListsHaveChanged) {
    Moving moving;
    EXPECT_FALSE(moving.update());
    move_all(moving.y, 0.004, 10);
    ASSERT_TRUE(moving.update());
    const MultiVector<float> y = moving.y;
    move_all(moving.y, 0.2, 20);
    ASSERT_TRUE(moving.active.update(moving.y, on_threads(2)));
    moving.y = y;  // no point is loose
    move_all(moving.y, 0.0001, 21);
    ASSERT_TRUE(moving.update());
    expect_all_near_kept(moving);
}

TEST(PrunedLists, AreNotTriedWhereNothingIsGained) {
    Moving moving;
    EXPECT_FALSE(moving.update());
    move_all(moving.y, 2.0, 10);  // as far as the others: in the next update all may be near
    EXPECT_FALSE(moving.update());
    moving.targets = targets_of(500.0);  // nearly all listed pairs are too near
    move_all(moving.y, 0.004, 11);
    EXPECT_FALSE(moving.update());
}

TEST(PrunedLists, OutlastPositionsThatAreNotFinite) {
    Moving moving;
    EXPECT_FALSE(moving.update());
    const MultiVector<float> y = moving.y;
    for (const float number : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        moving.y = y;
        std::fill_n(moving.y.row(7), moving.y.columns(), number);
        EXPECT_FALSE(moving.update());
    }
    moving.y = y;
    EXPECT_FALSE(moving.update());  // far from where they were
    EXPECT_FALSE(moving.update());  // how fast points are is not known
    move_all(moving.y, 0.004, 12);
    ASSERT_TRUE(moving.update());
    expect_all_near_kept(moving);
}

}  // namespace
}  // namespace isogon::pruned_lists_test
