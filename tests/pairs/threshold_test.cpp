#include "pairs/threshold.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"
#include "support/distributed_copy.hpp"
#include "support/messages.hpp"

namespace isogon::threshold_test {

namespace {

using reference::on_threads;
using reference::random_points;
using support::says;

double share_above(const Points& points, double threshold) {
    double above = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = 0; j < points.count(); ++j) {
            above += i != j && reference::cosine(points, i, j) > threshold;
        }
    }
    return above / (double(points.count()) * (points.count() - 1.0));
}

/// A whole circle of directions: cosines of multiples of the angle between two neighbours.
Points circle(Index count, double degrees_apart) {
    Points points(count, 2);
    for (Index i = 0; i < count; ++i) {
        const double angle = i * degrees_apart * std::numbers::pi / 180.0;
        points[i][0] = static_cast<float>(std::cos(angle));
        points[i][1] = static_cast<float>(std::sin(angle));
    }
    return points;
}

template <class Expected>
std::string refusal(const Points& points, const ThresholdOptions& options = {}) {
    return support::message_of<Expected>([&] { static_cast<void>(choose_threshold(points.view(), options)); });
}

class Sparsity : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Shares, Sparsity, testing::Values(0.6, 0.8, 0.95, 0.99, 0.999));

TEST_P(Sparsity, IsReachedAndNotByMuch) {
    const Points points = random_points(300, 10, 1);
    const double sparsity = GetParam();
    const auto chosen = choose_threshold(points.view(), {.sparsity = sparsity, .isolated = 1.0});
    EXPECT_NEAR(chosen.sparsity, 1.0 - share_above(points, chosen.threshold), 1e-4);
    EXPECT_GE(chosen.sparsity, sparsity);
    const double one_bin_less = chosen.threshold - 0x1.0p-16;
    EXPECT_LT(1.0 - share_above(points, one_bin_less), sparsity);
    EXPECT_NEAR(std::cos(chosen.threshold_degrees * std::numbers::pi / 180.0), chosen.threshold, 1e-12);
    EXPECT_EQ(chosen.advised_threshold, chosen.threshold);
}

TEST_P(Sparsity, DescribingTheChosenThresholdGivesTheSame) {
    const Points points = random_points(300, 10, 2);
    const ThresholdOptions options{.sparsity = GetParam(), .isolated = 1.0, .sample = 100, .seed = 3};
    const auto chosen = choose_threshold(points.view(), options);
    const auto described = describe_threshold(points.view(), chosen.threshold, options);
    EXPECT_EQ(described.sparsity, chosen.sparsity);
    EXPECT_EQ(described.isolated_share, chosen.isolated_share);
    EXPECT_EQ(described.all, chosen.all);
    EXPECT_EQ(described.nearest, chosen.nearest);
    EXPECT_EQ(described.advised_threshold, chosen.threshold);
}

TEST(Threshold, HistogramsCountDegrees) {
    const Points points = circle(12, 30.0);
    const auto angles = describe_threshold(points.view(), 0.8, {});
    EXPECT_EQ(angles.bin_degrees, 1.0);
    ASSERT_EQ(angles.all.size(), 180U);
    ASSERT_EQ(angles.nearest.size(), 180U);
    EXPECT_NEAR(std::accumulate(angles.all.begin(), angles.all.end(), 0.0), 1.0, 1e-12);
    // Rounding puts a whole number of degrees into either of two bins.
    EXPECT_NEAR(angles.nearest[29] + angles.nearest[30], 1.0, 1e-12);
    for (const std::size_t degrees : {30, 60, 90, 120, 150}) {
        EXPECT_NEAR(angles.all[degrees - 1] + angles.all[degrees], 2.0 / 11.0, 1e-12) << degrees;
    }
    EXPECT_NEAR(angles.all[179], 1.0 / 11.0, 1e-12);
    EXPECT_NEAR(angles.sparsity, 9.0 / 11.0, 1e-12);
    EXPECT_EQ(angles.isolated_share, 0.0);
    EXPECT_NEAR(describe_threshold(points.view(), 0.9, {}).isolated_share, 1.0, 1e-12);
}

