#include "isogon/synthetic/swiss_roll.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "generator_checks.hpp"

namespace isogon::swiss_roll_test {
namespace {

TEST(SwissRoll, LiesOnTheSpiral) {
    const Generated made = swiss_roll(1000, 1);
    for (Index i = 0; i < made.points.count(); ++i) {
        const double x = made.points[i][0];
        const double z = made.points[i][2];
        const double radius = std::hypot(x, z);  // which is the angle too
        ASSERT_NEAR(std::cos(radius), x / radius, 1e-4);
        ASSERT_NEAR(std::sin(radius), z / radius, 1e-4);
        ASSERT_EQ(made.points[i][1], made.truth[i][1]);
    }
}

TEST(SwissRoll, NeighboursAreAsFarAsInTheTruth) {
    const Generated made = swiss_roll(3000, 2);
    int near = 0;
    for (Index i = 0; i < made.points.count(); ++i) {
        for (Index j = i + 1; j < made.points.count(); ++j) {
            const double flat = checks::distance(made.truth[i], made.truth[j]);
            const double rolled = checks::distance(made.points[i], made.points[j]);
            ASSERT_LE(rolled, flat + 1e-4) << "a chord is never longer than the way along the sheet";
            if (flat < 1.0) {
                // The chord of an arc s of radius r is shorter by s^3 / (24 r^2), and r is above 4.7.
                ASSERT_NEAR(rolled, flat, 2.5e-3);
                ++near;
            }
        }
    }
    EXPECT_GT(near, 100);
}

TEST(SwissRoll, IsUniformOnTheSheet) {
    const SwissRollOptions options{.height = 10.0, .turns = 1.0};
    const Generated made = swiss_roll(20000, 3, options);
    const auto integral = [](double t) { return 0.5 * (t * std::sqrt(1 + t * t) + std::asinh(t)); };
    const double begin = 1.5 * std::numbers::pi;
    const double length = integral(begin + 2.0 * std::numbers::pi) - integral(begin);
    std::array<std::array<int, 4>, 2> cells{};
    for (Index i = 0; i < made.truth.count(); ++i) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double share = made.truth[i][axis] / (axis == 0 ? length : options.height);
            ASSERT_GE(share, 0.0);
            ASSERT_LE(share, 1.0 + 1e-6);
            ++cells.at(axis).at(std::min<std::size_t>(3, static_cast<std::size_t>(4.0 * share)));
        }
    }
    for (const auto& axis : cells) {
        for (const int cell : axis) {
            EXPECT_NEAR(cell, 5000, 300);  // five standard deviations of a binomial count
        }
    }
}

TEST(SwissRoll, NoiseMovesPointsByItsDeviationAndNotTheTruth) {
    const Generated clean = swiss_roll(5000, 4);
    const Generated noisy = swiss_roll(5000, 4, {.noise = 0.5});
    double sum = 0.0;
    for (Index i = 0; i < 5000; ++i) {
        sum += std::pow(checks::distance(clean.points[i], noisy.points[i]), 2);
    }
    EXPECT_NEAR(sum / (3 * 5000), 0.25, 0.015);
    EXPECT_TRUE(checks::same_rows(clean.truth, noisy.truth, 5000));
}

TEST(SwissRoll, ManyTurnsStayAccurate) {
    const Generated made = swiss_roll(500, 5, {.turns = 999.0});
    for (Index i = 0; i < 500; ++i) {
        const double radius = std::hypot(made.points[i][0], made.points[i][2]);
        const double length = 0.5 * (radius * std::sqrt(1 + radius * radius) + std::asinh(radius)) -
                              0.5 * (1.5 * std::numbers::pi * std::sqrt(1 + std::pow(1.5 * std::numbers::pi, 2)) +
                                     std::asinh(1.5 * std::numbers::pi));
        ASSERT_NEAR(length / made.truth[i][0], 1.0, 1e-4);
    }
}

}  // namespace
}  // namespace isogon::swiss_roll_test
