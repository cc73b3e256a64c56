#include "isogon/pairs/angle_sample.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"
#include "support/distributed_copy.hpp"

namespace isogon::angle_sample_test {
namespace {

using reference::on_threads;

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

TEST(SampleAngles, IsTheSameBitsForAnyNumberOfThreads) {
    const Points points = reference::awkward_points(500, 20, 3);
    const AngleSample one = sample_angles(points.view(), 200, 7, on_threads(1));
    for (const int threads : {2, 3}) {
        const AngleSample other = sample_angles(points.view(), 200, 7, on_threads(threads));
        EXPECT_EQ(one.bins, other.bins);
        EXPECT_EQ(one.nearest, other.nearest);
    }
}

TEST(SampleAngles, RefusesDataWithoutAngles) {
    const auto message = [](const Points& points) -> std::string {
        try {
            static_cast<void>(sample_angles(points.view(), 10, 0, {}));
        } catch (const InputError& error) {
            return error.what();
        }
        return "not refused";
    };
    EXPECT_NE(message(Points()).find("0 of 0 are not zero vectors"), std::string::npos);
    Points points(5, 2);
    EXPECT_NE(message(points).find("0 of 5 are not zero vectors"), std::string::npos);
    points[3][1] = 1.0F;
    EXPECT_NE(message(points).find("1 of 5 are not zero vectors"), std::string::npos);
    points[4][0] = -1.0F;
    EXPECT_EQ(message(points), "not refused");
    points[4][0] = std::numeric_limits<float>::infinity();
    EXPECT_NE(message(points).find("row 4, column 0"), std::string::npos);
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
        const AngleSample whole = sample_angles(x.view(), 50, 7, on_threads(1));
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
}  // namespace isogon::angle_sample_test