TEST(Threshold, ZeroVectorsTakeNoPart) {
    const Points points = random_points(100, 6, 4);
    Points more(140, 6);
    for (Index i = 0; i < 100; ++i) {
        std::copy(points[i].begin(), points[i].end(), more[i + i / 5 * 2].begin());
    }
    const auto without = choose_threshold(points.view());
    const auto with = choose_threshold(more.view());
    EXPECT_EQ(with.zero_vectors, 40U);
    EXPECT_EQ(with.sampled_rows, 100U);
    EXPECT_EQ(with.threshold, without.threshold);
    EXPECT_EQ(with.all, without.all);
}

TEST(Threshold, LengthsDoNotMatter) {
    const Points points = random_points(100, 6, 5);
    EXPECT_EQ(choose_threshold(points.view()).threshold,
              choose_threshold(reference::scaled(points, 0x1.0p-100F).view()).threshold);
}

TEST(Threshold, RefusesPointsOfOneDirection) {
    EXPECT_TRUE(says(refusal<InputError>(reference::equal_points(10, 3)), "all points have the same direction"));
    Points ray = reference::equal_points(10, 3);
    for (Index i = 0; i < 10; ++i) {
        for (float& value : ray[i]) {
            value *= static_cast<float>(i + 1);
        }
    }
    EXPECT_TRUE(says(refusal<InputError>(ray), "all points have the same direction"));
}

TEST(Threshold, RefusesPointsAllAtRightAnglesOrMore) {
    EXPECT_TRUE(says(refusal<InputError>(circle(4, 90.0)), "no two points are less than 90 degrees apart"));
    Points opposite(2, 1);
    opposite[0][0] = 1.0F;
    opposite[1][0] = -1.0F;
    EXPECT_TRUE(says(refusal<InputError>(opposite), "no two points are less than 90 degrees apart"));
}

/// The number that follows `words` in a message.
double number_after(const std::string& message, const std::string& words) {
    const auto place = message.find(words);
    return place == std::string::npos ? -1.0 : std::stod(message.substr(place + words.size()));
}

TEST(Threshold, NamesASparsityThatServesWhenAnglesAreTooWide) {
    const Points points = random_points(200, 8, 7);
    const double bound = number_after(refusal<InvalidArgument>(points, {.sparsity = 0.2}), "must be above ");
    EXPECT_NEAR(bound, 0.5, 0.05);
    EXPECT_EQ(refusal<InvalidArgument>(points, {.sparsity = bound + 1e-4}), "");
}

TEST(Threshold, NamesASparsityThatServesWhenTooManyPointsAreEqual) {
    Points points = random_points(100, 8, 8);
    for (Index i = 0; i < 40; ++i) {
        std::copy(points[40].begin(), points[40].end(), points[i].begin());
    }
    const double bound =
        number_after(refusal<InvalidArgument>(points, {.sparsity = 0.99, .isolated = 1.0}), "must be at most ");
    EXPECT_GT(bound, 0.8);
    EXPECT_EQ(refusal<InvalidArgument>(points, {.sparsity = bound, .isolated = 1.0}), "");
    EXPECT_EQ(describe_threshold(points.view(), 0.5, {.sparsity = 0.99, .isolated = 1.0}).advised_threshold, 0.0);
}

TEST(Threshold, RefusesOptionsOutOfBounds) {
    const Points points = random_points(20, 3, 9);
    for (const double sparsity : {0.0, 1.0, -1.0, std::nan("")}) {
        EXPECT_TRUE(says(refusal<InvalidArgument>(points, {.sparsity = sparsity}), "sparsity"));
    }
    EXPECT_TRUE(says(refusal<InvalidArgument>(points, {.sample = 0}), "sample"));
    for (const double threshold : {0.0, 1.0, -0.5, std::nan("")}) {
        EXPECT_THROW(static_cast<void>(describe_threshold(points.view(), threshold)), InvalidArgument);
    }
}

