#include "quality/nearness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::nearness_test {

namespace {

using reference::on_threads;

Points moved(const Points& points, float shift) {
    Points result = points;
    for (float& value : result.values()) {
        value += shift;
    }
    return result;
}

double largest_after(const Points& points, const Centring& centring) {
    double largest = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < points.dimension(); ++k) {
            largest = std::max(largest, std::abs((double{points[i][k]} - centring.offset[k]) * centring.scale));
        }
    }
    return largest;
}

TEST(Centring, TheLargestCoordinateBecomesAboutOne) {
    for (const float factor : {1e-44F, 1e-38F, 1e-10F, 1.0F, 1e37F}) {
        for (const float shift : {0.0F, 1.0F}) {
            const Points points =
                reference::scaled(moved(reference::whole_points(50, 3, 9, 5), shift * 1000.0F), factor / 1100.0F);
            const double largest = largest_after(points, find_centring(points.view()));
            EXPECT_TRUE(largest == 0.0 || (largest >= 1.0 && largest < 2.0)) << factor << ": " << largest;
        }
    }
}

TEST(Centring, EqualPointsAndZerosAreNoDivisionByZero) {
    for (const Points& points : {Points(10, 2), reference::equal_points(10, 2)}) {
        const Centring centring = find_centring(points.view());
        EXPECT_TRUE(std::isfinite(centring.scale));
        EXPECT_GT(centring.scale, 0.0);
        EXPECT_LT(largest_after(points, centring), 2.0);
    }
}

using Rows = std::vector<std::vector<double>>;

Rows all_keys(const Points& points, Nearness nearness, const std::vector<Index>& rows, int threads = 2) {
    const NearnessSpace space(points.view(), norms(points.view()), nearness, rows, on_threads(threads));
    const std::vector<const NearnessSpace*> spaces{&space};
    Rows keys(rows.size());
    for_each_row(spaces, on_threads(threads),
                 [&](Index row, std::span<std::vector<double>> values) { keys[row] = values.front(); });
    return keys;
}

class SpaceOf : public testing::TestWithParam<std::tuple<Index, Index, bool>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, SpaceOf,
                         testing::Combine(testing::Values(2, 3, 47, 48, 49, 97), testing::Values(1, 2, 17, 130),
                                          testing::Bool()));

TEST_P(SpaceOf, KeysAreInTheOrderOfNearness) {
    const auto [count, dimension, by_cosine] = GetParam();
    const Points points = reference::awkward_points(count, dimension, 1);
    const auto keys =
        all_keys(points, by_cosine ? Nearness::Cosine : Nearness::Euclidean, reference::every_point(count));
    for (Index i = 0; i < count; ++i) {
        EXPECT_EQ(keys[i][i], std::numeric_limits<double>::infinity());
        std::vector<double> expected(count);
        for (Index j = 0; j < count; ++j) {
            expected[j] = by_cosine ? -reference::cosine(points, i, j) : reference::squared_distance(points, i, j);
        }
        for (Index j = 0; j < count; ++j) {
            for (Index l = 0; l < count; ++l) {
                if (i != j && i != l && expected[j] + 1e-5 * (1.0 + dimension) < expected[l]) {
                    ASSERT_LT(keys[i][j], keys[i][l]) << i << ": " << j << ", " << l;
                }
            }
        }
    }
}

TEST(NearnessSpace, SomeRowsSeeWhatAllRowsSee) {
    const Points points = reference::random_points(200, 9, 2);
    const std::vector<Index> rows{0, 5, 48, 49, 130, 199};
    for (const Nearness nearness : {Nearness::Euclidean, Nearness::Cosine}) {
        const auto all = all_keys(points, nearness, reference::every_point(200));
        const auto some = all_keys(points, nearness, rows);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            EXPECT_EQ(some[r], all[rows[r]]);
        }
    }
}

