#include "isogon/quality/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/threshold.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::score_test {
namespace {

using reference::awkward_points;
using reference::on_threads;
using reference::random_points;
using reference::truncated;

std::vector<std::int64_t> some_labels(Index count) {
    std::vector<std::int64_t> labels(count);
    for (Index i = 0; i < count; ++i) {
        labels[i] = static_cast<std::int64_t>(Random(5, RandomStream::Test, i).below(3)) - 1;
    }
    return labels;
}

/// All numbers of a score that may not depend on threads.
auto numbers(const Score& result) {
    return std::tuple(result.mean_angular_deviation_degrees, result.jaccard, result.norm_deviation_mean,
                      result.norm_deviation_max, result.recall, result.trustworthiness, result.continuity,
                      result.knn_accuracy, result.points, result.threshold, result.sparsity, result.isolated,
                      result.zero_vectors, result.angle_rows, result.rank_rows, result.neighbors,
                      result.summary.termination, result.summary.message, result.summary.counts,
                      result.summary.measures, result.summary.warnings);
}

void expect_finite(const Score& result) {
    for (const double value :
         {result.mean_angular_deviation_degrees, result.jaccard, result.norm_deviation_mean, result.norm_deviation_max,
          result.recall, result.trustworthiness, result.continuity, result.threshold, result.sparsity}) {
        EXPECT_TRUE(std::isfinite(value));
    }
}

std::string refusal(const Points& x, const Points& y, std::span<const std::int64_t> labels = {},
                    const ScoreOptions& options = {}) {
    try {
        static_cast<void>(score(x.view(), y.view(), labels, options));
    } catch (const Error& error) {
        return error.what();
    }
    return "not refused";
}

TEST(Score, AgreesWithTheDefinitions) {
    const Points x = random_points(150, 20, 1, 0.4);
    const Points y = truncated(x, 7);
    const auto labels = some_labels(150);
    for (const bool by_cosine : {false, true}) {
        const Score result = score(
            x.view(), y.view(), labels,
            {.threshold = 0.4, .neighbors = 7, .metric = by_cosine ? InputMetric::Cosine : InputMetric::Euclidean});
        EXPECT_EQ(result.angle_rows, 150U);
        const auto angles = reference::angles(x, y, 0.4);
        EXPECT_NEAR(result.mean_angular_deviation_degrees, angles.deviation, 1e-4);
        EXPECT_DOUBLE_EQ(result.jaccard, angles.jaccard);
        EXPECT_NEAR(result.deviation_without_self_degrees, angles.deviation_without_self, 1e-4);
        EXPECT_DOUBLE_EQ(result.jaccard_without_self, angles.jaccard_without_self);
        EXPECT_DOUBLE_EQ(result.sparsity, angles.sparsity);
        EXPECT_EQ(result.isolated, angles.isolated);
        EXPECT_DOUBLE_EQ(result.recall, reference::recall(x, y, 7, by_cosine));
        EXPECT_EQ(result.kept.neighbors, result.recall);
        const auto whole = std::count(result.kept.shares.begin(), result.kept.shares.end(), 1.0F);
        EXPECT_DOUBLE_EQ(result.all_kept, static_cast<double>(whole) / static_cast<double>(result.kept.rows.size()));
        EXPECT_LE(result.kept_in_order, result.all_kept);
        EXPECT_NEAR(result.trustworthiness, reference::trustworthiness(x, y, 7, by_cosine), 1e-12);
        EXPECT_NEAR(result.continuity, reference::trustworthiness(y, x, 7, by_cosine), 1e-12);
        EXPECT_DOUBLE_EQ(result.knn_accuracy.value(), reference::knn_accuracy(y, labels, 7, by_cosine).value());
        EXPECT_EQ(result.points, 150U);
        EXPECT_EQ(result.rank_rows, 150U);
        EXPECT_EQ(result.neighbors, 7);
        EXPECT_EQ(result.summary.termination, Termination::Converged);
    }
}

class ScoreOfEqual : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, ScoreOfEqual,
                         testing::Combine(testing::Values(2, 3, 47, 48, 49, 97, 200), testing::Values(1, 2, 16, 130)));

