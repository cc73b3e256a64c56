#include "quality/near_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/random.hpp"

namespace isogon::near_rows_test {

namespace {

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

TEST_P(RowsOf, TheExcessIsThatOfTheRanks) {
    const auto [count, different] = GetParam();
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const auto keys = some_keys(count, different, seed, 0);
        const auto order = sorted_indices(keys);
        for (const std::size_t k : {std::size_t{1}, count / 2, count - 1}) {
            std::vector<Index> nearest(k);
            find_nearest(keys, nearest);
            std::vector<Index> others(k);  // the last k points but the row's own: beyond 48 of them, ranks are sorted
            std::uint64_t expected = 0;
            for (std::size_t a = 0; a < k; ++a) {
                others[a] = static_cast<Index>(count - 1 - a);
                const auto rank = 1 + std::find(order.begin(), order.end(), others[a]) - order.begin();
                expected +=
                    static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, rank - static_cast<std::ptrdiff_t>(k)));
            }
            EXPECT_EQ(rank_excess(keys, nearest, others), expected);
        }
    }
}

TEST(NearRows, SharedIndicesAreCountedInAnyOrder) {
    const std::vector<Index> a{5, 1, 9, 3};
    const std::vector<Index> b{3, 4, 5, 6};
    EXPECT_EQ(count_shared(a, b), 2U);
    EXPECT_EQ(count_shared(a, a), 4U);
    EXPECT_EQ(count_shared(a, std::vector<Index>{0, 2, 4, 6}), 0U);
}

TEST(NearRows, LieOneAfterTheOther) {
    NearRows lists(3, 2);
    lists[1][0] = 7;
    lists[2][1] = 8;
    EXPECT_EQ(lists.values, (std::vector<Index>{0, 0, 7, 0, 0, 8}));
}

std::int64_t vote(const std::vector<Index>& neighbors) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> labels{4, -2, 4, 7, -2, least, most, 7};
    return majority_label(neighbors, labels);
}

TEST(MajorityLabel, IsTheMostFrequent) {
    EXPECT_EQ(vote({3}), 7);
    EXPECT_EQ(vote({0, 2, 1}), 4);
    EXPECT_EQ(vote({1, 3, 7}), 7);
    EXPECT_EQ(vote({6, 6, 5}), std::numeric_limits<std::int64_t>::max());
}

TEST(MajorityLabel, IsTheSmallestOnATie) {
    EXPECT_EQ(vote({3, 0}), 4);
    EXPECT_EQ(vote({3, 7, 0, 2, 1, 4}), -2);
    EXPECT_EQ(vote({6, 5}), std::numeric_limits<std::int64_t>::min());
}

}  // namespace

}  // namespace isogon::near_rows_test