TEST(Threshold, TwoPointsAreEnough) {
    const auto points = circle(2, 40.0);
    const auto apart = choose_threshold(points.view(), {.isolated = 1.0});
    EXPECT_NEAR(apart.threshold, std::cos(40.0 * std::numbers::pi / 180.0), 1e-5);
    EXPECT_EQ(apart.sparsity, 1.0);
    EXPECT_EQ(apart.isolated_share, 1.0);
    // By default no such share may be isolated: the threshold drops just below the one cosine there is.
    const auto chosen = choose_threshold(points.view());
    EXPECT_NEAR(chosen.threshold, apart.threshold, 1e-4);
    EXPECT_EQ(chosen.isolated_share, 0.0);
}

TEST(Threshold, LeavesAtMostTheWishedShareIsolated) {
    const Points points = random_points(80, 10, 11);  // 1% of pairs: less than one neighbour for each point
    EXPECT_GT(choose_threshold(points.view(), {.isolated = 1.0}).isolated_share, 0.3);
    for (const double share : {0.0, 0.1, 0.25}) {
        const auto chosen = choose_threshold(points.view(), {.isolated = share});
        EXPECT_LE(chosen.isolated_share, share + 1e-9);
        EXPECT_GT(chosen.isolated_share, share - 0.03);
        EXPECT_LT(chosen.sparsity, 0.99);
    }
}

TEST(Threshold, IsNotLoweredWhereNoThresholdHelps) {
    // A cluster of 20 and 60 points at right angles to everything.
    Points points(80, 80);
    for (Index i = 0; i < 80; ++i) {
        points[i][i < 20 ? 0 : i] = 1.0F;
        points[i][i] += i < 20 ? 0.3F : 0.0F;
    }
    EXPECT_GT(choose_threshold(points.view(), {.sparsity = 0.99}).threshold, 0.1);
}

TEST(ThresholdOptions, TheTableReachesEveryField) {
    const auto options = threshold_option_table().make(
        {{"sparsity", 0.5}, {"isolated", 0.5}, {"sample", std::int64_t{3}}, {"seed", std::int64_t{4}}});
    EXPECT_EQ(options.sparsity, 0.5);
    EXPECT_EQ(options.isolated, 0.5);
    EXPECT_EQ(options.sample, 3);
    EXPECT_EQ(options.seed, 4U);
}

TEST(AngleSampleBins, EveryCosineIsInTheBinThatEndsAtOrAboveIt) {
    EXPECT_EQ(AngleSample::bin(-1.0F), 0U);
    EXPECT_EQ(AngleSample::bin(-1.0001F), 0U);
    EXPECT_EQ(AngleSample::edge(AngleSample::bin(0.0F)), 0.0);
    EXPECT_EQ(AngleSample::edge(AngleSample::bin(1.0F)), 1.0);
    EXPECT_EQ(AngleSample::bin(1.0001F), AngleSample::bin(1.0F));
    Random random(1, RandomStream::Test, 0);
    for (int draw = 0; draw < 10000; ++draw) {
        const auto cosine = static_cast<float>(random.uniform(-1.0, 1.0));
        const double edge = AngleSample::edge(AngleSample::bin(cosine));
        ASSERT_LE(double{cosine}, edge);
        ASSERT_GT(double{cosine}, edge - AngleSample::bin_width);
        ASSERT_EQ(edge, double{static_cast<float>(edge)});  // exact in float32
    }
}

class SampleFrom : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, SampleFrom,
                         testing::Combine(testing::Values(3, 47, 48, 49, 97, 200), testing::Values(1, 2, 3, 64, 130)));

