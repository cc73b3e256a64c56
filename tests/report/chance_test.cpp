#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "report/measures.hpp"

namespace isogon::chance_test {

namespace {

TEST(ChanceOf, SharesOfNearPairsMeetAsIndependentOnesDo) {
    // A tenth of the pairs in the inputs, a half in the coordinates: 0.05 in both, 0.55 in either.
    const Points x = reference::random_points(11, 3, 1);
    Measures measures;
    measures.score.threshold = 0.5;
    measures.score.sparsity = 0.9;
    measures.score.neighbors = 4;
    measures.score.chance_recall = 0.4;
    measures.angles.in.assign(AngleDensity::angles, 0);
    measures.angles.out.assign(AngleDensity::angles, 0);
    measures.angles.in[10] = 1;
    measures.angles.in[100] = 9;
    measures.angles.out[20] = 1;
    measures.angles.out[80] = 1;
    const Chance chance = chance_of({.inputs = x.view(), .coordinates = x.view()}, measures, 0);
    EXPECT_DOUBLE_EQ(chance.recall.mean, 0.4);
    EXPECT_DOUBLE_EQ(chance.jaccard, 0.05 / 0.55);
    EXPECT_DOUBLE_EQ(chance.deviation_degrees.value().mean, 40.0);
    EXPECT_FALSE(chance.knn_accuracy);
}

/// Lengths from a hundredth to a hundred: most points have the same few nearest.
Points with_hubs(Index count, Index dimension, std::uint64_t seed) {
    Points points = reference::random_points(count, dimension, seed);
    for (Index i = 0; i < count; ++i) {
        const float length = std::exp(static_cast<float>(Random(seed, RandomStream::Test, i).normal()));
        for (float& value : points[i]) {
            value *= length;
        }
    }
    return points;
}

/// Measures of coordinates that know nothing of the inputs, and of labels that know nothing of either.
Measures unrelated(const Points& x, const Points& y, std::uint64_t seed) {
    ReportSubject subject{.inputs = x.view(), .coordinates = y.view()};
    subject.labels.names = {"a", "b", "c"};
    for (Index i = 0; i < x.count(); ++i) {
        const double drawn = Random(seed, RandomStream::Test, 1000 + i).uniform();
        subject.labels.index.push_back(drawn < 0.5 ? 0 : drawn < 0.8 ? 1 : 2);
    }
    Summary summary;
    return take_measures(subject, {.seed = seed}, {}, summary);
}

class UnrelatedMaps : public testing::TestWithParam<Index> {};

TEST_P(UnrelatedMaps, SeldomPassTheLimits) {
    constexpr int maps = 200;
    std::array<int, 5> passed{};
    std::array<double, 2> sums{};
    for (int map = 0; map < maps; ++map) {
        const auto seed = static_cast<std::uint64_t>(map);
        const Index dimension = map % 2 == 0 ? 2 : 6;
        const Points x =
            map % 4 < 2 ? with_hubs(GetParam(), 20, 2 * seed) : reference::random_points(GetParam(), 3, 2 * seed);
        const Points y = map % 8 < 4 ? with_hubs(GetParam(), dimension, 2 * seed + 1)
                                     : reference::random_points(GetParam(), dimension, 2 * seed + 1);
        const Measures measures = unrelated(x, y, seed);
        const Chance& chance = measures.chance;
        passed[0] += measures.score.recall > chance.recall.limit ? 1 : 0;
        passed[1] += measures.score.trustworthiness > chance.trustworthiness.limit ? 1 : 0;
        passed[2] += measures.pair_correlation > chance.pair_correlation.limit ? 1 : 0;
        passed[3] +=
            chance.deviation_degrees && measures.score.deviation_without_self_degrees < chance.deviation_degrees->limit
                ? 1
                : 0;
        passed[4] += measures.score.knn_accuracy.value() > chance.knn_accuracy.value().limit ? 1 : 0;
        sums[0] += measures.score.recall - chance.recall.mean;
        sums[1] += measures.score.trustworthiness - chance.trustworthiness.mean;
    }
    for (const int times : passed) {
        EXPECT_LE(times, 4) << testing::PrintToString(passed);  // among 200, where 1 is expected
    }
    EXPECT_NEAR(sums[0] / maps, 0.0, 0.02);
    EXPECT_NEAR(sums[1] / maps, 0.0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(OfSeveralSizes, UnrelatedMaps, testing::Values(13, 15, 20, 40, 120));

}  // namespace

}  // namespace isogon::chance_test
