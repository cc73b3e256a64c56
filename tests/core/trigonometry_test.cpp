#include "core/trigonometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/ulps.hpp"

namespace isogon::trigonometry_test {
namespace {

using support::hash_of_bits;
using support::numbers_between;
using support::ulps;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double farthest = 0x1p20;  // with full accuracy

/// Multiples of pi / 2, of pi / 4 between them, and the numbers beside these.
std::vector<double> about_quarters() {
    std::vector<double> values;
    for (int n = 0; n * std::numbers::pi / 4.0 < farthest; n += 1 + n / 1000) {
        const double x = n * std::numbers::pi / 4.0;
        for (const double near : {std::nextafter(x, -1.0), x, std::nextafter(x, infinity)}) {
            values.push_back(near);
            values.push_back(-near);
        }
    }
    return values;
}

/// Distances from 0, or from 1, of all sizes.
std::vector<double> small() {
    std::vector<double> values{0.0, std::numeric_limits<double>::denorm_min()};
    for (const double exponent : numbers_between(-60.0, 0.0)) {
        values.push_back(std::exp2(exponent));
    }
    return values;
}

void expect_exact(double x) {
    const auto exact = static_cast<long double>(x);
    ASSERT_LE(ulps(elementary::sin(x), std::sin(exact)), 0.9) << x;
    ASSERT_LE(ulps(elementary::cos(x), std::cos(exact)), 0.9) << x;
    ASSERT_LE(ulps(elementary::tan(x), std::tan(exact)), 3.0) << x;
}

TEST(Trigonometry, FunctionsOfAnglesAreWithinTheirBounds) {
    for (const auto& values : {numbers_between(-1.0, 1.0), numbers_between(-8.0, 8.0),
                               numbers_between(-farthest, farthest), small(), about_quarters()}) {
        for (const double x : values) {
            expect_exact(x);
        }
    }
}

TEST(Trigonometry, HugeAnglesAreThoseOfANeighbour) {
    for (const double exponent : numbers_between(20.0, 1023.9)) {
        const double x = std::exp2(exponent);
        const double sine = elementary::sin(x);
        const double cosine = elementary::cos(x);
        ASSERT_NEAR(sine * sine + cosine * cosine, 1.0, 1e-15) << x;
        if (x < 0x1p40) {
            ASSERT_NEAR(sine, std::sin(x), std::nextafter(x, infinity) - x) << x;
        }
    }
}

TEST(Trigonometry, SineOfZeroHasItsSign) {
    EXPECT_TRUE(std::signbit(elementary::sin(-0.0)));
    EXPECT_FALSE(std::signbit(elementary::sin(0.0)));
    EXPECT_EQ(elementary::cos(-0.0), 1.0);
}

void expect_exact_inverse(double x) {
    const auto exact = static_cast<long double>(x);
    ASSERT_LE(ulps(elementary::asin(x), std::asin(exact)), 0.7) << x;
    ASSERT_LE(ulps(elementary::acos(x), std::acos(exact)), 0.7) << x;
}

TEST(Trigonometry, AnglesAreWithinTheirBounds) {
    for (const double x : numbers_between(-1.0, 1.0)) {
        expect_exact_inverse(x);
    }
    for (const double distance : small()) {
        expect_exact_inverse(distance);
        expect_exact_inverse(-distance);
        expect_exact_inverse(1.0 - distance);
        expect_exact_inverse(distance - 1.0);
    }
    for (const double half : {std::nextafter(0.5, 0.0), 0.5, std::nextafter(0.5, 1.0)}) {
        expect_exact_inverse(half);
        expect_exact_inverse(-half);
    }
}

TEST(Trigonometry, AnglesAtTheEdgesOfTheDomain) {
    EXPECT_EQ(elementary::acos(1.0), 0.0);
    EXPECT_EQ(elementary::acos(-1.0), std::numbers::pi);
    EXPECT_EQ(elementary::acos(0.0), std::numbers::pi / 2.0);
    EXPECT_EQ(elementary::asin(1.0), std::numbers::pi / 2.0);
    EXPECT_EQ(elementary::asin(-1.0), -std::numbers::pi / 2.0);
    EXPECT_TRUE(std::signbit(elementary::asin(-0.0)));
    for (const double beyond : {std::nextafter(1.0, 2.0), -1.5, infinity, -infinity, std::nan("")}) {
        EXPECT_TRUE(std::isnan(elementary::acos(beyond)));
        EXPECT_TRUE(std::isnan(elementary::asin(beyond)));
    }
}

TEST(Trigonometry, OfWhatIsNoAngleIsNotANumber) {
    for (const double x : {infinity, -infinity, std::nan("")}) {
        EXPECT_TRUE(std::isnan(elementary::sin(x)));
        EXPECT_TRUE(std::isnan(elementary::cos(x)));
        EXPECT_TRUE(std::isnan(elementary::tan(x)));
    }
}

/// The values that this code gave on x86-64, the only test of all here that finds a compiler which fuses products and
/// sums.
TEST(Trigonometry, HasTheSameBitsEverywhere) {
    EXPECT_EQ(hash_of_bits(elementary::sin, -8.0, 8.0), 0x8D31F83A9630107DU);
    EXPECT_EQ(hash_of_bits(elementary::cos, -8.0, 8.0), 0x127832BB4CA30BEBU);
    EXPECT_EQ(hash_of_bits(elementary::tan, -8.0, 8.0), 0xB04504A0565AD246U);
    EXPECT_EQ(hash_of_bits(elementary::sin, 1e6, 1e9), 0x1637B9C451792717U);
    EXPECT_EQ(hash_of_bits(elementary::asin, -1.0, 1.0), 0x7DA558A53E3D3E00U);
    EXPECT_EQ(hash_of_bits(elementary::acos, -1.0, 1.0), 0x5FF44C42AC5AAAC2U);
}

}  // namespace
}  // namespace isogon::trigonometry_test