TEST_P(ScoreOfEqual, AnEmbeddingEqualToItsInputIsPerfect) {
    const auto [count, dimension] = GetParam();
    const Points x = awkward_points(count, dimension, 2);
    const Score result = score(x.view(), x.view(), {}, {.threshold = 0.3, .neighbors = static_cast<int>(count / 2)});
    EXPECT_LT(result.mean_angular_deviation_degrees, 1e-4);
    EXPECT_EQ(result.jaccard, 1.0);
    EXPECT_EQ(result.norm_deviation_max, 0.0);
    EXPECT_EQ(result.recall, 1.0);
    EXPECT_EQ(result.trustworthiness, 1.0);
    EXPECT_EQ(result.continuity, 1.0);
    EXPECT_FALSE(result.knn_accuracy);
}

TEST(Score, IsTheSameBitsForAnyNumberOfThreads) {
    const Points x = awkward_points(1000, 30, 4);
    const Points y = truncated(x, 9);
    const auto labels = some_labels(1000);
    const ScoreOptions options{.neighbors = 15, .angle_rows = 400, .rank_rows = 300, .seed = 9};
    const Score one = score(x.view(), y.view(), labels, options, on_threads(1));
    EXPECT_GT(one.mean_angular_deviation_degrees, 0.0);
    EXPECT_EQ(numbers(one), numbers(score(x.view(), y.view(), labels, options, on_threads(2))));
    EXPECT_EQ(numbers(one), numbers(score(x.view(), y.view(), labels, options, on_threads(3))));
}

TEST(Score, TakesAStridedView) {
    const Points x = random_points(60, 12, 7);
    const PointsView left{x.view().data, 60, 5, 12};
    const Score result = score(x.view(), left, {}, {.threshold = 0.2});
    EXPECT_EQ(numbers(result), numbers(score(x.view(), truncated(x, 5).view(), {}, {.threshold = 0.2})));
}

TEST(Score, ChoosesAThresholdAsChooseThresholdDoes) {
    const Points x = random_points(400, 10, 8);
    const Score result = score(x.view(), x.view(), {}, {.seed = 3});
    EXPECT_EQ(result.threshold, choose_threshold(x.view(), {.seed = 3}).threshold);
    EXPECT_GE(result.sparsity, 0.99);
    EXPECT_LT(result.sparsity, 0.9905);
    EXPECT_EQ(result.summary.seconds.front().first, "norms");
    EXPECT_EQ(result.summary.seconds.at(1).first, "threshold");
}

TEST(Score, AwkwardPointsGiveNumbers) {
    const Points zeros(20, 4);
    const Points equal = reference::equal_points(20, 4);
    const Points awkward = awkward_points(20, 4, 10);
    const Points huge = reference::scaled(random_points(20, 4, 11), 1e37F);
    const auto labels = some_labels(20);
    for (const Points* x : {&zeros, &equal, &awkward, &huge}) {
        for (const Points* y : {&zeros, &equal, &awkward, &huge}) {
            for (const InputMetric metric : {InputMetric::Euclidean, InputMetric::Cosine}) {
                expect_finite(score(x->view(), y->view(), labels, {.threshold = 0.5, .metric = metric}));
            }
        }
    }
}

