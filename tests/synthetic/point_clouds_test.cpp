#include "synthetic/point_clouds.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "generator_checks.hpp"

namespace isogon::point_clouds_test {

namespace {

Generated blobs(Index count, std::uint64_t seed, const BlobsOptions& options, const RunContext& context = {}) {
    return make_points(blobs_maker(seed, options, context), 0, count, context);
}

Generated arcs(Index count, std::uint64_t seed, const ArcsOptions& options) {
    return make_points(arcs_maker(seed, options, {}), 0, count, {});
}

Generated sphere(Index count, std::uint64_t seed, const SphereOptions& options = {}, const RunContext& context = {}) {
    return make_points(sphere_maker(seed, options, context), 0, count, context);
}

/// Mean of every class, one after the other.
std::vector<std::vector<float>> means(const Generated& made, int classes) {
    std::vector<std::vector<float>> sums(static_cast<std::size_t>(classes),
                                         std::vector<float>(made.points.dimension()));
    std::vector<int> counts(sums.size());
    for (Index i = 0; i < made.points.count(); ++i) {
        const auto label = static_cast<std::size_t>(made.labels[i]);
        ++counts.at(label);
        for (Index k = 0; k < made.points.dimension(); ++k) {
            sums[label][k] += made.points[i][k];
        }
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
        for (float& value : sums[c]) {
            value /= static_cast<float>(counts[c]);
        }
    }
    return sums;
}

TEST(Blobs, LabelsAreRoughlyUniform) {
    const Generated made = blobs(20000, 1, {.classes = 4, .dimension = 2});
    for (std::int64_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(static_cast<double>(std::ranges::count(made.labels, c)), 5000, 310);  // five standard deviations
    }
}

TEST(Blobs, SpreadIsTheDeviationAboutTheCentre) {
    const BlobsOptions options{.classes = 3, .dimension = 8, .spread = 2.5};
    const Generated made = blobs(6000, 2, options);
    const auto centres = means(made, 3);
    double sum = 0.0;
    for (Index i = 0; i < 6000; ++i) {
        sum += std::pow(checks::distance(made.points[i], centres[static_cast<std::size_t>(made.labels[i])]), 2);
    }
    EXPECT_NEAR(std::sqrt(sum / (6000 * 8)), 2.5, 0.05);
}

TEST(Blobs, SeparationIsTheDistanceOfCentres) {
    const Generated made = blobs(2000, 3, {.classes = 100, .dimension = 50, .spread = 0.0, .separation = 7.0});
    const auto centres = means(made, 100);
    double sum = 0.0;
    int pairs = 0;
    for (std::size_t a = 0; a < centres.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            sum += std::pow(checks::distance(centres[a], centres[b]), 2);
            ++pairs;
        }
    }
    EXPECT_NEAR(std::sqrt(sum / pairs), 7.0, 0.3);
}

TEST(Blobs, CentresCountAsMemory) {
    RunContext context;
    context.memory_limit = 1000000;
    EXPECT_THROW((void)blobs(1, 0, {.classes = 10000, .dimension = 100}, context), LimitExceeded);
}

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
    const auto dot = [](std::span<const float> a, std::span<const float> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    for (const SphereOptions& options : {SphereOptions{.dimension = 40, .rank = 4}, {.dimension = 6, .rank = 6}}) {
        const Generated made = sphere(100, 3, options);
        ASSERT_EQ(made.truth.dimension(), static_cast<Index>(options.rank));
        for (Index i = 0; i < 100; ++i) {
            for (Index j = 0; j <= i; ++j) {
                ASSERT_NEAR(dot(made.points[i], made.points[j]), dot(made.truth[i], made.truth[j]), 1e-5);
            }
        }
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

}  // namespace isogon::point_clouds_test
