#include "report/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/truncated_svd.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::measures_test {

namespace {

/// The eigenvalues of a symmetric 2 x 2 matrix, the larger first.
std::vector<double> eigenvalues(double a, double b, double c) {
    const double mean = (a + c) / 2.0;
    const double root = std::hypot((a - c) / 2.0, b);
    return {mean + root, mean - root};
}

std::vector<double> expected(const Points& points, bool centered) {
    std::vector<double> mean(2);
    for (Index i = 0; centered && i < points.count(); ++i) {
        mean[0] += double{points[i][0]} / points.count();
        mean[1] += double{points[i][1]} / points.count();
    }
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        const double u = double{points[i][0]} - mean[0];
        const double v = double{points[i][1]} - mean[1];
        a += u * u;
        b += u * v;
        c += v * v;
    }
    return eigenvalues(a, b, c);
}

TEST(Spectrum, OfProductsIsThatOfTheDefinition) {
    const Points points = reference::random_points(50, 2, 1, 0.7);
    const Spectrum spectrum = product_spectrum(points.view(), {});
    const auto values = expected(points, false);
    ASSERT_EQ(spectrum.values.size(), 2U);
    EXPECT_NEAR(spectrum.values[0], values[0], 1e-4 * values[0]);
    EXPECT_NEAR(spectrum.values[1], values[1], 1e-4 * values[0]);
    EXPECT_NE(spectrum.name.find("eigenvalues of G"), std::string::npos);
}

TEST(Spectrum, VariancesAreThoseOfPrincipalAxes) {
    const Points points = reference::random_points(50, 2, 2, 0.7);
    const auto variances = axis_variances(points.view(), {});
    const auto values = expected(points, true);
    ASSERT_EQ(variances.size(), 2U);
    EXPECT_NEAR(variances[0], values[0] / 49.0, 1e-4 * values[0]);
    EXPECT_NEAR(variances[1], values[1] / 49.0, 1e-4 * values[0]);
}

TEST(Spectrum, OfAMethodIsWhatItMeasured) {
    Summary summary;
    EXPECT_FALSE(measured_spectrum(summary));
    summary.measure("sigma", 3.0);
    summary.measure("eigenvalue_0", 0.25);
    summary.measure("eigenvalue_1", 0.125);
    summary.measure("last_eigenvalue_0", 9.0);
    const auto spectrum = measured_spectrum(summary);
    ASSERT_TRUE(spectrum);
    EXPECT_EQ(spectrum->values, (std::vector<double>{0.25, 0.125}));
    Summary other;
    other.measure("spectrum_0", 1.0);
    EXPECT_EQ(measured_spectrum(other)->values, std::vector<double>{1.0});
}

TEST(Spectrum, OfSmallestEigenvaluesIsNotTold) {
    Summary summary;
    summary.measure("eigenvalue_0", 1e-9);
    summary.measure("eigenvalue_1", 0.125);
    summary.measure("eigenvalue_2", 0.25);
    EXPECT_FALSE(measured_spectrum(summary));
    Summary equal;
    equal.measure("eigenvalue_0", 0.5);
    equal.measure("eigenvalue_1", 0.5);
    EXPECT_TRUE(measured_spectrum(equal));
}

TEST(Spectrum, OfPointsThatAreAllEqualIsFinite) {
    const auto variances = axis_variances(reference::equal_points(10, 3).view(), {});
    ASSERT_EQ(variances.size(), 3U);
    for (const double variance : variances) {
        EXPECT_NEAR(variance, 0.0, 1e-9);
    }
}

std::pair<InputMetric, OutputMetric> metrics(const ReportRun& run, ScoreOptions options = {}) {
    use_options_of(run, options);
    return {options.metric, options.output_metric};
}

TEST(MetricsOfARun, AreThoseOfItsMethod) {
    for (const char* method : {"tsm", "svd", "nmf"}) {
        EXPECT_EQ(metrics({.method = method}), (std::pair{InputMetric::Cosine, OutputMetric::Cosine})) << method;
    }
    for (const char* method : {"faithful", "tsne", "umap", "isomap", "pca", "laplacian"}) {
        EXPECT_EQ(metrics({.method = method}), (std::pair{InputMetric::Euclidean, OutputMetric::Euclidean})) << method;
    }
}

TEST(MetricsOfARun, GoByTheMetricOfTheFit) {
    const OptionValues by_distance{{"metric", std::string("euclidean")}};
    const OptionValues by_angle{{"metric", std::string("cosine")}};
    EXPECT_EQ(metrics({.method = "faithful", .options = by_distance}),
              (std::pair{InputMetric::Euclidean, OutputMetric::Euclidean}));
    EXPECT_EQ(metrics({.method = "faithful", .options = by_angle}),
              (std::pair{InputMetric::Cosine, OutputMetric::Euclidean}));
    EXPECT_EQ(metrics({.method = "umap", .options = by_angle}),
              (std::pair{InputMetric::Cosine, OutputMetric::Euclidean}));
    EXPECT_EQ(metrics({.method = "umap", .options = {{"metric", std::string("correlation")}}}),
              (std::pair{InputMetric::Correlation, OutputMetric::Euclidean}));
    EXPECT_EQ(metrics({.method = "umap", .options = {{"metric", std::string("hamming")}}}),
              (std::pair{InputMetric::Euclidean, OutputMetric::Euclidean}));
}