TEST(Score, WarnsOfIsolatedPointsOnlyWhenTheyAreMany) {
    const Points x = random_points(100, 50, 13);
    const Score high = score(x.view(), x.view(), {}, {.threshold = 0.9});
    ASSERT_EQ(high.summary.warnings.size(), 1U);
    EXPECT_NE(high.summary.warnings.front().find("100 of 100 points"), std::string::npos);
    EXPECT_NE(high.summary.warnings.front().find("take a lower one"), std::string::npos);
    EXPECT_TRUE(score(x.view(), x.view(), {}, {.threshold = 0.1}).summary.warnings.empty());
    Points half = x;
    std::fill_n(half.values().begin(), 50 * 50, 0.0F);
    const Score sample = score(half.view(), half.view(), {}, {.threshold = 0.9, .angle_rows = 40});
    EXPECT_EQ(sample.zero_vectors, 50U);
    ASSERT_EQ(sample.summary.warnings.size(), 1U);
    EXPECT_NE(sample.summary.warnings.front().find(std::to_string(sample.isolated) + " of 40 points (100.0%)"),
              std::string::npos);
}

// The pairs of 40 points that lie together are more than 1% of all: the default threshold isolates many others.
TEST(Score, DoesNotWarnOfItsOwnThreshold) {
    Points x = random_points(300, 50, 17);
    for (Index i = 0; i < 40; ++i) {
        x[i][0] += 50.0F;
    }
    const Score result = score(x.view(), x.view(), {});
    ASSERT_GT(result.isolated, 30U);  // a tenth
    EXPECT_TRUE(result.summary.warnings.empty()) << testing::PrintToString(result.summary.warnings);
    EXPECT_TRUE(score(x.view(), x.view(), {}, {.threshold = result.threshold}).summary.warnings.empty());
}

TEST(Score, OfMoreRowsASampleIsCompared) {
    const Points x = random_points(500, 8, 14);
    const Points y = truncated(x, 3);
    const auto measured = [&](int angle_rows, int rank_rows, std::uint64_t seed) {
        return score(x.view(), y.view(), {},
                     {.threshold = 0.5, .angle_rows = angle_rows, .rank_rows = rank_rows, .seed = seed});
    };
    const Score all = measured(500, 500, 0);
    EXPECT_EQ(numbers(all), numbers(score(x.view(), y.view(), {}, {.threshold = 0.5})));
    EXPECT_EQ(all.summary.message, "compared all pairs of 500 points, and ranks over 500 of them");
    const Score of_ranks = measured(500, 200, 0);
    EXPECT_EQ(of_ranks.rank_rows, 200U);
    EXPECT_EQ(of_ranks.jaccard, all.jaccard);
    EXPECT_NE(of_ranks.recall, measured(500, 200, 1).recall);
    EXPECT_NEAR(of_ranks.recall, all.recall, 0.05);
    EXPECT_NEAR(of_ranks.trustworthiness, all.trustworthiness, 0.05);
    const Score of_angles = measured(200, 500, 0);
    EXPECT_EQ(of_angles.angle_rows, 200U);
    EXPECT_EQ(of_angles.recall, all.recall);
    EXPECT_EQ(of_angles.norm_deviation_mean, all.norm_deviation_mean);
    EXPECT_EQ(of_angles.summary.message, "compared 200 of 500 points with all others, and ranks over 500 of them");
    const auto expected = reference::angles(x, y, 0.5, sample_rows(500, 200, 0, RandomStream::QualitySample));
    EXPECT_NEAR(of_angles.mean_angular_deviation_degrees, expected.deviation, 1e-4);
    EXPECT_DOUBLE_EQ(of_angles.jaccard, expected.jaccard);
    EXPECT_DOUBLE_EQ(of_angles.sparsity, expected.sparsity);
    EXPECT_EQ(of_angles.isolated, expected.isolated);
    EXPECT_NE(of_angles.jaccard, measured(200, 500, 1).jaccard);
    EXPECT_NEAR(of_angles.mean_angular_deviation_degrees, all.mean_angular_deviation_degrees, 2.0);
    EXPECT_NEAR(of_angles.jaccard, all.jaccard, 0.05);
    EXPECT_NEAR(of_angles.sparsity, all.sparsity, 0.02);
}

