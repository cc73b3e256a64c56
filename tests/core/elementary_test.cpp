#include "core/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "support/ulps.hpp"

namespace isogon::elementary_test {
namespace {

using support::hash_of_bits;
using support::numbers_between;
using support::ulps;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double most = std::numeric_limits<double>::max();

/// Numbers of all sizes between 2^low and 2^high.
std::vector<double> of_all_sizes(double low, double high) {
    std::vector<double> values = numbers_between(low, high);
    for (double& value : values) {
        value = std::exp2(value);
    }
    return values;
}

/// 1 and its neighbours, at all distances from an ulp to a half.
std::vector<double> about_one() {
    std::vector<double> values{1.0};
    for (const double distance : of_all_sizes(-53.0, -1.0)) {
        values.push_back(1.0 + distance);
        values.push_back(1.0 - distance);
    }
    return values;
}

TEST(Elementary, ExpIsWithinAnUlp) {
    for (const auto& values :
         {numbers_between(-746.0, 709.7), numbers_between(-1.0, 1.0), of_all_sizes(-1074.0, 9.0)}) {
        for (const double x : values) {
            ASSERT_LE(ulps(elementary::exp(x), std::exp(static_cast<long double>(x))), 0.8) << x;
        }
    }
}

TEST(Elementary, ExpOverflowsAndVanishesWhereItShould) {
    EXPECT_EQ(elementary::exp(0.0), 1.0);
    EXPECT_EQ(elementary::exp(-0.0), 1.0);
    EXPECT_EQ(elementary::exp(-745.1), least);
    EXPECT_EQ(elementary::exp(-745.2), 0.0);
    EXPECT_LT(elementary::exp(709.78), infinity);
    EXPECT_EQ(elementary::exp(709.79), infinity);
    for (const double large : {800.0, 1e4, most, infinity}) {
        EXPECT_EQ(elementary::exp(large), infinity);
        EXPECT_EQ(elementary::exp(-large), 0.0);
    }
}

TEST(Elementary, LogarithmsAreWithinAnUlp) {
    for (const auto& values : {of_all_sizes(-1074.0, 1023.9), numbers_between(0.0, 10.0), about_one()}) {
        for (const double x : values) {
            const auto exact = static_cast<long double>(x);
            ASSERT_LE(ulps(elementary::log(x), std::log(exact)), 0.7) << x;
            ASSERT_LE(ulps(elementary::log2(x), std::log2(exact)), 0.7) << x;
            ASSERT_LE(ulps(elementary::log10(x), std::log10(exact)), 0.7) << x;
        }
    }
}

TEST(Elementary, LogarithmsOfPowersOfTheBaseAreIntegers) {
    for (int n = -1074; n < 1024; ++n) {
        ASSERT_EQ(elementary::log2(std::ldexp(1.0, n)), n);
    }
    for (int n = -300; n <= 300; ++n) {
        ASSERT_EQ(elementary::log10(std::strtod(("1e" + std::to_string(n)).c_str(), nullptr)), n);
    }
}

TEST(Elementary, Log1pIsWithinAnUlp) {
    for (const auto& values : {of_all_sizes(-1074.0, 1023.9), numbers_between(-1.0, 3.0)}) {
        for (const double x : values) {
            ASSERT_LE(ulps(elementary::log1p(x), std::log1p(static_cast<long double>(x))), 0.7) << x;
        }
    }
    for (const double x : of_all_sizes(-1074.0, 0.0)) {
        ASSERT_LE(ulps(elementary::log1p(-x), std::log1p(-static_cast<long double>(x))), 0.7) << -x;
    }
}

TEST(Elementary, LogarithmsAtTheEdgesOfTheirDomain) {
    for (const auto function : {elementary::log, elementary::log2, elementary::log10}) {
        EXPECT_EQ(function(1.0), 0.0);
        EXPECT_EQ(function(0.0), -infinity);
        EXPECT_EQ(function(-0.0), -infinity);
        EXPECT_EQ(function(infinity), infinity);
        EXPECT_TRUE(std::isnan(function(-least)));
        EXPECT_TRUE(std::isnan(function(-infinity)));
    }
    EXPECT_EQ(elementary::log1p(-1.0), -infinity);
    EXPECT_EQ(elementary::log1p(infinity), infinity);
    EXPECT_TRUE(std::isnan(elementary::log1p(-1.5)));
}

/// (x^b - exact) / exact over the bound of the header.
double of_bound(double x, double b) {
    const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(b));
    const double error = static_cast<double>(std::abs(elementary::pow(x, b) / exact - 1.0L));
    return error / (0x1p-53 * (1.0 + std::abs(b * std::log(x)) / 4.0));
}

TEST(Elementary, PowIsWithinItsBound) {
    Random random(9, RandomStream::Test, 0);
    for (const auto& values : {of_all_sizes(-1022.0, 1023.9), about_one()}) {
        for (const double x : values) {
            const double b = 1400.0 * (random.uniform() - 0.5) / std::log(x);
            if (std::isfinite(b)) {
                ASSERT_LE(of_bound(x, b), 1.0) << x << " " << b;
            }
            ASSERT_LE(of_bound(x, 0.79), 1.0) << x;
        }
    }
}

TEST(Elementary, PowAtTheEdgesOfItsDomain) {
    EXPECT_EQ(elementary::pow(0.0, 0.8), 0.0);
    EXPECT_EQ(elementary::pow(0.0, -0.8), infinity);
    EXPECT_EQ(elementary::pow(infinity, 0.8), infinity);
    EXPECT_EQ(elementary::pow(infinity, -0.8), 0.0);
    EXPECT_EQ(elementary::pow(0.5, infinity), 0.0);
    EXPECT_EQ(elementary::pow(0.5, -infinity), infinity);
    EXPECT_EQ(elementary::pow(2.0, most), infinity);
    EXPECT_EQ(elementary::pow(2.0, -most), 0.0);
    EXPECT_EQ(elementary::pow(2.0, least), 1.0);
    EXPECT_EQ(elementary::pow(std::nan(""), 0.0), 1.0);
    EXPECT_EQ(elementary::pow(1.0, std::nan("")), 1.0);
    EXPECT_TRUE(std::isnan(elementary::pow(-2.0, 2.0)));
    EXPECT_EQ(elementary::pow(least, 0.5), std::sqrt(least));
}

TEST(Elementary, PowersOfIntegersAreExact) {
    EXPECT_EQ(elementary::integer_power(10.0, 22), 1e22);
    EXPECT_EQ(elementary::integer_power(10.0, -22), 1e-22);
    EXPECT_EQ(elementary::integer_power(-3.0, 3), -27.0);
    EXPECT_EQ(elementary::integer_power(-3.0, 4), 81.0);
    EXPECT_EQ(elementary::integer_power(0.0, 0), 1.0);
    EXPECT_EQ(elementary::integer_power(0.0, -1), infinity);
    EXPECT_EQ(elementary::integer_power(2.0, -1074), least);
    EXPECT_EQ(elementary::integer_power(2.0, std::numeric_limits<int>::min()), 0.0);
    EXPECT_EQ(elementary::integer_power(1.0, std::numeric_limits<int>::min()), 1.0);
    for (const double x : numbers_between(-3.0, 3.0)) {
        ASSERT_LE(ulps(elementary::integer_power(x, 3), static_cast<long double>(x) * x * x), 2.0) << x;
    }
}

TEST(Elementary, AsinhIsWithinTwoUlps) {
    for (const auto& values : {of_all_sizes(-1074.0, 1023.9), numbers_between(0.0, 10.0)}) {
        for (const double x : values) {
            ASSERT_LE(ulps(elementary::asinh(x), std::asinh(static_cast<long double>(x))), 2.0) << x;
            ASSERT_EQ(elementary::asinh(-x), -elementary::asinh(x));
        }
    }
    EXPECT_EQ(elementary::asinh(-infinity), -infinity);
    EXPECT_TRUE(std::signbit(elementary::asinh(-0.0)));
}

TEST(Elementary, OfNotANumberIsNotANumber) {
    const double nan = std::nan("");
    for (const auto function : {elementary::exp, elementary::log, elementary::log2, elementary::log10,
                                elementary::log1p, elementary::asinh}) {
        EXPECT_TRUE(std::isnan(function(nan)));
    }
    EXPECT_TRUE(std::isnan(elementary::pow(nan, 2.0)));
    EXPECT_TRUE(std::isnan(elementary::pow(2.0, nan)));
    EXPECT_TRUE(std::isnan(elementary::integer_power(nan, 2)));
}

/// The values that this code gave on x86-64, the only test of all here that finds a compiler which fuses products and
/// sums.
TEST(Elementary, HasTheSameBitsEverywhere) {
    EXPECT_EQ(hash_of_bits(elementary::exp, -740.0, 709.0), 0xAC692500644CB50AU);
    EXPECT_EQ(hash_of_bits(elementary::log, 0.0, 10.0), 0xEAD75533BF5A45E1U);
    EXPECT_EQ(hash_of_bits(elementary::log2, 0.0, 10.0), 0x6EDF230206207331U);
    EXPECT_EQ(hash_of_bits(elementary::log10, 0.0, 10.0), 0xAE5B68FA2C0FB871U);
    EXPECT_EQ(hash_of_bits(elementary::log1p, -0.9, 2.0), 0x0DC2BFC924E2A360U);
    EXPECT_EQ(hash_of_bits([](double x) { return elementary::pow(x, 0.79); }, 0.0, 10.0), 0xFE97CC520444F681U);
    EXPECT_EQ(hash_of_bits([](double x) { return elementary::integer_power(x, 7); }, -3.0, 3.0), 0xBF90F753291F2837U);
    EXPECT_EQ(hash_of_bits(elementary::asinh, -5.0, 5.0), 0xA71DF1E04F856D7DU);
}

}  // namespace
}  // namespace isogon::elementary_test
