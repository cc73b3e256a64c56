#include "decomposition/gaussian_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace isogon::gaussian_moments_test {
namespace {

/// Moments of a normal variable around t below zero, by Simpson's rule over what matters of it.
struct Moments {
    double mean = 0.0;
    double variance = 0.0;
};
Moments by_integration(double t) {
    constexpr int steps = 200000;
    // Relative to the density at its largest below zero, so that nothing underflows.
    const double top = std::min(0.0, t);
    const double width = t > 0.0 ? std::min(14.0, 60.0 / t) : 14.0;
    double weight = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (int k = 0; k <= steps; ++k) {
        const double low = top - width;
        const double high = std::min(0.0, top + width);
        const double x = low + (high - low) * k / steps;
        const double density = std::exp(-0.5 * (x - t) * (x - t) + 0.5 * (top - t) * (top - t));
        const double factor = density * (k == 0 || k == steps ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0));
        weight += factor;
        first += factor * (x - top);
        second += factor * (x - top) * (x - top);
    }
    const double mean = first / weight;
    return {top + mean, second / weight - mean * mean};
}

TEST(GaussianMoments, AreThoseOfTheIntegral) {
    for (const double t : {-50.0, -37.5, -8.0, -2.0, -0.5, 0.0, 0.3, 1.0, 5.0, 20.0, 27.0, 29.0, 99.0, 101.0, 400.0}) {
        const Moments expected = by_integration(t);
        EXPECT_NEAR(mean_below_zero(t), expected.mean, 1e-8 * std::max(std::abs(expected.mean), 1e-12)) << t;
        EXPECT_NEAR(variance_below_zero(t), expected.variance, 1e-6 * expected.variance) << t;
    }
}

TEST(GaussianMoments, StayInTheirBoundsFarOut) {
    for (const double t : {-1e300, -1e5, 1e5, 1e10, 1e300}) {
        EXPECT_LE(mean_below_zero(t), 0.0) << t;
        EXPECT_GE(variance_below_zero(t), 0.0) << t;
        EXPECT_LE(variance_below_zero(t), 1.0) << t;
    }
    EXPECT_EQ(mean_below_zero(-1e5), -1e5);
}

TEST(ScaledErfc, GoesOnWhereErfcIsZero) {
    EXPECT_DOUBLE_EQ(scaled_erfc(0.0), 1.0);
    for (double x = 19.0; x < 22.0; x += 0.01) {
        // exp(x^2) erfc(x) falls, and no faster than 1 / x.
        EXPECT_LT(scaled_erfc(x + 0.01), scaled_erfc(x)) << x;
        EXPECT_GT(scaled_erfc(x + 0.01) * (x + 0.01), scaled_erfc(x) * x) << x;
    }
}

}  // namespace
}  // namespace isogon::gaussian_moments_test
