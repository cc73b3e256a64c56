#include "verlet/inner_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/moving_points.hpp"

namespace isogon::inner_lists_test {
namespace {

using reference::on_threads;
using support::move_all;

constexpr Index count = 1200;

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
        EXPECT_TRUE(verlet.update(y, on_threads(2)));
        move_all(y, 0.2, 5);
        EXPECT_TRUE(verlet.update(y, on_threads(2)));
        EXPECT_GT(verlet.listed(), Offset{2} * 16 * count);
    }

    [[nodiscard]] bool update() { return inner.update({y, targets, lists}, rounded, on_threads(3)); }

    [[nodiscard]] bool is_near(Index i, Index j) const {
        return distance(y, i, y, j) < std::sqrt(std::max(targets.radii[i], targets.radii[j]));
    }

    LocalTargets targets = support::targets_without_near(count, 0.35);
    MultiVector<float> y = support::to_block(support::random_matrix(count, 3, 4));
    VerletLists verlet{targets};
    std::array<const VerletLists*, 1> lists{&verlet};
    RoundedRows rounded;
    InnerLists inner;
};

/// By the definition: what is listed, near and not loose is kept. Returns how many pairs are kept.
std::size_t expect_all_near_kept(const Moving& moving) {
    std::size_t kept_of_all = 0;
    for (Index i = 0; i < count; ++i) {
        const auto kept = moving.inner.of(i);
        kept_of_all += kept.size();
        for (const Index j : moving.verlet.of(i)) {
            const bool is_kept = std::ranges::find(kept, j) != kept.end();
            EXPECT_TRUE(j > i || !is_kept);
            EXPECT_TRUE(j < i || is_kept || moving.inner.is_loose(i) || moving.inner.is_loose(j) ||
                        !moving.is_near(i, j))
                << i << ", " << j;
        }
        EXPECT_TRUE(std::ranges::includes(moving.verlet.of(i), kept));
    }
    return kept_of_all;
}

TEST(InnerLists, KeepWhatBecomesTooNear) {
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
        ASSERT_LT(expect_all_near_kept(moving), moving.verlet.listed() / 4);
        if (!moving.inner.is_loose(far)) {  // pruned where it is now
            ++pruned;
            pruned_at = moving.y;
        }
        float skin = 0.0F;  // of those that are not loose, none has moved further than any that is
        float least_loose = std::numeric_limits<float>::infinity();
        for (Index i = 0; i < count; ++i) {
            const auto displacement = static_cast<float>(distance(moving.y, i, pruned_at, i));
            loose += moving.inner.is_loose(i) ? 1 : 0;
            (moving.inner.is_loose(i) ? least_loose : skin) =
                moving.inner.is_loose(i) ? std::min(least_loose, displacement) : std::max(skin, displacement);
        }
        EXPECT_LE(skin, 1.0001F * least_loose);
    }
    EXPECT_GT(loose, 30U);
    EXPECT_GT(pruned, 1);
    EXPECT_LT(pruned, 15);
}

TEST(InnerLists, ArePrunedAnewWhereListsHaveChanged) {
    Moving moving;
    EXPECT_FALSE(moving.update());
    move_all(moving.y, 0.004, 10);
    ASSERT_TRUE(moving.update());
    const MultiVector<float> y = moving.y;
    move_all(moving.y, 0.2, 20);
    ASSERT_TRUE(moving.verlet.update(moving.y, on_threads(2)));
    moving.y = y;  // no point is loose
    move_all(moving.y, 0.0001, 21);
    ASSERT_TRUE(moving.update());
    expect_all_near_kept(moving);
}

TEST(InnerLists, AreNotTriedWhereNothingIsGained) {
    Moving moving;
    EXPECT_FALSE(moving.update());
    move_all(moving.y, 2.0, 10);  // as far as the others: in the next update all may be near
    EXPECT_FALSE(moving.update());
    moving.targets = support::targets_without_near(count, 500.0);  // nearly all listed pairs are too near
    move_all(moving.y, 0.004, 11);
    EXPECT_FALSE(moving.update());
}

TEST(InnerLists, OutlastPositionsThatAreNotFinite) {
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
}  // namespace isogon::inner_lists_test