TEST_P(SampleFrom, CountsAllPairsOfPointsThatAreNotZero) {
    const auto [count, dimension] = GetParam();
    const Points points = reference::awkward_points(count, dimension, 1);
    const AngleSample sample = sample_angles(points.view(), count, 0, on_threads(2));
    std::vector<std::int64_t> expected(sample.bins.size());
    std::uint64_t pairs = 0;
    Index zeros = 0;
    std::size_t row = 0;
    for (Index i = 0; i < count; ++i) {
        if (reference::is_zero(points, i)) {
            ++zeros;
            continue;
        }
        double nearest = -1.0;
        for (Index j = 0; j < count; ++j) {
            if (j != i && !reference::is_zero(points, j)) {
                const double cosine = reference::cosine(points, i, j);
                ++expected[AngleSample::bin(static_cast<float>(cosine))];
                nearest = std::max(nearest, cosine);
                ++pairs;
            }
        }
        ASSERT_NEAR(double{sample.nearest.at(row)}, nearest, 1e-6);
        ++row;
    }
    EXPECT_EQ(sample.nearest.size(), row);
    EXPECT_EQ(sample.pairs, pairs);
    EXPECT_EQ(sample.zero_vectors, zeros);
    EXPECT_EQ(std::accumulate(sample.bins.begin(), sample.bins.end(), std::uint64_t{0}), pairs);
    // Rounding may move a cosine over an edge, so sums up to an edge may differ by what lies beside it.
    std::int64_t sum = 0;
    std::int64_t expected_sum = 0;
    for (std::size_t b = 0; b < expected.size(); ++b) {
        sum += static_cast<std::int64_t>(sample.bins[b]);
        expected_sum += expected[b];
        const std::int64_t beside = expected[b] + (b + 1 < expected.size() ? expected[b + 1] : 0);
        ASSERT_LE(std::abs(sum - expected_sum), beside) << "bin " << b;
    }
}

TEST(SampleAngles, TakesAsManyRowsAsAskedFor) {
    const Points points = reference::awkward_points(300, 5, 2);
    EXPECT_EQ(sample_angles(points.view(), 40, 0, {}).nearest.size(), 40U);
    EXPECT_EQ(sample_angles(points.view(), 40, 0, {}).pairs, 40U * 250U);  // 50 zero vectors, less itself, of 300
    EXPECT_NE(sample_angles(points.view(), 40, 0, {}).nearest, sample_angles(points.view(), 40, 1, {}).nearest);
}

TEST(SampleAngles, RefusesDataWithoutAngles) {
    const auto message = [](const Points& points) {
        return support::message_of<InputError>([&] { static_cast<void>(sample_angles(points.view(), 10, 0, {})); });
    };
    EXPECT_TRUE(says(message(Points()), "0 of 0 are not zero vectors"));
    Points points(5, 2);
    EXPECT_TRUE(says(message(points), "0 of 5 are not zero vectors"));
    points[3][1] = 1.0F;
    EXPECT_TRUE(says(message(points), "1 of 5 are not zero vectors"));
    points[4][0] = -1.0F;
    EXPECT_EQ(message(points), "");
    points[4][0] = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(says(message(points), "row 4, column 0"));
}

TEST(SampleAngles, KeepsToTheLimitsOfItsContext) {
    const Points points = reference::random_points(100, 10, 4);
    RunContext context = on_threads(1);
    context.memory_limit = 1000;
    EXPECT_THROW(static_cast<void>(sample_angles(points.view(), 10, 0, context)), LimitExceeded);
    context.memory_limit.reset();
    context.limit_seconds(0.0);
    EXPECT_THROW(static_cast<void>(sample_angles(points.view(), 10, 0, context)), Interruption);
}

TEST(AngleSample, IsTheSameOnRanksThatCompareItWithTheirOwnPoints) {
    for (const Index count : {60U, 700U}) {
        Points x = reference::random_points(count, 4, 6);
        std::fill(x[0].begin(), x[0].end(), 0.0F);
        std::fill(x[count / 2].begin(), x[count / 2].end(), 0.0F);
        const AngleSample whole = sample_angles(x.view(), 50, 7, on_threads(3));
        for (const std::size_t ranks : {2U, 3U, 5U}) {
            support::on_ranks(ranks, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
                const AngleSample own = sample_angles(points, 50, 7, context);
                EXPECT_EQ(own.bins, whole.bins);
                EXPECT_EQ(own.nearest, whole.nearest);
                EXPECT_EQ(own.pairs, whole.pairs);
                EXPECT_EQ(own.zero_vectors, 2U);
            });
        }
    }
}

}  // namespace

}  // namespace isogon::threshold_test