TEST(Score, WhatBelongsToPointsIsOfAllPairs) {
    const Points x = random_points(100, 8, 14);
    PointAngles all;
    PointAngles points;
    static_cast<void>(score(x.view(), x.view(), {}, {.threshold = 0.5}, {}, &all));
    const Score result = score(x.view(), x.view(), {}, {.threshold = 0.5, .angle_rows = 10}, {}, &points);
    EXPECT_EQ(result.angle_rows, 100U);
    EXPECT_EQ(points.pairs, all.pairs);
    EXPECT_EQ(points.pairs.size(), 100U);
}

TEST(Score, RefusesWhatDoesNotFitTogether) {
    const Points x = random_points(11, 3, 15);
    const std::vector<std::int64_t> labels(10);
    const auto names = [](const std::string& message, const std::string& what) {
        EXPECT_EQ(message.find(what), 0U) << message;
    };
    names(refusal(x, random_points(10, 3, 1)), "y = 10 points: must have as many points as x, which has 11");
    names(refusal(x, x, labels), "labels = 10 numbers: must hold one number for each of the 11 points");
    names(refusal(x, x, {}, {.neighbors = 11}), "neighbors = 11: must be at most 10");
    names(refusal(x, x, {}, {.neighbors = 0}), "neighbors");
    names(refusal(x, x, {}, {.threshold = 1.0}), "threshold");
    names(refusal(x, x, {}, {.threshold = std::nan("")}), "threshold");
    names(refusal(x, x, {}, {.rank_rows = 0}), "rank-rows");
    names(refusal(x, x, {}, {.angle_rows = 0}), "angle-rows");
    names(refusal(x, truncated(x, 1), {}, {.output_metric = OutputMetric::InnerProduct}), "output-metric");
    names(refusal(random_points(1, 3, 1), random_points(1, 3, 1)), "x = 1 point: ");
    names(refusal(Points(), Points()), "x = 0 points: ");
    names(refusal(x, Points(11, 0)), "y = 0 dimensions");
    names(refusal(x, x, {}, {.threshold = 0.1, .neighbors = 10}), "not refused");
    Points bad = x;
    bad[7][2] = std::numeric_limits<float>::quiet_NaN();
    names(refusal(bad, x), "x, row 7, column 2");
    names(refusal(x, bad), "y, row 7, column 2");
}

TEST(Score, ACancelledRunSaysSo) {
    const Points x = random_points(100, 5, 17);
    const Score result = score(x.view(), reference::scaled(x, 2.0F).view(), {}, {}, reference::cancelled());
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.message, "ended early (cancelled): the measures that are 0 were not reached");
    EXPECT_EQ(result.recall, 0.0);
    EXPECT_DOUBLE_EQ(result.norm_deviation_mean, 1.0);
}

TEST(Score, AnInterruptionInTheRanksKeepsTheAngles) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "angles" && progress.done == progress.total) {
            source.request_stop();
        }
    };
    const Points x = random_points(100, 5, 18);
    const Score result = score(x.view(), x.view(), {}, {.threshold = 0.5}, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.jaccard, 1.0);
    EXPECT_EQ(result.recall, 0.0);
}

/// Neighbours in the outputs by y_i.y_j - s_i s_j, ties to the smaller index.
double recall_by_inner_product(const Points& x, const Points& lifted, Index k) {
    double shared = 0.0;
    for (Index i = 0; i < x.count(); ++i) {
        std::vector<std::pair<double, Index>> keys;
        for (Index j = 0; j < x.count(); ++j) {
            if (j != i) {
                const double last = double{lifted[i].back()} * double{lifted[j].back()};
                keys.emplace_back(2.0 * last - reference::dot(lifted, i, j), j);
            }
        }
        std::ranges::sort(keys);
        const std::vector<Index> in_x = reference::order_from(x, i, true);
        for (Index a = 0; a < k; ++a) {
            shared += static_cast<double>(std::count(in_x.begin(), in_x.begin() + k, keys[a].second));
        }
    }
    return shared / static_cast<double>(x.count() * k);
}

