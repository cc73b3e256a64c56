#include "isogon/core/squared_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace isogon::squared_distance_test {
namespace {

TEST(SquaredDistance, IsTheSumOfSquaredDifferences) {
    const std::array<double, 3> u{1.0, -2.0, 0.5};
    const std::array<double, 3> v{4.0, 2.0, 0.5};
    EXPECT_EQ(squared_distance(u.data(), v.data(), 3), 25.0);
    EXPECT_EQ(squared_distance(u.data(), u.data(), 3), 0.0);
    EXPECT_EQ(squared_distance(u.data(), v.data(), 0), 0.0);
}

TEST(SquaredDistance, TakesDifferencesOfFloatsInFloat64) {
    // In float32 the difference would be rounded to 2^25, and its square would overflow for the largest numbers.
    const std::array<float, 1> u{33554432.0F};
    const std::array<float, 1> v{-1.0F};
    EXPECT_EQ(squared_distance(u.data(), v.data(), 1), 33554433.0 * 33554433.0);
    const std::array<float, 1> most{std::numeric_limits<float>::max()};
    EXPECT_LT(squared_distance(most.data(), v.data(), 1), std::numeric_limits<double>::infinity());
}

TEST(SquaredDistance, MixesWidths) {
    const std::vector<double> u{0.1, 0.2};
    const std::vector<float> v{0.1F, 0.2F};
    const std::vector<double> wide(v.begin(), v.end());
    EXPECT_EQ(squared_distance(u.data(), v.data(), 2), squared_distance(u.data(), wide.data(), 2));
    EXPECT_EQ(squared_distance(v.data(), u.data(), 2), squared_distance(u.data(), v.data(), 2));
}

}  // namespace
}  // namespace isogon::squared_distance_test
