#include "quality/angles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::angles_test {

namespace {

using reference::on_threads;

constexpr double to_degrees = 180.0 / std::numbers::pi;

/// 48 points at growing distances from one direction, down to equal ones.
Points around_one_direction(Index dimension, double closest) {
    const Points noise = reference::random_points(48, dimension, 1);
    Points points(48, dimension);
    for (Index i = 0; i < 48; ++i) {
        const double distance = i < 2 ? 0.0 : closest * std::pow(1.4, i);
        for (Index k = 0; k < dimension; ++k) {
            points[i][k] = static_cast<float>(1.0 + distance * double{noise[i][k]});
        }
    }
    return points;
}

class Near : public testing::TestWithParam<std::tuple<Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Directions, Near,
                         testing::Combine(testing::Values(2, 31, 32, 33, 784), testing::Values(1e-6, 1e-3)));

TEST_P(Near, AnglesAreThoseOfFloat64) {
    const auto [dimension, closest] = GetParam();
    const Points points = around_one_direction(dimension, closest);
    const auto lengths = norms(points.view());
    const PackedPoints packed = pack_directions(points.view(), lengths, reference::every_point(48), {});
    alignas(64) std::array<float, tile_size> values{};
    multiply_panels(packed.panel(0), packed.panel(0), dimension, values.data(), tile_width);
    TileAngles angle(packed, PairTile{.rows = 48, .columns = 48}, values.data());
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 48; ++j) {
            const double expected = reference::degrees(points, i, j);
            // Directions and products are rounded to float32; wide angles are taken from the cosine alone.
            const double allowed = expected < 17.0 ? 2e-5 : (expected < 160.0 ? 2e-4 : 0.05);
            ASSERT_NEAR(angle(i, j) * to_degrees, expected, allowed) << i << ", " << j;
        }
    }
    EXPECT_EQ(angle(0, 1), 0.0);
}

TEST(TileAngles, AnOrderOfCallsThatJumpsBetweenRowsGivesTheSame) {
    const Points points = around_one_direction(10, 1e-4);
    const auto lengths = norms(points.view());
    const PackedPoints packed = pack_directions(points.view(), lengths, reference::every_point(48), {});
    alignas(64) std::array<float, tile_size> values{};
    multiply_panels(packed.panel(0), packed.panel(0), 10, values.data(), tile_width);
    TileAngles jumping(packed, PairTile{}, values.data());
    for (Index i = 0; i < 48; ++i) {
        TileAngles fresh(packed, PairTile{}, values.data());
        EXPECT_EQ(jumping(i, 47 - i), fresh(i, 47 - i));
    }
}

TEST(TileAngles, CosinesRoundedBeyondTheirBoundsAreNumbers) {
    const PackedPoints packed(48, 1);
    alignas(64) std::array<float, tile_size> values{};
    values[0] = -1.0000002F;
    values[1] = 1.0000002F;
    TileAngles angle(packed, PairTile{}, values.data());
    EXPECT_DOUBLE_EQ(angle(0, 0), std::numbers::pi);
    EXPECT_EQ(angle(0, 1), 0.0);
}

TEST(ThresholdEdge, ACosineThatIsTheThresholdIsNotAboveIt) {
    const std::array<float, 3> x{1.0F, 1.0F, 0.0F};
    const std::array<float, 3> y{1.0F, 0.0F, 1.0F};
    const std::array<float, 3> nearer{1.0F, 1e-6F, 1.0F};
    const std::array<float, 3> opposite{-1.0F, -1.0F, 0.0F};
    EXPECT_FALSE(is_above(x, y, 0.5));
    EXPECT_TRUE(is_above(x, nearer, 0.5));
    EXPECT_FALSE(is_above(x, opposite, 0.5));
    EXPECT_FALSE(is_above(x, std::array<float, 3>{}, 0.5));
}

/// Products in float32 as wrong as they may be.
TEST(ThresholdEdge, RoundingIsTakenBackAndNothingElse) {
    const Points points = reference::whole_points(40, 3, 2, 1);
    for (const bool diagonal : {false, true}) {
        alignas(64) std::array<float, tile_size> values{};
        for (Index i = 0; i < 40; ++i) {
            for (Index j = 0; j < 40; ++j) {
                values.at(i * tile_width + j) = static_cast<float>(i == j ? 0.5 : 0.5 + ((i + j) % 3 - 1.0) * 3e-7);
            }
        }
        values[1] = 0.7F;
        values[2] = 0.3F;
        const auto before = values;
        const PairTile tile{.rows = 40, .columns = 40, .diagonal = diagonal};
        settle_edge(points.view(), 0.5, tile, values.data());
        EXPECT_EQ(values[1], 0.7F);
        EXPECT_EQ(values[2], 0.3F);
        for (Index i = 0; i < 40; ++i) {
            for (Index j = i == 0 ? 3 : 0; j < tile_width; ++j) {
                const std::size_t place = i * tile_width + j;
                if (j >= 40 || (diagonal && j <= i)) {
                    EXPECT_EQ(values.at(place), before.at(place));
                } else {
                    EXPECT_EQ(values.at(place) > 0.5F, is_above(points[i], points[j], 0.5)) << i << ", " << j;
                    EXPECT_NEAR(values.at(place), before.at(place), 4e-7);
                }
            }
        }
    }
}

