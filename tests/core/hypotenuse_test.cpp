#include "core/hypotenuse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace isogon::hypotenuse_test {
namespace {

TEST(Hypotenuse, IsThatOfWholeTriangles) {
    EXPECT_EQ(hypotenuse(3, -4), 5);
    EXPECT_EQ(hypotenuse(-12, 5), 13);
    EXPECT_EQ(hypotenuse(0, -2.5), 2.5);
    EXPECT_EQ(hypotenuse(0, 0), 0);
}

TEST(Hypotenuse, NeitherOverflowsNorVanishes) {
    EXPECT_EQ(hypotenuse(3e300, 4e300), 5e300);
    EXPECT_EQ(hypotenuse(0x3p-1070, 0x4p-1070), 0x5p-1070);
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(hypotenuse(-infinity, 1), infinity);
    EXPECT_TRUE(std::isnan(hypotenuse(std::nan(""), 1)));
    EXPECT_EQ(hypotenuse(infinity, std::nan("")), infinity);
}

TEST(Hypotenuse, IsWithinAUnitInTheLastPlace) {
    std::mt19937_64 random(5);  // NOLINT(cert-msc51-cpp): the same numbers every time
    std::uniform_real_distribution<double> exponent(-30, 30);
    for (int i = 0; i < 100000; ++i) {
        const double a = std::exp2(exponent(random));
        const double b = std::exp2(exponent(random));
        const auto exact = std::sqrt(static_cast<long double>(a) * a + static_cast<long double>(b) * b);
        const auto rounded = static_cast<double>(exact);
        ASSERT_LE(std::abs(static_cast<long double>(hypotenuse(a, b)) - exact),
                  static_cast<long double>(std::nextafter(rounded, 1e300) - rounded));
    }
}

}  // namespace
}  // namespace isogon::hypotenuse_test