TEST(NearnessSpace, EqualPointsHaveEqualKeysAndAreNearest) {
    for (const double shift : {0.0, 50.0}) {
        Points points = reference::random_points(150, 40, 3, shift);
        std::copy(points[7].begin(), points[7].end(), points[100].begin());
        std::copy(points[7].begin(), points[7].end(), points[149].begin());
        const auto keys = all_keys(points, Nearness::Euclidean, reference::every_point(150));
        EXPECT_EQ(keys[7][100], keys[7][149]);
        for (Index i = 0; i < 150; ++i) {
            if (i != 7 && i != 100 && i != 149) {
                EXPECT_EQ(keys[i][100], keys[i][7]) << i;
                EXPECT_LT(keys[7][100], keys[7][i]) << i;
            }
        }
    }
}

TEST(NearnessSpace, EqualDistancesOfWholeNumbersAreEqualKeys) {
    for (const float shift : {0.0F, 1000.0F, -70000.0F}) {
        const Points points = moved(reference::whole_points(80, 3, 4, 4), shift);
        const auto keys = all_keys(points, Nearness::Euclidean, reference::every_point(80));
        for (Index i = 0; i < 80; ++i) {
            for (Index j = 0; j < 80; ++j) {
                for (Index l = 0; l < 80; ++l) {
                    if (i != j && i != l) {
                        ASSERT_EQ(reference::squared_distance(points, i, j) < reference::squared_distance(points, i, l),
                                  keys[i][j] < keys[i][l]);
                    }
                }
            }
        }
    }
}

TEST(NearnessSpace, DistancesFarFromTheOriginKeepTheirOrder) {
    const Points here = reference::random_points(100, 5, 5);
    const Points there = moved(here, 4096.0F);
    const auto keys = all_keys(there, Nearness::Euclidean, reference::every_point(100));
    for (Index i = 0; i < 100; ++i) {
        const auto order = reference::order_from(there, i, false);
        for (std::size_t place = 0; place + 1 < order.size(); ++place) {
            const double gap = reference::squared_distance(there, i, order[place + 1]) -
                               reference::squared_distance(there, i, order[place]);
            if (gap > 1e-4) {
                ASSERT_LT(keys[i][order[place]], keys[i][order[place + 1]]);
            }
        }
    }
}

/// Some tight bunches far from each other, whose points products in float32 cannot tell apart.
Points bunches(double width) {
    Points points = reference::random_points(120, 6, 7);
    for (Index i = 0; i < 120; ++i) {
        for (Index k = 0; k < 6; ++k) {
            points[i][k] = static_cast<float>((i % 4 == k % 4 ? 1.0 : 0.5) + width * double{points[i][k]});
        }
    }
    return points;
}

TEST(NearnessSpace, PointsOfATightBunchKeepTheirOrder) {
    const Points points = bunches(1e-4);
    for (const bool by_cosine : {false, true}) {
        const auto keys =
            all_keys(points, by_cosine ? Nearness::Cosine : Nearness::Euclidean, reference::every_point(120));
        for (Index i = 0; i < 120; ++i) {
            const auto order = reference::order_from(points, i, by_cosine);
            for (std::size_t place = 0; place < 25; ++place) {  // its bunch has 29 others
                ASSERT_LT(keys[i][order[place]], keys[i][order[place + 3]]) << i << ", " << place;
            }
        }
    }
}

TEST(NearnessSpace, TheSameBitsForAnyNumberOfThreads) {
    const Points points = reference::random_points(300, 20, 6);
    const auto rows = reference::every_point(250);
    EXPECT_EQ(all_keys(points, Nearness::Euclidean, rows, 1), all_keys(points, Nearness::Euclidean, rows, 3));
}

TEST(NearnessSpace, StatesMoreBytesForMorePointsRowsAndThreads) {
    EXPECT_GT(NearnessSpace::bytes(2000, 10, 100, 1), NearnessSpace::bytes(1000, 10, 100, 1));
    EXPECT_GT(NearnessSpace::bytes(1000, 10, 900, 1), NearnessSpace::bytes(1000, 10, 100, 1));
    EXPECT_GT(NearnessSpace::bytes(1000, 10, 900, 1), NearnessSpace::bytes(1000, 10, 1000, 1));
    EXPECT_GT(NearnessSpace::bytes(1000, 10, 100, 2), NearnessSpace::bytes(1000, 10, 100, 1));
}