TEST(PairSums, WithoutAPairThereIsNoDeviationAndAPerfectIndex) {
    EXPECT_EQ(PairSums{}.mean_degrees(), 0.0);
    EXPECT_EQ(PairSums{}.jaccard(), 1.0);
}

TEST(PairSums, AreAMeanOverThoseInXAndAShareOfThoseInEither) {
    const PairSums sums{std::numbers::pi, 4, 3, 2};
    EXPECT_DOUBLE_EQ(sums.mean_degrees(), 45.0);
    EXPECT_DOUBLE_EQ(sums.jaccard(), 2.0 / 5.0);
}

TEST(PairSums, AddUp) {
    PairSums sums{1.0, 4, 3, 2};
    sums.add({0.5, 1, 2, 1});
    EXPECT_EQ(sums.deviation, 1.5);
    EXPECT_EQ(sums.in_x, 5U);
    EXPECT_EQ(sums.in_y, 5U);
    EXPECT_EQ(sums.in_both, 3U);
}

TEST(PairSums, AreOnlyInYNoLessAReasonForABadIndex) {
    const PairSums sums{0.0, 0, 3, 0};
    EXPECT_EQ(sums.mean_degrees(), 0.0);
    EXPECT_EQ(sums.jaccard(), 0.0);
}

/// Cosines of a tile whose points do not matter, being at wide angles.
TEST(AddTile, CountsPairsAboveTheThresholdAndListsThoseOfX) {
    const PackedPoints none(48, 1);
    alignas(64) std::array<float, tile_size> x{};
    alignas(64) std::array<float, tile_size> y{};
    const auto at = [](std::size_t i, std::size_t j) { return i * tile_width + j; };
    x[at(0, 47)] = y[at(0, 47)] = 0.75F;  // in both, at equal angles
    x[at(47, 0)] = 0.75F;                 // in x alone, a right angle in y
    y[at(20, 20)] = 0.75F;                // in y alone
    x[at(5, 5)] = y[at(5, 5)] = 0.5F;     // at the threshold is not above it
    TileAngles x_angle(none, PairTile{}, x.data());
    TileAngles y_angle(none, PairTile{}, y.data());
    PairSums sums{10.0, 100, 200, 50};
    TileEntries hits;
    add_tile(x_angle, y_angle, 0.5F, sums, hits);
    EXPECT_EQ(sums.in_x, 102U);
    EXPECT_EQ(sums.in_y, 202U);
    EXPECT_EQ(sums.in_both, 51U);
    EXPECT_NEAR(sums.deviation, 10.0 + std::asin(0.75), 1e-12);
    ASSERT_EQ(hits.count, 2U);
    EXPECT_EQ(hits.places[0], 47U);
    EXPECT_EQ(hits.places[1], 47U << tile_place_shift);
    EXPECT_EQ(hits.values[0], 0.0F);
    EXPECT_NEAR(hits.values[1], std::asin(0.75), 1e-6);
}

PackedPoints directions(const Points& points) {
    return pack_directions(points.view(), norms(points.view()), reference::every_point(points.count()), {});
}

PointAngles of_points(const Points& x, const Points& y, double threshold, int threads = 2) {
    PointAngles points;
    static_cast<void>(
        compare_angles({x.view(), directions(x)}, {y.view(), directions(y)}, threshold, on_threads(threads), &points));
    return points;
}

AngleScore compare(const Points& x, const Points& y, double threshold, int threads = 2) {
    return compare_angles({x.view(), directions(x)}, {y.view(), directions(y)}, threshold, on_threads(threads));
}