TEST(ScoreMetrics, FollowTheSideThatIsGivenAndTheDimension) {
    using enum Nearness;
    const auto of = [](InputMetric in, OutputMetric out, Index dimension) {
        return metrics_of({.metric = in, .output_metric = out}, dimension);
    };
    EXPECT_EQ(of(InputMetric::Auto, OutputMetric::Auto, 3), (SideMetrics{Euclidean, Euclidean}));
    EXPECT_EQ(of(InputMetric::Auto, OutputMetric::Auto, 4), (SideMetrics{Euclidean, Euclidean}));
    EXPECT_EQ(of(InputMetric::Cosine, OutputMetric::Auto, 3), (SideMetrics{Cosine, Euclidean}));
    EXPECT_EQ(of(InputMetric::Cosine, OutputMetric::Auto, 4), (SideMetrics{Cosine, Cosine}));
    EXPECT_EQ(of(InputMetric::Euclidean, OutputMetric::Auto, 4), (SideMetrics{Euclidean, Euclidean}));
    EXPECT_EQ(of(InputMetric::Auto, OutputMetric::Euclidean, 4), (SideMetrics{Euclidean, Euclidean}));
    EXPECT_EQ(of(InputMetric::Auto, OutputMetric::Cosine, 2), (SideMetrics{Cosine, Cosine}));
    EXPECT_EQ(of(InputMetric::Euclidean, OutputMetric::Cosine, 2), (SideMetrics{Euclidean, Cosine}));
    EXPECT_EQ(of(InputMetric::Auto, OutputMetric::InnerProduct, 3), (SideMetrics{Cosine, Cosine, true}));
    EXPECT_EQ(of(InputMetric::Correlation, OutputMetric::Auto, 2), (SideMetrics{Cosine, Euclidean, false, true}));
    EXPECT_EQ(of(InputMetric::Correlation, OutputMetric::Auto, 4), (SideMetrics{Cosine, Cosine, false, true}));
}

TEST(ScoreMetrics, HaveTheNamesOfTheOptions) {
    const SideMetrics by_correlation = metrics_of({.metric = InputMetric::Correlation}, 2);
    EXPECT_EQ(by_correlation.input_name(), "correlation");
    EXPECT_EQ(by_correlation.output_name(), "euclidean");
    EXPECT_EQ(metrics_of({.output_metric = OutputMetric::InnerProduct}, 4).output_name(), "inner-product");
    EXPECT_EQ(metrics_of({}, 4).input_name(), "euclidean");
}

TEST(Score, ByCorrelationIsByCosineOfRowsLessTheirMeansForNeighborsAlone) {
    Points x = random_points(120, 9, 41);
    Points centred(120, 9);
    for (Index i = 0; i < 120; ++i) {
        for (float& value : x[i]) {
            value += static_cast<float>(i % 7);  // correlation does not see it
        }
        const double mean = std::accumulate(x[i].begin(), x[i].end(), 0.0) / 9.0;
        std::transform(x[i].begin(), x[i].end(), centred[i].begin(),
                       [mean](float value) { return static_cast<float>(double{value} - mean); });
    }
    std::fill(x[3].begin(), x[3].end(), 2.0F);  // has no correlation, as a zero vector has no direction
    std::fill(centred[3].begin(), centred[3].end(), 0.0F);
    const Points y = truncated(centred, 4);
    const auto labels = some_labels(120);
    const ScoreOptions by_correlation{.threshold = 0.5, .metric = InputMetric::Correlation};
    const Score result = score(x.view(), y.view(), labels, by_correlation);
    const Score expected = score(centred.view(), y.view(), labels, {.threshold = 0.5, .metric = InputMetric::Cosine});
    EXPECT_EQ(result.recall, expected.recall);
    EXPECT_EQ(result.trustworthiness, expected.trustworthiness);
    EXPECT_EQ(result.continuity, expected.continuity);
    EXPECT_EQ(result.knn_accuracy_inputs, expected.knn_accuracy_inputs);
    EXPECT_EQ(result.all_kept, expected.all_kept);
    const Score by_angle = score(x.view(), y.view(), labels, {.threshold = 0.5, .metric = InputMetric::Cosine});
    EXPECT_NE(result.recall, by_angle.recall);
    EXPECT_EQ(result.jaccard, by_angle.jaccard);
}

