#include "quality/angles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::angles_test {
namespace {

using reference::on_threads;

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
double clear_threshold(const Points& x, const Points& y, double wished) {
    std::vector<double> cosines;
    for (const Points* points : {&x, &y}) {
        for (Index i = 0; i < points->count(); ++i) {
            for (Index j = 0; j < i; ++j) {
                cosines.push_back(reference::cosine(*points, i, j));
            }
        }
    }
    return reference::clear_threshold(std::move(cosines), wished);
}

void expect_agreement(const Points& x, const Points& y, double wished) {
    const double threshold = clear_threshold(x, y, wished);
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