TEST(Angles, CosinesThatAreTheThresholdAreNotAboveIt) {
    // Corners of a cube: cosines of 1/2 and 2/3 between some, and of 0.5 as float32 may have it between others.
    Points x(60, 7);
    for (Index i = 0; i < 60; ++i) {
        for (Index k = 0; k < 7; ++k) {
            x[i][k] = static_cast<float>((i * 37U + 11U) >> k & 1U);
        }
    }
    const AngleScore score = compare(x, x, 0.5);
    std::uint64_t above = 0;
    for (Index i = 0; i < 60; ++i) {
        for (Index j = 0; j < 60; ++j) {
            int common = 0;
            int ones_i = 0;
            int ones_j = 0;
            for (Index k = 0; k < 7; ++k) {
                common += x[i][k] * x[j][k] > 0.0F ? 1 : 0;
                ones_i += x[i][k] > 0.0F ? 1 : 0;
                ones_j += x[j][k] > 0.0F ? 1 : 0;
            }
            above += i != j && 4 * common * common > ones_i * ones_j ? 1U : 0U;
        }
    }
    EXPECT_DOUBLE_EQ(score.sparsity, 1.0 - static_cast<double>(above) / (60.0 * 59.0));
}

/// Clear of all cosines of both sides.
double clear_threshold(const Points& x, const Points& y, double requested) {
    std::vector<double> cosines;
    for (const Points* points : {&x, &y}) {
        for (Index i = 0; i < points->count(); ++i) {
            for (Index j = 0; j < i; ++j) {
                cosines.push_back(reference::cosine(*points, i, j));
            }
        }
    }
    return reference::clear_threshold(std::move(cosines), requested);
}

void expect_agreement(const Points& x, const Points& y, double requested) {
    const double threshold = clear_threshold(x, y, requested);
    const AngleScore score = compare(x, y, threshold);
    const auto expected = reference::angles(x, y, threshold);
    EXPECT_NEAR(score.mean_deviation_degrees, expected.deviation, 2e-4);
    EXPECT_DOUBLE_EQ(score.jaccard, expected.jaccard);
    EXPECT_DOUBLE_EQ(score.sparsity, expected.sparsity);
    EXPECT_EQ(score.isolated, expected.isolated);
}

class AnglesOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, AnglesOf,
                         testing::Combine(testing::Values(2, 3, 47, 48, 49, 97, 200),
                                          testing::Values(1, 2, 3, 16, 17, 64, 130)));

TEST_P(AnglesOf, RandomPointsAgreeWithTheDefinition) {
    const auto [count, dimension] = GetParam();
    const Points x = reference::random_points(count, dimension, 1, 0.3);
    for (const double threshold : {0.05, 0.3, 0.7}) {
        expect_agreement(x, reference::truncated(x, dimension / 2 + 1), threshold);
        expect_agreement(x, reference::random_points(count, 2, 2, 0.3), threshold);
    }
}

TEST_P(AnglesOf, AwkwardPointsAgreeWithTheDefinition) {
    const auto [count, dimension] = GetParam();
    const Points x = reference::awkward_points(count, dimension, 3);
    const Points y = reference::awkward_points(count, 3, 4);
    for (const double threshold : {0.05, 0.3, 0.7}) {
        expect_agreement(x, reference::truncated(x, dimension / 2 + 1), threshold);
        expect_agreement(x, y, threshold);
        expect_agreement(y, x, threshold);
    }
}

TEST(Angles, AZeroVectorOfOneSideCountsOnTheOtherAlone) {
    const Points x = reference::awkward_points(100, 6, 8);
    const Points y = reference::reordered(reference::awkward_points(100, 4, 9), reference::shuffled(100, 10));
    for (const double threshold : {0.05, 0.5, 0.99}) {
        expect_agreement(x, y, threshold);
        expect_agreement(y, x, threshold);
    }
}

TEST(Angles, EqualPointsAllLieAboveAnyThreshold) {
    const Points x = reference::equal_points(60, 5);
    const AngleScore score = compare(x, x, 0.999);
    EXPECT_EQ(score.sparsity, 0.0);
    EXPECT_EQ(score.jaccard, 1.0);
    EXPECT_EQ(score.mean_deviation_degrees, 0.0);
    EXPECT_EQ(score.isolated, 0U);
}

TEST(Angles, NothingAtAllIsNoDeviationAndAPerfectIndex) {
    const Points zeros(50, 3);
    const AngleScore score = compare(zeros, zeros, 0.5);
    EXPECT_EQ(score.mean_deviation_degrees, 0.0);
    EXPECT_EQ(score.jaccard, 1.0);
    EXPECT_EQ(score.sparsity, 1.0);
    EXPECT_EQ(score.isolated, 0U);
}