/// Keys of which many are equal; the key of point `self` is infinite.
std::vector<double> some_keys(std::size_t count, std::uint32_t different, std::uint64_t seed, std::size_t self) {
    std::vector<double> keys(count);
    Random random(seed, RandomStream::Test, 0);
    for (double& key : keys) {
        key = static_cast<double>(random.below(different)) - 3.0;
    }
    keys[self] = std::numeric_limits<double>::infinity();
    return keys;
}

std::vector<Index> sorted_indices(const std::vector<double>& keys) {
    std::vector<std::pair<double, Index>> pairs;
    for (Index j = 0; j < keys.size(); ++j) {
        pairs.emplace_back(keys[j], j);
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<Index> order;
    order.reserve(pairs.size());
    for (const auto& pair : pairs) {
        order.push_back(pair.second);
    }
    return order;
}

class RowsOf : public testing::TestWithParam<std::tuple<std::size_t, std::uint32_t>> {};

INSTANTIATE_TEST_SUITE_P(Keys, RowsOf,
                         testing::Combine(testing::Values(2, 3, 10, 200), testing::Values(1, 2, 5, 1000000)));

TEST_P(RowsOf, TheNearestAreTheFirstOfTheSorted) {
    const auto [count, different] = GetParam();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto keys = some_keys(count, different, seed, seed % count);
        const auto order = sorted_indices(keys);
        for (std::size_t k = 1; k < count; ++k) {
            std::vector<Index> nearest(k);
            find_nearest(keys, nearest);
            ASSERT_EQ(nearest, std::vector<Index>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k)))
                << "seed " << seed << ", k " << k;
        }
    }
}

TEST(NearnessSpace, SeveralSpacesAreVisitedTogether) {
    const Points one = reference::random_points(110, 5, 8);
    const Points other = reference::random_points(110, 2, 9);
    const std::vector<Index> rows{0, 3, 50, 77, 109};
    const NearnessSpace first(one.view(), norms(one.view()), Nearness::Cosine, rows, on_threads(2));
    const NearnessSpace second(other.view(), norms(other.view()), Nearness::Euclidean, rows, on_threads(2));
    const std::vector<const NearnessSpace*> spaces{&first, &second};
    Rows of_first(rows.size());
    Rows of_second(rows.size());
    for_each_row(spaces, on_threads(2), [&](Index row, std::span<std::vector<double>> keys) {
        of_first[row] = keys[0];
        of_second[row] = keys[1];
    });
    EXPECT_EQ(of_first, all_keys(one, Nearness::Cosine, rows));
    EXPECT_EQ(of_second, all_keys(other, Nearness::Euclidean, rows));
}

// Binary numbers in another unit: what ties in them ties up to the rounding of inputs, keys up to that of products.
TEST(SettleTies, TellsTiesFromOthers) {
    const Index count = 150;
    const Index dimension = 300;
    Points points = reference::whole_points(count, dimension, 1, 5);
    const Points whole = points;
    for (float& value : points.values()) {
        value = 0.1F * value + 0.7F;
    }
    const auto rows = reference::every_point(count);
    const NearnessSpace space(points.view(), norms(points.view()), Nearness::Euclidean, rows, on_threads(2));
    const std::vector<const NearnessSpace*> spaces{&space};
    for_each_row(spaces, on_threads(1), [&](Index row, std::span<std::vector<double>> keys) {
        std::vector<Index> nearest(20);
        find_nearest(keys[0], nearest);
        const Index kth = nearest.back();
        static_cast<void>(settle_ties(space.origin(row), 20, kth, keys[0]));
        for (Index j = 0; j < count; ++j) {
            if (j != row) {
                const bool equal =
                    reference::squared_distance(whole, row, j) == reference::squared_distance(whole, row, kth);
                EXPECT_EQ(keys[0][j] == keys[0][kth], equal) << row << ", " << j;
            }
        }
    });
}

}  // namespace

}  // namespace isogon::nearness_test
