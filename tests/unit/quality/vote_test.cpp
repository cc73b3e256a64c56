#include "quality/vote.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace isogon::vote_test {
namespace {

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
}  // namespace isogon::vote_test
