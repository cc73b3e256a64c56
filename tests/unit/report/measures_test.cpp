#include "report/measures.hpp"

#include <gtest/gtest.h>

#include "isogon/linalg/truncated_svd.hpp"
#include "reference/point_sets.hpp"

namespace isogon::measures_test {
namespace {

using reference::on_threads;

Measures measure(const ReportSubject& subject, const ReportOptions& options = {}, int threads = 2) {
    Summary summary;
    return take_measures(subject, options, on_threads(threads), summary);
}

ReportSubject subject_of(const Points& x, const Points& y) {
    return {.inputs = x.view(), .coordinates = y.view()};
}

TEST(Measures, AreThoseOfTheScoreAndOfTheSvdBesideIt) {
    const Points x = reference::random_points(120, 8, 1, 0.3);
    const Points y = reference::truncated(x, 3);
    const Measures measures = measure(subject_of(x, y), {.threshold = 0.5});
    const ScoreOptions options{.threshold = 0.5, .rank_rows = 5000};
    const Score expected = score(x.view(), y.view(), {}, options);
    EXPECT_EQ(measures.score.mean_angular_deviation_degrees, expected.mean_angular_deviation_degrees);
    EXPECT_EQ(measures.score.recall, expected.recall);
    const Points projected = project(x.view(), truncated_svd(x.view(), 3, false, {}), {});
    ASSERT_TRUE(measures.svd);
    EXPECT_EQ(measures.svd->jaccard, score(x.view(), projected.view(), {}, options).jaccard);
    EXPECT_EQ(measures.neighbors.size, 15U);
    EXPECT_EQ(measures.angles.pairs, 120U * 119U / 2U);
    EXPECT_EQ(measures.variances.size(), 3U);
}

TEST(Measures, IsolatedPointsOfTheScoreAreThoseWithoutAPair) {
    const Points x = reference::awkward_points(150, 6, 2);
    const Measures measures = measure(subject_of(x, reference::truncated(x, 2)), {.threshold = 0.9});
    Index alone = 0;
    for (Index i = 0; i < 150; ++i) {
        alone += measures.points.pairs[i] == 0 && measures.lengths[i] > 0.0 ? 1 : 0;
    }
    EXPECT_GT(alone, 0U);
    EXPECT_EQ(alone, measures.score.isolated);
}

TEST(Measures, TheThresholdIsTheRunsUnlessOneIsGiven) {
    const Points x = reference::random_points(100, 5, 3, 0.3);
    ReportSubject subject = subject_of(x, reference::truncated(x, 2));
    subject.coordinates = PointsView(x.values().data(), 100, 2, 5);
    subject.run = ReportRun{.method = "tsm", .options = {{"threshold", 0.625}}};
    EXPECT_EQ(measure(subject).score.threshold, 0.625);
    EXPECT_EQ(measure(subject, {.threshold = 0.5}).score.threshold, 0.5);
    subject.run->options["threshold"] = std::monostate{};
    const double chosen = measure(subject).score.threshold;
    EXPECT_GT(chosen, 0.0);
    EXPECT_NE(chosen, 0.625);
}

TEST(Measures, WhereNoThresholdSuitsAPlainOneIsTakenAndSaid) {
    Points x(4, 4);
    for (Index i = 0; i < 4; ++i) {
        x[i][i] = 1.0F;
    }
    const Measures measures = measure(subject_of(x, x));
    EXPECT_EQ(measures.score.threshold, 0.5);
    ASSERT_EQ(measures.remarks.size(), 1U);
    EXPECT_NE(measures.remarks[0].find("No threshold suits"), std::string::npos);
}

TEST(Measures, ThereIsNoSvdOfMoreDimensionsThanTheInputsHaveAndNoneBesideItself) {
    const Points x = reference::random_points(60, 3, 4, 0.3);
    const Points y = reference::random_points(60, 4, 5);
    EXPECT_FALSE(measure(subject_of(x, y)).svd);
    const Points two = reference::truncated(x, 2);
    ReportSubject subject = subject_of(x, two);
    subject.run = ReportRun{.method = "svd"};
    EXPECT_FALSE(measure(subject).svd);
}

TEST(Measures, CoordinatesOfManyNumbersAreShownOnTheirAxes) {
    const Points x = reference::random_points(100, 80, 6);
    const Measures measures = measure(subject_of(x, x), {.threshold = 0.3});
    EXPECT_EQ(measures.on_axes.dimension(), 64U);
    ASSERT_FALSE(measures.remarks.empty());
    EXPECT_NE(measures.remarks.back().find("80 numbers"), std::string::npos);
    double squares = 0.0;
    for (Index i = 0; i < 100; ++i) {
        squares += double{measures.on_axes[i][0]} * double{measures.on_axes[i][0]};
    }
    EXPECT_NEAR(squares / 99.0, measures.variances[0], 1e-3 * measures.variances[0]);
}

TEST(Measures, OfPointsOfAnyLength) {
    const Points x = reference::random_points(80, 6, 7, 0.3);
    const Measures plain = measure(subject_of(x, reference::truncated(x, 2)), {.threshold = 0.5});
    for (const float factor : {0x1p-60F, 0x1p60F}) {
        const Points long_x = reference::scaled(x, factor);
        const Points long_y = reference::truncated(long_x, 2);
        const Measures measures = measure(subject_of(long_x, long_y), {.threshold = 0.5});
        EXPECT_EQ(measures.score.jaccard, plain.score.jaccard);
        EXPECT_EQ(measures.svd->jaccard, plain.svd->jaccard);
        EXPECT_NEAR(measures.svd->norm_deviation_mean, plain.svd->norm_deviation_mean, 1e-6);
        const double square = double{factor} * double{factor};
        EXPECT_NEAR(measures.variances[0] / square, plain.variances[0], 1e-4 * plain.variances[0]);
        EXPECT_NEAR(measures.spectrum.values[0] / square, plain.spectrum.values[0], 1e-4 * plain.spectrum.values[0]);
    }
}

TEST(ShownDimensions, KeepTheFileSmall) {
    EXPECT_EQ(shown_dimensions(1000, 16), 16U);
    EXPECT_EQ(shown_dimensions(1000, 65), 64U);
    EXPECT_EQ(shown_dimensions(70000, 16), 16U);
    EXPECT_EQ(shown_dimensions(70000, 64), 28U);
    EXPECT_EQ(shown_dimensions(4000000000, 64), 3U);
    EXPECT_EQ(shown_dimensions(4000000000, 2), 2U);
}

TEST(ListSize, KeepsTheFileSmallAndStaysBelowTheNumberOfPoints) {
    EXPECT_EQ(list_size(70000, {}), 8U);
    EXPECT_EQ(list_size(40000, {}), 10U);
    EXPECT_EQ(list_size(10000, {}), 15U);
    EXPECT_EQ(list_size(5, {}), 4U);
    EXPECT_EQ(list_size(70000, {.neighbors = 30}), 30U);
    EXPECT_EQ(list_size(3, {.neighbors = 30}), 2U);
}

}  // namespace
}  // namespace isogon::measures_test
