#include "pairs/isolated_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"
#include "support/matching_examples.hpp"

namespace isogon::isolated_support_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using Pairs = std::set<std::pair<Index, Index>>;

/// The pairs that are to be added, by their definition.
Pairs reference_pairs(const Points& x, const std::vector<Index>& isolated, Index neighbors) {
    const Matrix points = to_matrix(x);
    Pairs pairs;
    for (const Index i : isolated) {
        std::vector<std::pair<double, Index>> near;
        for (Index j = 0; j < x.count(); ++j) {
            const double product = points.row(i).dot(points.row(j));
            if (j != i && product > 1e-5) {
                near.emplace_back(-product / (points.row(i).norm() * points.row(j).norm()), j);
            }
        }
        std::sort(near.begin(), near.end());
        near.resize(std::min<std::size_t>(near.size(), neighbors));
        for (const auto& [cosine, j] : near) {
            pairs.emplace(std::min(i, j), std::max(i, j));
        }
    }
    return pairs;
}

Pairs pairs_of(const Similarities& s) {
    Pairs pairs;
    for (Index i = 0; i < s.size(); ++i) {
        for (const Index j : s.upper.row_indices(i)) {
            pairs.emplace(i, j);
        }
    }
    return pairs;
}

struct Tied {
    Similarities before;
    Similarities after;
    std::vector<Index> isolated;
    IsolatedSupport support;
};

Tied tie(const Points& x, double tau, Index neighbors) {
    Tied result;
    result.before = thresholded_similarities(x.view(), tau, {});
    result.after = result.before;
    result.isolated = isolated_points(result.before);
    result.support = support_isolated(x.view(), result.isolated, neighbors, result.after, on_threads(3));
    return result;
}

/// Half of the points in a few narrow cones, the others anywhere and mostly isolated; some of them zero.
Points half_scattered(Index count, std::uint64_t seed) {
    Points x = support::clustered_points(count, 7, 5, 0.2, seed);
    const Points other = reference::random_points(count, 7, seed + 1);
    for (Index i = 1; i < count; i += 2) {
        std::copy(other[i].begin(), other[i].end(), x[i].begin());
    }
    for (Index i = 4; i < count; i += 13) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    return x;
}

class IsolatedSupportOf : public testing::TestWithParam<std::tuple<Index, Index>> {
protected:
    static constexpr double tau = 0.9;
    Points points() const { return half_scattered(std::get<0>(GetParam()), 3); }
    Index neighbors() const { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Sizes, IsolatedSupportOf,
                         testing::Combine(testing::Values(2, 3, 9, 47, 48, 49, 100, 211), testing::Values(1, 3, 10)));

TEST_P(IsolatedSupportOf, AddsTheNearestOfEachIsolatedPointWithTheirUnthresholdedSimilarities) {
    const Points x = points();
    const Tied tied = tie(x, tau, neighbors());
    const Pairs wanted = reference_pairs(x, tied.isolated, neighbors());
    Pairs expected = pairs_of(tied.before);
    expected.insert(wanted.begin(), wanted.end());
    EXPECT_EQ(pairs_of(tied.after), expected);
    EXPECT_EQ(tied.support.added, wanted.size());
    EXPECT_EQ(tied.after.upper.entries(), tied.before.upper.entries() + wanted.size());
    const Matrix raw = support::unthresholded(to_matrix(x), tau);
    const Matrix before = to_matrix(tied.before);
    const Matrix after = to_matrix(tied.after);
    const Pairs old = pairs_of(tied.before);
    for (const auto& [i, j] : pairs_of(tied.after)) {
        if (old.count({i, j}) == 1) {
            EXPECT_EQ(after(i, j), before(i, j)) << i << ", " << j;
        } else {
            EXPECT_NEAR(after(i, j), raw(i, j), 2e-6 * x.dimension());
            EXPECT_LE(after(i, j), 1e-6);
        }
    }
    EXPECT_NO_THROW(validate(tied.after.upper));
    EXPECT_EQ(tied.after.diagonal, tied.before.diagonal);
    const double norm = after.squaredNorm();
    EXPECT_NEAR(tied.after.squared_norm, norm, 1e-6 * norm);
}

TEST(IsolatedSupport, LeavesPointsAtRightAnglesToAllOthersAloneAndCountsThem) {
    Points x(5, 3);
    x[0][0] = 1.0F;
    x[1][0] = 2.0F;
    x[2][1] = 1.0F;
    x[3][2] = 1.0F;
    x[4][2] = -1.0F;  // opposite to it
    const Tied tied = tie(x, 0.5, 10);
    EXPECT_EQ(tied.isolated, (std::vector<Index>{2, 3, 4}));
    EXPECT_EQ(tied.support.unreachable, 3U);
    EXPECT_EQ(tied.support.added, 0U);
    EXPECT_EQ(tied.after.upper.indices, tied.before.upper.indices);
    EXPECT_EQ(tied.after.squared_norm, tied.before.squared_norm);
}

TEST(IsolatedSupport, TakesTheSmallerIndexOfEqualNeighbours) {
    const Points x = support::to_points((Matrix(4, 2) << 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0).finished());
    const Tied tied = tie(x, 0.9, 2);
    ASSERT_EQ(tied.isolated, (std::vector<Index>{0}));
    EXPECT_EQ(tied.support.added, 2U);
    const auto row = tied.after.upper.row_indices(0);
    EXPECT_EQ(std::vector<Index>(row.begin(), row.end()), (std::vector<Index>{1, 2}));
}

TEST(IsolatedSupport, IsThatOfItsOwnPointsOnEachRankOfACommunicator) {
    const Points x = half_scattered(300, 8);
    const Tied alone = tie(x, 0.9, 3);
    ASSERT_GT(alone.support.added, 0U);
    support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
        Similarities s = thresholded_similarities(points, 0.9, context);
        EXPECT_EQ(isolated_points(s), alone.isolated);
        const IsolatedSupport tied = support_isolated(points, alone.isolated, 3, s, context);
        EXPECT_EQ(tied.added, alone.support.added);
        EXPECT_EQ(tied.unreachable, alone.support.unreachable);
        EXPECT_EQ(s.squared_norm, alone.after.squared_norm);
        EXPECT_EQ(s.pairs(), alone.after.pairs());
        const CsrMatrix<float> expected = support::own_part(alone.after.upper, points.local_range());
        EXPECT_EQ(s.upper.offsets, expected.offsets);
        EXPECT_EQ(s.upper.indices, expected.indices);
        EXPECT_EQ(s.upper.values, expected.values);
    });
}

}  // namespace
}  // namespace isogon::isolated_support_test
