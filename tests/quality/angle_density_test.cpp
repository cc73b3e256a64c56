#include "isogon/quality/score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::angle_density_test {
namespace {

using reference::on_threads;

AngleDensity count(const Points& x, const Points& y, Index points = 3000, int threads = 2) {
    return count_angles(x.view(), y.view(), {.points = points}, on_threads(threads));
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Points of a plane at these angles, so that no angle of a pair lies near the edge of a bin.
Points at_degrees(const std::vector<double>& angles) {
    Points points(static_cast<Index>(angles.size()), 2);
    for (Index i = 0; i < points.count(); ++i) {
        points[i][0] = static_cast<float>(3.0 * std::cos(angles[i] * std::numbers::pi / 180.0));
        points[i][1] = static_cast<float>(3.0 * std::sin(angles[i] * std::numbers::pi / 180.0));
    }
    return points;
}

TEST(AngleDensity, CountsEveryPairOnceByBothItsAngles) {
    const AngleDensity density = count(at_degrees({0.0, 10.5, 100.2}), at_degrees({0.0, 30.5, 175.7}));
    EXPECT_EQ(density.pairs, 3U);
    EXPECT_EQ(density.points, 3U);
    for (const Index angle : {10, 89, 100}) {
        EXPECT_EQ(density.in[angle], 1U) << angle;
    }
    for (const Index angle : {30, 145, 175}) {
        EXPECT_EQ(density.out[angle], 1U) << angle;
    }
    EXPECT_EQ(density.density[5 * AngleDensity::squares + 15], 1U);
    EXPECT_EQ(density.density[44 * AngleDensity::squares + 72], 1U);
    EXPECT_EQ(density.density[50 * AngleDensity::squares + 87], 1U);
    EXPECT_EQ(sum(density.in), 3U);
    EXPECT_EQ(sum(density.out), 3U);
    EXPECT_EQ(sum(density.density), 3U);
}

TEST(AngleDensity, AgreesWithTheDefinitionPairByPair) {
    const Points x = reference::random_points(120, 7, 1, 0.3);
    const Points y = reference::truncated(x, 3);
    const AngleDensity density = count(x, y);
    std::vector<std::uint64_t> in(AngleDensity::angles);
    std::vector<std::uint64_t> out(AngleDensity::angles);
    for (Index i = 0; i < 120; ++i) {
        for (Index j = 0; j < i; ++j) {
            ++in[static_cast<std::size_t>(reference::degrees(x, i, j))];
            ++out[static_cast<std::size_t>(reference::degrees(y, i, j))];
        }
    }
    // Rounding may move a pair over the edge of a bin.
    std::uint64_t moved = 0;
    for (Index b = 0; b < AngleDensity::angles; ++b) {
        moved += in[b] > density.in[b] ? in[b] - density.in[b] : 0;
        moved += out[b] > density.out[b] ? out[b] - density.out[b] : 0;
    }
    EXPECT_LE(moved, 2U);
    EXPECT_EQ(density.pairs, 120U * 119U / 2U);
}

TEST(AngleDensity, HistogramsAreTheMarginsOfTheDensity) {
    const Points x = reference::awkward_points(200, 6, 2);
    const AngleDensity density = count(x, reference::truncated(x, 2));
    for (Index row = 0; row < AngleDensity::squares; ++row) {
        std::uint64_t in = 0;
        std::uint64_t out = 0;
        for (Index other = 0; other < AngleDensity::squares; ++other) {
            in += density.density[row * AngleDensity::squares + other];
            out += density.density[other * AngleDensity::squares + row];
        }
        EXPECT_EQ(in, density.in[2 * row] + density.in[2 * row + 1]);
        EXPECT_EQ(out, density.out[2 * row] + density.out[2 * row + 1]);
    }
}

TEST(AngleDensity, ZeroVectorsOfTheInputTakeNoPartAndThoseOfTheOutputStandAtRightAngles) {
    Points x = at_degrees({0.0, 20.5, 60.5});
    Points y = x;
    x[1][0] = x[1][1] = 0.0F;
    y[2][0] = y[2][1] = 0.0F;
    const AngleDensity density = count(x, y);
    EXPECT_EQ(density.pairs, 1U);
    EXPECT_EQ(density.in[60], 1U);
    EXPECT_EQ(density.out[90], 1U);
}

TEST(AngleDensity, SamplesTheSamePointsForASeed) {
    const Points x = reference::random_points(300, 5, 3);
    const Points y = reference::truncated(x, 2);
    const AngleDensity some = count(x, y, 50);
    EXPECT_EQ(some.points, 50U);
    EXPECT_EQ(some.pairs, 50U * 49U / 2U);
    EXPECT_EQ(some.density, count(x, y, 50).density);
    EXPECT_NE(some.density, count_angles(x.view(), y.view(), {.points = 50, .seed = 1}).density);
}

TEST(AngleDensity, NoPairAtAllIsNoCount) {
    const AngleDensity density = count(Points(5, 3), Points(5, 2));
    EXPECT_EQ(density.pairs, 0U);
    EXPECT_EQ(density.in.size(), std::size_t{AngleDensity::angles});
    EXPECT_EQ(sum(density.density), 0U);
}

TEST(AngleDensity, TheSameForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(500, 8, 4);
    const Points y = reference::truncated(x, 3);
    const AngleDensity one = count(x, y, 400, 1);
    const AngleDensity three = count(x, y, 400, 3);
    EXPECT_EQ(one.in, three.in);
    EXPECT_EQ(one.out, three.out);
    EXPECT_EQ(one.density, three.density);
}

TEST(AngleDensity, Refusals) {
    const Points x = reference::random_points(10, 4, 5);
    EXPECT_THROW(static_cast<void>(count(x, reference::random_points(9, 2, 5))), InvalidArgument);
    EXPECT_THROW(static_cast<void>(count(x, Points(10, 0))), InvalidArgument);
    EXPECT_THROW(static_cast<void>(count(x, x, 1)), InvalidArgument);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW(static_cast<void>(count_angles(x.view(), x.view(), {}, little)), LimitExceeded);
}

}  // namespace
}  // namespace isogon::angle_density_test
