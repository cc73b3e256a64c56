#include "isogon/synthetic/arcs.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "generator_checks.hpp"

namespace isogon::arcs_test {
namespace {

/// The beads' numbers in the order of the string.
std::vector<Index> along_the_string(const Generated& made) {
    std::vector<Index> order(made.truth.count());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](Index i) { return made.truth[i][0]; });
    return order;
}

class Arcs : public testing::TestWithParam<ArcsOptions> {};

TEST_P(Arcs, HaveLengthOne) {
    const Generated made = arcs(1000, 1, GetParam());
    EXPECT_EQ(made.points.dimension(), GetParam().shape == ArcShape::Circle ? 2U : 3U);
    for (Index i = 0; i < 1000; ++i) {
        ASSERT_NEAR(checks::length(made.points[i]), 1.0, 1e-6);
    }
}

TEST_P(Arcs, NeighboursAreAsFarAsInTheTruth) {
    const Generated made = arcs(20000, 2, GetParam());
    const auto order = along_the_string(made);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        const double string = made.truth[order[k + 1]][0] - made.truth[order[k]][0];
        const double chord = checks::distance(made.points[order[k + 1]], made.points[order[k]]);
        ASSERT_NEAR(chord, string, 1e-5 + 0.01 * string);
    }
}

TEST_P(Arcs, BeadsAreNearlyEvenlySpaced) {
    for (const Index count : {10U, 100U, 997U}) {
        const Generated made = arcs(count, 3, GetParam());
        const auto order = along_the_string(made);
        double least = 1e9;
        double most = 0.0;
        for (std::size_t k = 0; k + 1 < order.size(); ++k) {
            const double gap = made.truth[order[k + 1]][0] - made.truth[order[k]][0];
            least = std::min(least, gap);
            most = std::max(most, gap);
        }
        EXPECT_LT(most / least, 2.7);  // the golden ratio squared, 2.618
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Arcs,
                         testing::Values(ArcsOptions{}, ArcsOptions{.angle = 30.0},
                                         ArcsOptions{.shape = ArcShape::Sphere},
                                         ArcsOptions{.shape = ArcShape::Sphere, .turns = 0.0},
                                         ArcsOptions{.shape = ArcShape::Sphere, .turns = 8.0}));

TEST(ArcsShape, CircleSpansItsAngle) {
    const Generated made = arcs(5000, 4, {.angle = 90.0});
    double left = 0.0;
    double right = 0.0;
    for (Index i = 0; i < 5000; ++i) {
        const double angle = std::atan2(made.points[i][0], made.points[i][1]);
        left = std::min(left, angle);
        right = std::max(right, angle);
    }
    EXPECT_NEAR(left, -std::numbers::pi / 4, 1e-3);
    EXPECT_NEAR(right, std::numbers::pi / 4, 1e-3);
}

TEST(ArcsShape, CoilTurnsAsOftenAsAsked) {
    const Generated made = arcs(20000, 5, {.shape = ArcShape::Sphere, .turns = 4.0});
    const auto order = along_the_string(made);
    double total = 0.0;
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        const auto a = made.points[order[k]];
        const auto b = made.points[order[k + 1]];
        total += std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    }
    EXPECT_NEAR(total / (2.0 * std::numbers::pi), 4.0, 0.01);
}

}  // namespace
}  // namespace isogon::arcs_test