TEST(Score, SearchesByInnerProductWithTheLastNumberNegatedInTheQuery) {
    for (const int rank_rows : {20000, 149}) {
        const Points x = random_points(150, 6, 30);
        const Points lifted = random_points(150, 4, 31);
        const Score result =
            score(x.view(), lifted.view(), {},
                  {.threshold = 0.5, .output_metric = OutputMetric::InnerProduct, .rank_rows = rank_rows}, {});
        EXPECT_NEAR(result.recall, recall_by_inner_product(x, lifted, 10), 0.005) << rank_rows;
        // All else is of the numbers before the last.
        const PointsView y(lifted.view().data, 150, 3, 4);
        const Score of_y = score(x.view(), y, {},
                                 {.threshold = 0.5,
                                  .metric = InputMetric::Cosine,
                                  .output_metric = OutputMetric::Cosine,
                                  .rank_rows = rank_rows},
                                 {});
        EXPECT_EQ(result.jaccard, of_y.jaccard);
        EXPECT_EQ(result.trustworthiness, of_y.trustworthiness);
        EXPECT_EQ(result.norm_deviation_max, of_y.norm_deviation_max);
    }
}

TEST(Score, StatesItsMemoryBeforeItTakesIt) {
    const Points x = random_points(1000, 50, 19);
    RunContext context = on_threads(1);
    context.memory_limit = 1000U * 50U * sizeof(float);
    EXPECT_THROW(static_cast<void>(score(x.view(), x.view(), {}, {}, context)), LimitExceeded);
    EXPECT_THROW(static_cast<void>(score(x.view(), x.view(), {}, {.threshold = 0.5}, context)), LimitExceeded);
    // The directions of a sample are held once more.
    const Points wide = random_points(1000, 500, 19);
    const auto measured = [&](int angle_rows) {
        return score(wide.view(), wide.view(), {}, {.threshold = 0.5, .angle_rows = angle_rows, .rank_rows = 1},
                     context);
    };
    context.memory_limit = 5'500'000;
    EXPECT_EQ(measured(1000).jaccard, 1.0);
    EXPECT_THROW(static_cast<void>(measured(900)), LimitExceeded);
    context.memory_limit = 10'000'000;
    EXPECT_EQ(score(x.view(), x.view(), {}, {}, context).jaccard, 1.0);
}

TEST(ScoreOptions, TheTableReachesEveryField) {
    const auto options = score_option_table().make({{"threshold", 0.5},
                                                    {"neighbors", std::int64_t{3}},
                                                    {"metric", std::string("cosine")},
                                                    {"output-metric", std::string("inner-product")},
                                                    {"angle-rows", std::int64_t{6}},
                                                    {"rank-rows", std::int64_t{4}},
                                                    {"seed", std::int64_t{5}}});
    EXPECT_EQ(options.threshold, 0.5);
    EXPECT_EQ(options.neighbors, 3);
    EXPECT_EQ(options.metric, InputMetric::Cosine);
    EXPECT_EQ(options.output_metric, OutputMetric::InnerProduct);
    EXPECT_EQ(options.angle_rows, 6);
    EXPECT_EQ(options.rank_rows, 4);
    EXPECT_EQ(options.seed, 5U);
}

}  // namespace
}  // namespace isogon::score_test
