#include "pairs/row_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace isogon::row_sample_test {
namespace {

class SampleOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, SampleOf,
                         testing::Combine(testing::Values(0, 1, 2, 50, 1000), testing::Values(0, 1, 2, 49, 50, 2000)));

TEST_P(SampleOf, IsAscendingBelowTheCountAndOfTheWishedSize) {
    const auto [count, requested] = GetParam();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto rows = sample_rows(count, requested, seed, RandomStream::Test);
        ASSERT_EQ(rows.size(), std::min(count, requested));
        EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), std::less_equal<>{}));  // no number twice
        EXPECT_TRUE(rows.empty() || rows.back() < count);
    }
}

TEST(SampleRows, FollowsSeedAndPurpose) {
    const auto rows = sample_rows(1000, 100, 3, RandomStream::Test);
    EXPECT_EQ(rows, sample_rows(1000, 100, 3, RandomStream::Test));
    EXPECT_NE(rows, sample_rows(1000, 100, 4, RandomStream::Test));
    EXPECT_NE(rows, sample_rows(1000, 100, 3, RandomStream::QualitySample));
}

TEST(SampleRows, EveryNumberIsAsLikelyAsAnyOther) {
    constexpr int draws = 20000;
    std::vector<int> times(20);
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
        for (const Index row : sample_rows(20, 5, seed, RandomStream::Test)) {
            ++times[row];
        }
    }
    // Five standard deviations of a binomial count with p = 1/4.
    const double allowed = 5.0 * std::sqrt(draws * 0.25 * 0.75);
    for (const int count : times) {
        EXPECT_NEAR(count, draws * 0.25, allowed);
    }
}

}  // namespace
}  // namespace isogon::row_sample_test
