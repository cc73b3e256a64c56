#include "isogon/synthetic/sphere.hpp"

#include <gtest/gtest.h>

#include "generator_checks.hpp"

namespace isogon::sphere_test {
namespace {

TEST(Sphere, PointsHaveTheRadius) {
    for (const int dimension : {1, 2, 3, 100}) {
        const Generated made = sphere(200, 1, {.dimension = dimension, .radius = 2.5});
        for (Index i = 0; i < 200; ++i) {
            ASSERT_NEAR(checks::length(made.points[i]), 2.5, 1e-5);
        }
    }
}

TEST(Sphere, CoordinatesOfTheBallAreUniform) {
    // Archimedes: on the sphere in three dimensions every coordinate is uniform between -1 and 1.
    const Generated made = sphere(20000, 2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<int, 4> cells{};
        for (Index i = 0; i < 20000; ++i) {
            const double share = 0.5 * (made.points[i][axis] + 1.0);
            ++cells.at(std::min<std::size_t>(3, static_cast<std::size_t>(4.0 * share)));
        }
        for (const int cell : cells) {
            EXPECT_NEAR(cell, 5000, 310);  // five standard deviations
        }
    }
}

TEST(Sphere, TruthKeepsLengthsAndAngles) {
    const Generated made = sphere(100, 3, {.dimension = 40, .rank = 4});
    ASSERT_EQ(made.truth.dimension(), 4U);
    for (Index i = 0; i < 100; ++i) {
        for (Index j = 0; j <= i; ++j) {
            const auto dot = [](std::span<const float> a, std::span<const float> b) {
                return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
            };
            ASSERT_NEAR(dot(made.points[i], made.points[j]), dot(made.truth[i], made.truth[j]), 1e-5);
        }
    }
}

TEST(Sphere, FullRankIsARotation) {
    const Generated made = sphere(50, 4, {.dimension = 6, .rank = 6});
    for (Index i = 1; i < 50; ++i) {
        ASSERT_NEAR(checks::distance(made.points[0], made.points[i]), checks::distance(made.truth[0], made.truth[i]),
                    1e-5);
    }
}

TEST(Sphere, RefusesARankAboveTheDimension) {
    try {
        (void)sphere(5, 0, {.dimension = 3, .rank = 4});
        FAIL() << "a rank above the dimension was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "rank");
    }
}

TEST(Sphere, BasisCountsAsMemory) {
    RunContext context;
    context.memory_limit = 1000000;
    EXPECT_THROW((void)sphere(1, 0, {.dimension = 10000, .rank = 100}, context), LimitExceeded);
}

}  // namespace
}  // namespace isogon::sphere_test