TEST(Angles, ADeviationIsTheAngleByWhichYIsTurned) {
    // Two directions 20 degrees apart in x and 50 in y: over 2 ordered pairs and the diagonal of 2, 15 degrees.
    const auto pair = [](double degrees) {
        const double angle = degrees * std::numbers::pi / 180.0;
        Points points(2, 2);
        points[0][0] = 1.0F;
        points[1][0] = static_cast<float>(std::cos(angle));
        points[1][1] = static_cast<float>(std::sin(angle));
        return points;
    };
    EXPECT_NEAR(compare(pair(20.0), pair(50.0), 0.5).mean_deviation_degrees, 15.0, 1e-5);
    EXPECT_EQ(compare(pair(20.0), pair(50.0), 0.5).jaccard, 1.0);
    EXPECT_EQ(compare(pair(20.0), pair(70.0), 0.5).jaccard, 0.5);
    EXPECT_EQ(compare(pair(70.0), pair(20.0), 0.5).jaccard, 0.5);
    EXPECT_EQ(compare(pair(70.0), pair(20.0), 0.5).mean_deviation_degrees, 0.0);
}

TEST(Angles, SmallDeviationsOfNearPointsAreSeen) {
    // All pairs lie within 2 degrees, where a float32 cosine is off by up to 0.02 degrees.
    const Points noise = reference::random_points(200, 50, 5);
    Points x(200, 50);
    Points y(200, 50);
    for (Index i = 0; i < 200; ++i) {
        for (Index k = 0; k < 50; ++k) {
            x[i][k] = 1.0F + 0.02F * noise[i][k];
            y[i][k] = 1.0F + 0.0201F * noise[i][k];
        }
    }
    const double expected = reference::angles(x, y, 0.5).deviation;
    EXPECT_GT(expected, 1e-3);
    EXPECT_NEAR(compare(x, y, 0.5).mean_deviation_degrees, expected, 1e-5);
}

TEST(Angles, TurningAndReflectingYChangesNothing) {
    const Points x = reference::random_points(150, 6, 6, 0.3);
    Points turned = x;
    for (Index i = 0; i < 150; ++i) {
        for (Index k = 0; k < 6; k += 2) {
            turned[i][k] = 0.6F * x[i][k] - 0.8F * x[i][k + 1];
            turned[i][k + 1] = -0.8F * x[i][k] - 0.6F * x[i][k + 1];
        }
    }
    EXPECT_LT(compare(x, turned, 0.3).mean_deviation_degrees, 1e-4);
    EXPECT_NEAR(compare(x, turned, 0.3).jaccard, 1.0, 1e-3);
}

TEST(Angles, EachPointHasTheMeanOverItsOwnPairs) {
    const Points x = reference::awkward_points(150, 6, 11);
    const Points y = reference::truncated(x, 3);
    const double threshold = clear_threshold(x, y, 0.5);
    const PointAngles points = of_points(x, y, threshold);
    ASSERT_EQ(points.pairs.size(), 150U);
    for (Index i = 0; i < 150; ++i) {
        double sum = 0.0;
        std::uint64_t pairs = 0;
        for (Index j = 0; j < 150; ++j) {
            if (j != i && reference::cosine(x, i, j) > threshold) {
                sum += std::abs(reference::degrees(x, i, j) - reference::degrees(y, i, j));
                ++pairs;
            }
        }
        EXPECT_EQ(points.pairs[i], pairs) << i;
        EXPECT_NEAR(points.deviation_degrees[i], pairs == 0 ? 0.0 : sum / static_cast<double>(pairs), 1e-3) << i;
    }
}

TEST(Angles, WhatBelongsToPointsHasTheSameBitsForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(900, 10, 12);
    const Points y = reference::truncated(x, 3);
    const PointAngles one = of_points(x, y, 0.5, 1);
    const PointAngles three = of_points(x, y, 0.5, 3);
    EXPECT_EQ(one.deviation_degrees, three.deviation_degrees);
    EXPECT_EQ(one.pairs, three.pairs);
}

TEST(Angles, TheSameBitsForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(900, 10, 7);
    const Points y = reference::truncated(x, 3);
    const AngleScore one = compare(x, y, 0.5, 1);
    EXPECT_GT(one.mean_deviation_degrees, 0.0);
    for (const int threads : {2, 3}) {
        const AngleScore other = compare(x, y, 0.5, threads);
        EXPECT_EQ(one.mean_deviation_degrees, other.mean_deviation_degrees);
        EXPECT_EQ(one.jaccard, other.jaccard);
        EXPECT_EQ(one.sparsity, other.sparsity);
        EXPECT_EQ(one.isolated, other.isolated);
    }
}

}  // namespace

}  // namespace isogon::angles_test
