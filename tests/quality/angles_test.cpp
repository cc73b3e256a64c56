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
    TileAngles angle(packed, packed, PairTile{.rows = 48, .columns = 48}, values.data());
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
    TileAngles jumping(packed, packed, PairTile{}, values.data());
    for (Index i = 0; i < 48; ++i) {
        TileAngles fresh(packed, packed, PairTile{}, values.data());
        EXPECT_EQ(jumping(i, 47 - i), fresh(i, 47 - i));
    }
}

TEST(TileAngles, CosinesRoundedBeyondTheirBoundsAreNumbers) {
    const PackedPoints packed(48, 1);
    alignas(64) std::array<float, tile_size> values{};
    values[0] = -1.0000002F;
    values[1] = 1.0000002F;
    TileAngles angle(packed, packed, PairTile{}, values.data());
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

TEST(PairSums, AreAMeanOverThoseInXAndAShareOfThoseInEither) {
    PairSums sums;
    EXPECT_EQ(sums.mean_degrees(), 0.0);
    EXPECT_EQ(sums.jaccard(), 1.0);
    sums.add({0.0, 0, 3, 0});
    EXPECT_EQ(sums.mean_degrees(), 0.0);
    EXPECT_EQ(sums.jaccard(), 0.0);
    sums.add({std::numbers::pi, 4, 0, 2});
    EXPECT_DOUBLE_EQ(sums.mean_degrees(), 45.0);
    EXPECT_DOUBLE_EQ(sums.jaccard(), 2.0 / 5.0);
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
    TileAngles x_angle(none, none, PairTile{}, x.data());
    TileAngles y_angle(none, none, PairTile{}, y.data());
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

AngleScore compare(const Points& x, const Points& y, double threshold, const std::vector<Index>& rows = {},
                   int threads = 2, PointAngles* points = nullptr) {
    return compare_angles({{x.view(), directions(x)}, {y.view(), directions(y)}, threshold, rows}, on_threads(threads),
                          points);
}

std::vector<Index> every_third(Index count) {
    std::vector<Index> rows = reference::every_point(count);
    std::erase_if(rows, [](Index row) { return row % 3 != 1; });
    return rows;
}

TEST(Angles, CosinesThatAreTheThresholdAreNotAboveIt) {
    // Corners of a cube: cosines of 1/2 and 2/3 between some, and of 0.5 as float32 may have it between others.
    const Points x = reference::whole_points(60, 7, 1, 5);
    for (const auto& rows : {reference::every_point(60), every_third(60)}) {
        double above = 0.0;
        for (const Index i : rows) {
            for (Index j = 0; j < 60; ++j) {
                const double product = reference::dot(x, i, j);
                above += i != j && 4.0 * product * product > reference::dot(x, i, i) * reference::dot(x, j, j) ? 1 : 0;
            }
        }
        const double pairs = static_cast<double>(rows.size()) * 59.0;
        EXPECT_DOUBLE_EQ(compare(x, x, 0.5, rows.size() == 60 ? std::vector<Index>{} : rows).sparsity,
                         1.0 - above / pairs);
    }
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

/// Over all pairs, and over those of some rows with all points.
void expect_agreement(const Points& x, const Points& y, double requested) {
    const double threshold = clear_threshold(x, y, requested);
    for (const auto& rows : {std::vector<Index>{}, every_third(x.count())}) {
        const AngleScore score = compare(x, y, threshold, rows);
        const auto expected = reference::angles(x, y, threshold, rows);
        // Opposite points are 0.03 degrees off; of few pairs that is more in the mean.
        EXPECT_NEAR(score.mean_deviation_degrees, expected.deviation, rows.empty() ? 2e-4 : 1e-3);
        EXPECT_DOUBLE_EQ(score.jaccard, expected.jaccard);
        EXPECT_NEAR(score.mean_without_self_degrees, expected.deviation_without_self, 1e-3);
        EXPECT_DOUBLE_EQ(score.jaccard_without_self, expected.jaccard_without_self);
        EXPECT_DOUBLE_EQ(score.sparsity, expected.sparsity);
        EXPECT_EQ(score.isolated, expected.isolated);
    }
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

TEST(Angles, EqualPointsLieAboveAnyThresholdAndZeroVectorsAboveNone) {
    for (const Points& x : {reference::equal_points(60, 5), Points(50, 3)}) {
        expect_agreement(x, x, 0.5);
        EXPECT_EQ(compare(x, x, 0.999).mean_deviation_degrees, 0.0);
    }
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

TEST(Angles, EachPointHasTheMeanOverItsOwnPairs) {
    const Points x = reference::awkward_points(150, 6, 11);
    const Points y = reference::truncated(x, 3);
    const double threshold = clear_threshold(x, y, 0.5);
    PointAngles points;
    static_cast<void>(compare(x, y, threshold, {}, 2, &points));
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

TEST(Angles, TheSameBitsForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(900, 10, 7);
    const Points y = reference::truncated(x, 3);
    for (const auto& rows : {std::vector<Index>{}, every_third(900)}) {
        PointAngles of_one;
        const AngleScore one = compare(x, y, 0.5, rows, 1, &of_one);
        EXPECT_GT(one.mean_deviation_degrees, 0.0);
        for (const int threads : {2, 3}) {
            PointAngles of_other;
            const AngleScore other = compare(x, y, 0.5, rows, threads, &of_other);
            EXPECT_EQ(one.mean_deviation_degrees, other.mean_deviation_degrees);
            EXPECT_EQ(one.jaccard, other.jaccard);
            EXPECT_EQ(one.sparsity, other.sparsity);
            EXPECT_EQ(one.isolated, other.isolated);
            EXPECT_EQ(of_one.deviation_degrees, of_other.deviation_degrees);
            EXPECT_EQ(of_one.pairs, of_other.pairs);
        }
    }
}

}  // namespace

}  // namespace isogon::angles_test
