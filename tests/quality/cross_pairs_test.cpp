#include "quality/angles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/cross_quality.hpp"
#include "reference/point_sets.hpp"

namespace isogon::cross_pairs_test {
namespace {

using reference::on_threads;
using reference::stacked;
using reference::truncated;

struct Sides {
    Points placed;
    Points fitted;
};

PackedPoints directions(const Points& points) {
    return pack_directions(points.view(), norms(points.view()), reference::every_point(points.count()), {});
}

CrossPairs compare(const Sides& x, const Sides& y, double threshold, int threads = 2) {
    return compare_cross_pairs({directions(x.placed), directions(y.placed)},
                               {directions(x.fitted), directions(y.fitted)}, threshold, on_threads(threads));
}

/// Clear of all cosines of the pairs.
double clear_threshold(const Sides& x, const Sides& y, double requested) {
    std::vector<double> cosines;
    for (const Sides* sides : {&x, &y}) {
        const Points all = stacked(sides->placed, sides->fitted);
        for (Index i = 0; i < sides->placed.count(); ++i) {
            for (Index j = sides->placed.count(); j < all.count(); ++j) {
                cosines.push_back(reference::cosine(all, i, j));
            }
        }
    }
    return reference::clear_threshold(std::move(cosines), requested);
}

void expect_agreement(const Sides& x, const Sides& y, double requested) {
    const double threshold = clear_threshold(x, y, requested);
    const CrossPairs pairs = compare(x, y, threshold);
    const auto expected =
        reference::cross(stacked(x.placed, x.fitted), stacked(y.placed, y.fitted), x.placed.count(), threshold, 1);
    Index zeros = 0;
    for (Index i = 0; i < x.placed.count(); ++i) {
        zeros += reference::is_zero(x.placed, i) ? 1U : 0U;
    }
    EXPECT_NEAR(pairs.sums.mean_degrees(), expected.deviation, 2e-4);
    EXPECT_DOUBLE_EQ(pairs.sums.jaccard(), expected.jaccard);
    EXPECT_EQ(pairs.alone, expected.isolated + zeros);
}

class CrossPairsOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, CrossPairsOf,
                         testing::Combine(testing::Values(1, 2, 47, 48, 49, 97), testing::Values(1, 7, 48, 49, 130)));

TEST_P(CrossPairsOf, RandomPointsAgreeWithTheDefinition) {
    const auto [placed, fitted] = GetParam();
    const Sides x{reference::random_points(placed, 20, 1, 0.3), reference::random_points(fitted, 20, 2, 0.3)};
    const Sides y{truncated(x.placed, 5), truncated(x.fitted, 5)};
    for (const double threshold : {0.05, 0.3, 0.7}) {
        expect_agreement(x, y, threshold);
    }
}

/// Whole coordinates with squared lengths that are powers of 4: cosines are exact, and tie all the time.
Points quarters(Index count, std::uint64_t seed) {
    Points points(count, 4);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        const bool sparse = random.below(2) == 0;
        for (float& value : points[i]) {
            value = random.below(2) == 0 ? 1.0F : -1.0F;
        }
        if (sparse) {
            const auto kept = static_cast<Index>(random.below(5));  // 4: none, a zero vector
            for (Index k = 0; k < 4; ++k) {
                points[i][k] *= k == kept ? 2.0F : 0.0F;
            }
        }
    }
    return points;
}

TEST_P(CrossPairsOf, TiesZerosDuplicatesAndOppositesAgreeWithTheDefinition) {
    const auto [placed, fitted] = GetParam();
    const Sides x{quarters(placed, 3), quarters(fitted, 4)};
    const Sides y{quarters(placed, 5), quarters(fitted, 6)};
    for (const double threshold : {0.3, 0.6}) {
        expect_agreement(x, y, threshold);
        expect_agreement(y, x, threshold);
        expect_agreement(x, x, threshold);
    }
}

TEST_P(CrossPairsOf, LengthsBeyondFloatsDoNoHarm) {
    const auto [placed, fitted] = GetParam();
    const Points one = reference::random_points(placed, 6, 7, 0.5);
    const Points two = reference::random_points(fitted, 6, 8, 0.5);
    const Sides x{one, two};
    const Sides y{truncated(one, 3), truncated(two, 3)};
    // Powers of two, which leave every direction as it is.
    const Sides far{reference::scaled(one, 0x1p120F), reference::scaled(two, 0x1p-110F)};
    const CrossPairs near_pairs = compare(x, y, 0.5);
    const CrossPairs far_pairs = compare(far, y, 0.5);
    EXPECT_EQ(near_pairs.sums.deviation, far_pairs.sums.deviation);
    EXPECT_EQ(near_pairs.sums.jaccard(), far_pairs.sums.jaccard());
}

TEST(CrossPairs, TheSameBitsForAnyNumberOfThreads) {
    const Sides x{reference::awkward_points(900, 10, 7), reference::awkward_points(400, 10, 8)};
    const Sides y{truncated(x.placed, 3), truncated(x.fitted, 3)};
    const CrossPairs one = compare(x, y, 0.5, 1);
    EXPECT_GT(one.sums.deviation, 0.0);
    for (const int threads : {2, 3}) {
        const CrossPairs other = compare(x, y, 0.5, threads);
        EXPECT_EQ(one.sums.deviation, other.sums.deviation);
        EXPECT_EQ(one.sums.in_both, other.sums.in_both);
        EXPECT_EQ(one.alone, other.alone);
    }
}

}  // namespace
}  // namespace isogon::cross_pairs_test
