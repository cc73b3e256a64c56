#include "report/count_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace isogon::count_text_test {
namespace {

TEST(CountText, GroupsDigitsByThree) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1000), "1,000");
    EXPECT_EQ(count_text(70000), "70,000");
    EXPECT_EQ(count_text(123456), "123,456");
    EXPECT_EQ(count_text(1234567), "1,234,567");
    EXPECT_EQ(count_text(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(CountText, OnePointIsNoPoints) {
    EXPECT_EQ(points_count_text(1), "1 point");
    EXPECT_EQ(points_count_text(1200), "1,200 points");
}

}  // namespace
}  // namespace isogon::count_text_test