TEST(ThresholdOfARun, IsUsedWhereNoneIsGiven) {
    const auto threshold = [](const OptionValues& of_the_run, ScoreOptions options = {}) {
        use_options_of({.method = "tsm", .options = of_the_run}, options);
        return options.threshold;
    };
    EXPECT_EQ(threshold({{"threshold", 0.6}}), 0.6);
    EXPECT_EQ(threshold({{"threshold", 0.6}}, {.threshold = 0.7}), 0.7);
    EXPECT_EQ(threshold({{"threshold", 0.0}}), std::nullopt);
    EXPECT_EQ(threshold({}), std::nullopt);
}

TEST(Measures, OfAFitByCorrelationCompareRowsLessTheirMeans) {
    Points x = reference::random_points(60, 8, 51);
    for (Index i = 0; i < 60; ++i) {
        for (float& value : x[i]) {
            value += static_cast<float>(i % 5);
        }
    }
    const Points y = reference::random_points(60, 2, 52);
    Summary summary;
    const ReportSubject subject{
        .inputs = x.view(),
        .coordinates = y.view(),
        .run = ReportRun{.method = "umap", .options = {{"metric", std::string("correlation")}}}};
    const Measures measures = take_measures(subject, {}, {}, summary);
    EXPECT_EQ(measures.score.metrics.input_name(), "correlation");
    const Index k = measures.neighbors.size;
    const auto expected = exact_neighbors(x.view(), k, Metric::Correlation).indices;
    EXPECT_EQ(measures.neighbors.input.index, expected);
}

TEST(MetricsOfARun, LeaveWhatIsGiven) {
    const ScoreOptions given{.metric = InputMetric::Euclidean, .output_metric = OutputMetric::Cosine};
    EXPECT_EQ(metrics({.method = "umap"}, given), (std::pair{InputMetric::Euclidean, OutputMetric::Cosine}));
}

TEST(SampledSubject, HoldsWhatBelongsToTheChosenPoints) {
    const Points x = reference::random_points(6, 4, 1);
    const Points y = reference::random_points(6, 2, 2);
    const std::vector<std::string> words{"a", "b", "c", "d", "e", "f"};
    ReportSubject all{.inputs = x.view(),
                      .coordinates = y.view(),
                      .title = "title",
                      .words = words,
                      .rows = {5, 7, 9, 11, 13, 15},
                      .points_in_all = 100};
    all.labels = {{"p", "q"}, {0, 1, 0, 1, 0, 1}};
    const SampledSubject sample(all, {1, 4});
    const ReportSubject& some = sample.subject;
    EXPECT_EQ(some.title, "title");
    ASSERT_EQ(some.inputs.count, 2U);
    EXPECT_EQ(some.inputs[1][3], x[4][3]);
    EXPECT_EQ(some.coordinates[0][1], y[1][1]);
    EXPECT_EQ(std::vector<std::string>(some.words.begin(), some.words.end()), (std::vector<std::string>{"b", "e"}));
    EXPECT_EQ(some.labels.index, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(some.rows, (std::vector<Index>{7, 13}));
    EXPECT_EQ(some.points_in_all, 100U);
}

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
    const Measures measures = measure(subject_of(x, y), {.threshold = 0.5, .output_metric = OutputMetric::Cosine});
    const ScoreOptions options{.threshold = 0.5, .output_metric = OutputMetric::Cosine, .rank_rows = 5000};
    const Score expected = score(x.view(), y.view(), {}, options);
    EXPECT_EQ(measures.score.mean_angular_deviation_degrees, expected.mean_angular_deviation_degrees);
    EXPECT_EQ(measures.score.recall, expected.recall);
    const Points projected = project(x.view(), truncated_svd(x.view(), 3, false, {}), {});
    ASSERT_TRUE(measures.svd);
    EXPECT_EQ(measures.svd->jaccard, score(x.view(), projected.view(), {}, options).jaccard);
    EXPECT_EQ(measures.neighbors.size, 10U);
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

TEST(Measures, WhereNoThresholdSuitsAPlainOneIsTakenAndReported) {
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
    EXPECT_EQ(shown_dimensions(70000, 64), 17U);
    EXPECT_EQ(shown_dimensions(4000000000, 64), 3U);
    EXPECT_EQ(shown_dimensions(4000000000, 2), 2U);
}

TEST(ListSize, KeepsTheFileSmallAndStaysBelowTheNumberOfPoints) {
    EXPECT_EQ(list_size(70000, {}), 10U);
    EXPECT_EQ(list_size(5, {}), 4U);
    EXPECT_EQ(list_size(70000, {.neighbors = 30}), 30U);
    EXPECT_EQ(list_size(3, {.neighbors = 30}), 2U);
}

}  // namespace

}  // namespace isogon::measures_test
