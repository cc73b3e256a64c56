#include "isogon/quality/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "neighbors/metric_rows.hpp"
#include "pairs/threshold.hpp"
#include "reference/cross_quality.hpp"
#include "reference/point_sets.hpp"

namespace isogon::cross_score_test {
namespace {

using reference::awkward_points;
using reference::on_threads;
using reference::random_points;
using reference::stacked;
using reference::truncated;

/// Placed and fitted points, with outputs that are their first coordinates.
struct Example {
    Example(Points placed, Points fitted, Index dimension)
        : x(std::move(placed)), y(truncated(x, dimension)), f(std::move(fitted)), g(truncated(f, dimension)) {}

    [[nodiscard]] CrossScore score(const CrossScoreOptions& options, const RunContext& context = {}) const {
        return cross_score(x.view(), y.view(), f.view(), g.view(), options, context);
    }

    Points x, y, f, g;
};

Example random_example(Index placed, Index fitted) {
    return {random_points(placed, 20, 1, 0.4), random_points(fitted, 20, 2, 0.4), 7};
}

/// All numbers of a score that may not depend on threads.
auto numbers(const CrossScore& result) {
    return std::tuple(result.mean_angular_deviation_degrees, result.jaccard, result.norm_deviation_mean,
                      result.norm_deviation_max, result.recall, result.points, result.fitted, result.threshold,
                      result.isolated, result.zero_vectors, result.neighbors, result.summary.termination,
                      result.summary.message, result.summary.counts, result.summary.measures, result.summary.warnings);
}

std::string refusal(const Example& e, const CrossScoreOptions& options = {.threshold = 0.5}) {
    try {
        static_cast<void>(e.score(options));
    } catch (const Error& error) {
        return error.what();
    }
    return "not refused";
}

TEST(CrossScore, AgreesWithTheDefinitions) {
    for (const Index placed : {1U, 48U, 101U}) {
        const Example e = random_example(placed, 150);
        const CrossScore result = e.score({.threshold = 0.4, .neighbors = 7, .metric = InputMetric::Cosine});
        const auto expected = reference::cross(stacked(e.x, e.f), stacked(e.y, e.g), placed, 0.4, 7);
        EXPECT_NEAR(result.mean_angular_deviation_degrees, expected.deviation, 1e-4);
        EXPECT_DOUBLE_EQ(result.jaccard, expected.jaccard);
        EXPECT_NEAR(result.recall, expected.recall, 1e-12);
        EXPECT_EQ(result.isolated, expected.isolated);
        EXPECT_EQ(result.points, placed);
        EXPECT_EQ(result.fitted, 150U);
        EXPECT_EQ(result.neighbors, 7);
        EXPECT_EQ(result.threshold, 0.4);
        EXPECT_EQ(result.summary.termination, Termination::Converged);
    }
}

TEST(CrossScore, FindsNeighborsByTheMetricOfEachSide) {
    const Example e = random_example(60, 150);
    const auto nearest = [](const Points& from, const Points& among, Index i, Metric metric) {
        std::vector<std::pair<double, Index>> all;
        for (Index j = 0; j < among.count(); ++j) {
            all.emplace_back(distance_between(from[i], among[j], metric), j);
        }
        std::ranges::sort(all);
        std::set<Index> found;
        std::for_each(all.begin(), all.begin() + 7, [&](const auto& one) { found.insert(one.second); });
        return found;
    };
    const auto expected = [&](Metric input, Metric output) {
        double shared = 0.0;
        for (Index i = 0; i < 60; ++i) {
            const std::set<Index> x = nearest(e.x, e.f, i, input);
            const std::set<Index> y = nearest(e.y, e.g, i, output);
            shared += static_cast<double>(std::ranges::count_if(x, [&](Index j) { return y.contains(j); }));
        }
        return shared / (60.0 * 7.0);
    };
    const auto recall = [&](InputMetric metric, OutputMetric output) {
        return e.score({.threshold = 0.4, .neighbors = 7, .metric = metric, .output_metric = output}).recall;
    };
    const double by_distance = expected(Metric::Euclidean, Metric::Euclidean);
    EXPECT_NEAR(recall(InputMetric::Auto, OutputMetric::Auto), by_distance, 1e-12);
    EXPECT_NEAR(recall(InputMetric::Cosine, OutputMetric::Euclidean), expected(Metric::Cosine, Metric::Euclidean),
                1e-12);
    EXPECT_NEAR(recall(InputMetric::Correlation, OutputMetric::Auto), expected(Metric::Correlation, Metric::Cosine),
                1e-12);
    EXPECT_NE(by_distance, expected(Metric::Cosine, Metric::Cosine));
    EXPECT_EQ(e.score({.threshold = 0.4, .metric = InputMetric::Cosine}).metrics.input_name(), "cosine");
}

TEST(CrossScore, AnyOfEquallyNearPointsWillDoInXAndIsAsLikelyInY) {
    Points two_away = reference::equal_points(60, 3);
    for (const Index i : {0U, 1U}) {
        two_away[i][0] = -1.0F;
    }
    const Points one = reference::equal_points(1, 3);
    const Points equal = reference::equal_points(60, 3);
    for (const InputMetric metric : {InputMetric::Cosine, InputMetric::Euclidean}) {
        const auto recall = [&](const Points& f, const Points& g) {
            return cross_score(one.view(), one.view(), f.view(), g.view(),
                               {.threshold = 0.5, .neighbors = 3, .metric = metric})
                .recall;
        };
        EXPECT_EQ(recall(equal, two_away), 1.0);
        EXPECT_EQ(recall(equal, equal), 1.0);
        EXPECT_DOUBLE_EQ(recall(two_away, equal), 58.0 / 60.0);
    }
}

TEST(CrossScore, LengthsAreThoseOfThePlacedPoints) {
    Example e(random_points(30, 5, 3), random_points(40, 5, 4), 5);
    e.y = reference::scaled(e.x, 1.25F);
    e.g = reference::scaled(e.f, 7.0F);
    std::fill(e.x[8].begin(), e.x[8].end(), 0.0F);
    std::fill(e.y[9].begin(), e.y[9].end(), 0.0F);
    const CrossScore result = e.score({.threshold = 0.3});
    EXPECT_NEAR(result.norm_deviation_max, 1.0, 1e-6);
    EXPECT_NEAR(result.norm_deviation_mean, (28 * 0.25 + 1.0) / 29.0, 1e-6);
    EXPECT_EQ(result.zero_vectors, 1U);
}

TEST(CrossScore, FittedPointsPlacedAtTheirOutputsScoreAsTheFit) {
    // The square with its diagonal is the rectangle of all points with all.
    for (const Index count : {12U, 48U, 97U, 200U}) {
        const Points x = awkward_points(count, 9, 5);
        const Points y = truncated(x, 4);
        const Score square = score(x.view(), y.view(), {}, {.threshold = 0.3});
        const CrossScore cross = cross_score(x.view(), y.view(), x.view(), y.view(), {.threshold = 0.3});
        EXPECT_NEAR(cross.mean_angular_deviation_degrees, square.mean_angular_deviation_degrees, 1e-9);
        EXPECT_EQ(cross.jaccard, square.jaccard);
        EXPECT_EQ(cross.norm_deviation_mean, square.norm_deviation_mean);
        EXPECT_EQ(cross.norm_deviation_max, square.norm_deviation_max);
        EXPECT_EQ(cross.zero_vectors, square.zero_vectors);
        EXPECT_EQ(cross.isolated, 0U);
    }
}

TEST(CrossScore, OutputsEqualToTheirInputsArePerfect) {
    for (const Index placed : {1U, 2U, 47U, 48U, 49U, 97U}) {
        for (const Index fitted : {1U, 48U, 50U}) {
            const Example e(awkward_points(placed, 6, 6), awkward_points(fitted, 6, 7), 6);
            const CrossScore result = e.score({.threshold = 0.3, .neighbors = static_cast<int>(fitted / 2 + 1)});
            EXPECT_EQ(result.mean_angular_deviation_degrees, 0.0);
            EXPECT_EQ(result.jaccard, 1.0);
            EXPECT_EQ(result.norm_deviation_max, 0.0);
            EXPECT_EQ(result.recall, 1.0);
        }
    }
}

TEST(CrossScore, TakesStridedViews) {
    const Example e = random_example(60, 50);
    const CrossScore result = cross_score(e.x.view(), {e.x.view().data, 60, 7, 20}, e.f.view(),
                                          {e.f.view().data, 50, 7, 20}, {.threshold = 0.4});
    EXPECT_EQ(numbers(result), numbers(e.score({.threshold = 0.4})));
}

TEST(CrossScore, ChoosesTheThresholdFromTheFittedInputs) {
    const Example e = random_example(100, 400);
    const CrossScore result = e.score({.seed = 3});
    EXPECT_EQ(result.threshold, choose_threshold(e.f.view(), {.seed = 3}).threshold);
    ASSERT_EQ(result.summary.seconds.size(), 4U);
    EXPECT_EQ(result.summary.seconds.at(1).first, "threshold");
}

TEST(CrossScore, IsTheSameBitsForAnyNumberOfThreads) {
    const Example e(awkward_points(700, 30, 10), awkward_points(500, 30, 11), 9);
    const CrossScore one = e.score({.neighbors = 15}, on_threads(1));
    EXPECT_GT(one.mean_angular_deviation_degrees, 0.0);
    EXPECT_EQ(numbers(one), numbers(e.score({.neighbors = 15}, on_threads(2))));
    EXPECT_EQ(numbers(one), numbers(e.score({.neighbors = 15}, on_threads(3))));
}

TEST(CrossScore, AwkwardPointsGiveNumbers) {
    const Points sets[] = {Points(20, 4), reference::equal_points(20, 4), awkward_points(20, 4, 10),
                           reference::scaled(random_points(20, 4, 11), 1e37F)};
    for (const Points& x : sets) {
        for (const Points& y : sets) {
            for (const Points& f : sets) {
                const CrossScore result = cross_score(x.view(), y.view(), f.view(), y.view(), {.threshold = 0.5});
                for (const double value : {result.mean_angular_deviation_degrees, result.jaccard,
                                           result.norm_deviation_mean, result.norm_deviation_max, result.recall}) {
                    EXPECT_TRUE(std::isfinite(value));
                }
                EXPECT_LE(result.isolated + result.zero_vectors, 20U);
            }
        }
    }
}

TEST(CrossScore, WarnsOfPlacedPointsUnlikeAllThatWasFitted) {
    const Points one_side = random_points(50, 3, 12, 20.0);
    const Example far(reference::scaled(one_side, -1.0F), one_side, 2);
    const CrossScore result = far.score({.threshold = 0.5});
    EXPECT_EQ(result.isolated, 50U);
    EXPECT_EQ(result.mean_angular_deviation_degrees, 0.0);
    ASSERT_EQ(result.summary.warnings.size(), 1U);
    EXPECT_NE(result.summary.warnings.front().find("50 of 50 points (100.0%) have no fitted point above"),
              std::string::npos);
    EXPECT_TRUE(Example(one_side, one_side, 2).score({.threshold = 0.5}).summary.warnings.empty());
}

TEST(CrossScore, RefusesWhatDoesNotFitTogether) {
    const auto names = [](const std::string& message, const std::string& what) {
        EXPECT_EQ(message.find(what), 0U) << message;
    };
    const auto with = [](Points Example::*side, Index count, Index width) {
        Example e(random_points(12, 3, 13), random_points(11, 3, 14), 2);
        e.*side = Points(count, width);
        return refusal(e);
    };
    names(with(&Example::y, 12, 2), "not refused");
    names(with(&Example::y, 11, 2), "y = 11 points: must have as many points as x, which has 12");
    names(with(&Example::x, 12, 4), "x = points of 4 numbers: must have as many numbers a point as fitted_x");
    names(with(&Example::y, 12, 3), "y = points of 3 numbers: must have as many numbers a point as fitted_y");
    names(with(&Example::x, 0, 3), "x = 0 points");
    names(with(&Example::y, 12, 0), "y = 0 dimensions");
    names(with(&Example::g, 10, 2), "fitted_y = 10 points: must have as many points as fitted_x, which has 11");
    names(with(&Example::f, 0, 3), "fitted_x = 0 points");

    const Example e = random_example(12, 11);
    names(refusal(e, {.threshold = 0.5, .neighbors = 11}), "not refused");
    names(refusal(e, {.threshold = 0.5, .neighbors = 12}),
          "neighbors = 12: must be at most 11, the number of fitted points");
    names(refusal(random_example(100, 9)), "neighbors = 10: must be at most 9");
    names(refusal(e, {.neighbors = 0}), "neighbors");
    names(refusal(e, {.threshold = 1.0}), "threshold");
    names(refusal(e, {.threshold = std::nan("")}), "threshold");

    const auto bad = [](Points Example::*side) {
        Example some = random_example(20, 20);
        (some.*side)[7][2] = std::numeric_limits<float>::quiet_NaN();
        return refusal(some);
    };
    names(bad(&Example::x), "x, row 7, column 2");
    names(bad(&Example::y), "y, row 7, column 2");
    names(bad(&Example::f), "fitted_x, row 7, column 2");
    names(bad(&Example::g), "fitted_y, row 7, column 2");
}

TEST(CrossScore, ACancelledRunReportsItAndKeepsTheLengths) {
    Example e = random_example(100, 60);
    e.y = reference::scaled(e.x, 2.0F);
    e.g = e.f;
    const CrossScore result = e.score({.threshold = 0.5}, reference::cancelled());
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.jaccard, 0.0);
    EXPECT_EQ(result.recall, 0.0);
    EXPECT_DOUBLE_EQ(result.norm_deviation_mean, 1.0);
}

TEST(CrossScore, StatesItsMemoryBeforeItTakesIt) {
    const Example e = random_example(1000, 800);
    RunContext context = on_threads(1);
    context.memory_limit = 1800U * 27U * sizeof(float);
    EXPECT_THROW(static_cast<void>(e.score({.threshold = 0.5}, context)), LimitExceeded);
    context.memory_limit = 10'000'000;
    EXPECT_GT(e.score({.threshold = 0.5}, context).recall, 0.0);
}

TEST(CrossScoreOptions, TheTableReachesEveryField) {
    const auto options = cross_score_option_table().make({{"threshold", 0.5},
                                                          {"neighbors", std::int64_t{3}},
                                                          {"metric", std::string("correlation")},
                                                          {"output-metric", std::string("cosine")},
                                                          {"seed", std::int64_t{5}}});
    EXPECT_EQ(options.metric, InputMetric::Correlation);
    EXPECT_EQ(options.output_metric, OutputMetric::Cosine);
    EXPECT_EQ(options.threshold, 0.5);
    EXPECT_EQ(options.neighbors, 3);
    EXPECT_EQ(options.seed, 5U);
}

}  // namespace
}  // namespace isogon::cross_score_test
