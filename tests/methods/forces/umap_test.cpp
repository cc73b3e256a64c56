#include "methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "forces/output_kernel.hpp"
#include "forces/sampled_layout.hpp"
#include "graph/calibrated_affinities.hpp"
#include "graph/label_edges.hpp"
#include "isogon/core/error.hpp"
#include "methods/forces/layout_edges.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/forces/target_graph.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"
#include "support/layout_methods.hpp"

namespace isogon::umap_test {
namespace {

using support::all_finite;
using support::heaps;
using support::same_bits;
using support::share_of_nearest_of_the_same;

auto fit_with(const UmapOptions& options) {
    return support::fit_with(umap, options);
}

TEST(Umap, IsItsStepsOneAfterTheOther) {
    const Points points = reference::random_points(120, 4, 1);
    const NeighborLists lists = reference::euclidean_lists(points, 8);
    const Embedding result = umap(points.view(), {.neighbors = 8, .iterations = 60}, {}, {.neighbors = &lists});
    const CsrMatrix<double> graph = fuzzy_affinities(lists);
    Summary summary;
    const auto smooth = spectral_start(graph, 2, 0, summary, {});
    ASSERT_TRUE(smooth.has_value());
    SampledLayout layout(graph, widened(*smooth, 0), {.kernel = fit_output_kernel(0.1, 1.0), .epochs = 60}, {});
    (void)layout.run_to(60);
    EXPECT_TRUE(std::ranges::equal(result.coordinates.values(), layout.outputs().values()));
    EXPECT_EQ(result.summary.value("loss"), layout.loss({}));
    EXPECT_EQ(result.summary.value("epochs"), 60.0);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_EQ(result.summary.trace.size(), 2U);
}

TEST(Umap, ClustersStaySeparatedFromEveryStartInEveryDimension) {
    const Points points = heaps(200);
    for (const UmapStart start : {UmapStart::Spectral, UmapStart::Pca, UmapStart::Random}) {
        const Embedding result = umap(points.view(), {.iterations = 100, .start = start});
        EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.99);
    }
    for (const int dimension : {1, 5}) {
        const Embedding result = umap(points.view(), {.dimension = dimension, .iterations = 100});
        EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.9) << dimension;
    }
}

TEST(Umap, WithTheAffinitiesAndKernelOfTsneItStepsThere) {
    const Points points = heaps(120);
    Summary summary;
    const CsrMatrix<double> p = widen(neighbor_affinities(points.view(), {.neighbors = 24}, 8.0, summary, {}));
    const UmapOptions options{.kernel = UmapKernel::Cauchy, .iterations = 60, .start = UmapStart::Random};
    const Embedding result = umap(points.view(), options, {}, {.affinities = &p});
    SampledLayout layout(p, widened(random_start(120, 2, 0), 0), {.epochs = 60}, {});
    (void)layout.run_to(60);
    EXPECT_TRUE(std::ranges::equal(result.coordinates.values(), layout.outputs().values()));
    EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.99);
}

TEST(Umap, GivenAffinitiesReplaceTheirComputation) {
    const Points points = heaps(120);
    const NeighborLists lists = exact_neighbors(points.view(), 12, Metric::Euclidean);
    const CsrMatrix<double> weights = fuzzy_affinities(lists);
    (void)support::expect_given_steps_are_used(points, lists, weights, fit_with({.neighbors = 12, .iterations = 30}),
                                               fit_with({.iterations = 30}));
    EXPECT_THROW((void)umap(points.view(), {.metric = Metric::Cosine}, {}, {.affinities = &weights}), InvalidArgument);
    EXPECT_THROW((void)umap(heaps(121).view(), {}, {}, {.affinities = &weights}), InputError);
}

TEST(Umap, AffinitiesOfAnySizeGiveNumbers) {
    const Points points = heaps(8);
    for (const double weight : {1e-100, 1e100}) {
        CsrMatrix<double> ring = reference::graph_of(8, {{0, 1, weight},
                                                         {1, 2, weight},
                                                         {2, 3, 1e-300},
                                                         {3, 4, weight},
                                                         {4, 5, weight},
                                                         {5, 6, weight},
                                                         {6, 7, weight}});
        const Embedding result = umap(points.view(), {.iterations = 20}, {}, {.affinities = &ring});
        EXPECT_TRUE(all_finite(result.coordinates));
        EXPECT_TRUE(std::isfinite(result.summary.value("loss")));
        EXPECT_TRUE(result.summary.warnings.size() <= 1U);
    }
}

TEST(Umap, PartsOfAGraphBeginByPcaAndThatIsReported) {
    const Points points = heaps(80);
    const UmapOptions options{.neighbors = 5, .iterations = 20};
    const Embedding result = umap(points.view(), options);
    EXPECT_EQ(result.summary.value("components"), 4.0);
    ASSERT_EQ(result.summary.warnings.size(), 1U);
    EXPECT_NE(result.summary.warnings[0].find("4 parts"), std::string::npos);
    EXPECT_TRUE(same_bits(result, umap(points.view(), {.neighbors = 5, .iterations = 20, .start = UmapStart::Pca})));
}

/// Whole numbers, of which a shift changes no digit. Lists and a start are the same then: so is all that follows.
TEST(Umap, DoesNotDependOnAShift) {
    const auto [points, shifted] = support::points_and_shifted();
    const UmapOptions options{.iterations = 30, .start = UmapStart::Random};
    EXPECT_TRUE(same_bits(umap(points.view(), options), umap(shifted.view(), options)));
}

TEST(Umap, BeginsAtTheGivenStart) {
    const Points points = heaps(60);
    const Points start = reference::random_points(60, 2, 9);
    const Embedding result = umap(points.view(), {.iterations = 1, .learning_rate = 1e-9}, {}, {.start = start.view()});
    for (std::size_t k = 0; k < 120; ++k) {
        EXPECT_NEAR(result.coordinates.values()[k], start.values()[k], 1e-6);
    }
    EXPECT_THROW((void)umap(points.view(), {.dimension = 3}, {}, {.start = start.view()}), InvalidArgument);
}

TEST(Umap, UsesGivenNeighbours) {
    support::expect_given_neighbors(heaps(120), 24, 0.95, fit_with({.iterations = 30}), fit_with({}));
}

TEST(Umap, SmallAndAwkwardPointsGiveNumbers) {
    EXPECT_THROW((void)umap(Points(1, 3).view(), {}), Error);
    EXPECT_THROW((void)umap(reference::random_points(2, 3, 1).view(), {}), Error);
    for (const Index count : {3, 4, 5, 6, 9, 16, 17, 33, 50}) {
        for (const Metric metric : {Metric::Euclidean, Metric::Cosine}) {
            support::expect_finite_for_awkward_points(count, "loss", fit_with({.metric = metric, .iterations = 15}));
        }
    }
}

TEST(Umap, FewerPointsThanNeighboursAreAllTaken) {
    const Embedding result = umap(heaps(9).view(), {.iterations = 10});
    EXPECT_EQ(std::get<std::int64_t>(result.options.at("neighbors")), 8);
    EXPECT_FALSE(result.summary.warnings.empty());
}

TEST(Umap, RefusesUnsupportedOptions) {
    const Points points = heaps(40);
    EXPECT_THROW((void)umap(points.view(), {.min_distance = 1.5}), InvalidArgument);
    EXPECT_THROW((void)umap(points.view(), {.kernel = UmapKernel::Cauchy, .min_distance = 0.2}), InvalidArgument);
    EXPECT_THROW((void)umap(points.view(), {.kernel = UmapKernel::Cauchy, .spread = 2.0}), InvalidArgument);
}

/// The options that a fit of so many points resolves, and its summary: the deadline ends it before its first step.
Embedding resolved(Index points, const UmapOptions& options) {
    RunContext none;
    none.limit_seconds(0.0);
    return umap(reference::random_points(points, 3, 1).view(), options, none);
}

TEST(UmapOptions, EpochsAndNeighborsAreResolvedForThePoints) {
    const auto epochs = [](Index points, const UmapOptions& options) {
        return resolved(points, options).options.at("iterations");
    };
    EXPECT_EQ(epochs(10000, {}), OptionValue(std::int64_t{500}));
    EXPECT_EQ(epochs(10001, {}), OptionValue(std::int64_t{200}));
    EXPECT_EQ(epochs(100, {.iterations = 3}), OptionValue(std::int64_t{3}));
    EXPECT_TRUE(resolved(100, {}).summary.warnings.empty());
    const Embedding few = resolved(10, {});
    EXPECT_EQ(few.options.at("neighbors"), OptionValue(std::int64_t{9}));
    EXPECT_EQ(few.summary.warnings.size(), 1U);
    const Points points = reference::random_points(10, 3, 1);
    const CsrMatrix<double> edges = fuzzy_affinities(reference::euclidean_lists(points, 4));
    const Embedding given =
        umap(points.view(), {.iterations = 1, .start = UmapStart::Random}, {}, {.affinities = &edges});
    EXPECT_EQ(given.options.at("neighbors"), OptionValue(std::int64_t{9}));
    EXPECT_TRUE(given.summary.warnings.empty()) << "neighbours do not matter where edges are given";
}

TEST(UmapOptions, ThoseOfEdgesAreRefusedByNameBesideEdges) {
    const Points points = reference::random_points(10, 3, 1);
    const CsrMatrix<double> edges = fuzzy_affinities(reference::euclidean_lists(points, 4));
    try {
        (void)umap(points.view(), {.neighbors = 7}, {}, {.affinities = &edges});
        ADD_FAILURE() << "neighbors was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "neighbors");
        EXPECT_NE(std::string_view(error.what()).find("7"), std::string_view::npos) << error.what();
    }
}

std::vector<std::int64_t> random_labels(Index count, std::uint32_t classes) {
    std::vector<std::int64_t> labels(count);
    for (Index i = 0; i < count; ++i) {
        Random random(3, RandomStream::LayoutStart, i);
        labels[i] = static_cast<std::int64_t>(std::floor(random.uniform() * classes));
    }
    return labels;
}

/// How often a point's nearest output has the point's own label.
double share_of_one_label(const Points& map, const std::vector<std::int64_t>& labels) {
    const NeighborLists lists = reference::euclidean_lists(map, 1);
    double same = 0.0;
    for (Index i = 0; i < map.count(); ++i) {
        same += labels[i] == labels[lists[i][0]] ? 1.0 : 0.0;
    }
    return same / map.count();
}

TEST(Umap, LabelsDrawTheirPointsTogetherWhateverTheInputs) {
    const Points points = reference::random_points(400, 3, 1);
    const std::vector<std::int64_t> labels = random_labels(400, 3);
    const Embedding blind = umap(points.view(), {.iterations = 150});
    EXPECT_LT(share_of_one_label(blind.coordinates, labels), 0.5);
    double before = share_of_one_label(blind.coordinates, labels);
    for (const double weight : {0.2, 0.5, 0.9}) {
        const Embedding result =
            umap(points.view(), {.target_weight = weight, .iterations = 150}, {}, {.labels = labels});
        const double share = share_of_one_label(result.coordinates, labels);
        EXPECT_GE(share, before - 0.02) << weight;
        before = share;
        EXPECT_EQ(result.summary.value("labelled"), 400.0);
    }
    EXPECT_GT(before, 0.95);
}

TEST(Umap, LabelsOfSomePointsArePartOfTheGraph) {
    const Points points = reference::random_points(300, 3, 1);
    std::vector<std::int64_t> labels = random_labels(300, 2);
    for (Index i = 0; i < 300; i += 3) {
        labels[i] = -1;
    }
    const Embedding result = umap(points.view(), {.iterations = 20}, {}, {.labels = labels});
    EXPECT_EQ(result.summary.value("labelled"), 200.0);
    const CsrMatrix<double> truth = with_labels(
        fuzzy_affinities(exact_neighbors(points.view(), UmapOptions{}.neighbors, Metric::Euclidean)), labels, 0.5);
    const Embedding again = umap(points.view(), {.iterations = 20}, {}, {.affinities = &truth});
    EXPECT_TRUE(same_bits(again.coordinates, result.coordinates));
}

TEST(Umap, LabelsThatCountForNothingChangeNoBit) {
    const Points points = heaps(120);
    const Embedding plain = umap(points.view(), {.iterations = 30});
    const std::vector<std::int64_t> labels = random_labels(120, 4);
    const std::vector<std::int64_t> unknown(120, -1);
    EXPECT_TRUE(
        same_bits(umap(points.view(), {.target_weight = 0.0, .iterations = 30}, {}, {.labels = labels}).coordinates,
                  plain.coordinates));
    EXPECT_TRUE(
        same_bits(umap(points.view(), {.iterations = 30}, {}, {.labels = unknown}).coordinates, plain.coordinates));
    EXPECT_FALSE(
        same_bits(umap(points.view(), {.iterations = 30}, {}, {.labels = labels}).coordinates, plain.coordinates));
}

/// The targets say nothing of the inputs; with them points of near targets come together.
TEST(Umap, TargetsDrawTheirPointsTogetherWhateverTheInputs) {
    const Points points = reference::random_points(300, 4, 1);
    Points targets(300, 2);
    for (Index i = 0; i < 300; ++i) {
        targets[i][0] = static_cast<float>((i * 7919U) % 300U) / 300.0F;
        targets[i][1] = i % 10 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1.0F;  // unknown
    }
    /// The mean difference of target between each point and its nearest in the map, both known.
    const auto apart = [&](const Embedding& result) {
        const NeighborLists lists = exact_neighbors(result.coordinates.view(), 1, Metric::Euclidean);
        double sum = 0.0;
        int count = 0;
        for (Index i = 0; i < 300; ++i) {
            if (i % 10 != 0 && lists[i][0] % 10 != 0) {
                sum += std::abs(double{targets[i][0]} - double{targets[lists[i][0]][0]});
                ++count;
            }
        }
        return sum / count;
    };
    const UmapOptions options{.iterations = 100};
    EXPECT_GT(apart(umap(points.view(), options)), 0.2);
    EXPECT_LT(apart(umap(points.view(), options, {}, {.targets = targets.view()})), 0.07);
    const UmapOptions none{.target_weight = 0.0, .iterations = 100};
    EXPECT_TRUE(same_bits(umap(points.view(), none, {}, {.targets = targets.view()}), umap(points.view(), options)));
}

/// Half of the rows have the same target: whoever is listed among equals must not depend on the order of rows.
TEST(Umap, EqualTargetsMakeNoHubs) {
    const Points points = reference::random_points(200, 4, 1);
    Points targets(200, 1);
    const CsrMatrix<double> graph = target_graph(targets.view(), 10, 1, {});
    for (Index i = 0; i < 200; ++i) {
        EXPECT_LT(graph.row_indices(i).size(), 60U) << i;
    }
}

TEST(Umap, RefusesTargetsThatFitNothing) {
    const Points points = heaps(60);
    Points targets(60, 1);
    const auto fit = [&](const Points& given, const UmapOptions& options = {}) {
        return umap(points.view(), options, {}, {.targets = given.view()});
    };
    EXPECT_THROW((void)fit(Points(59, 1)), InvalidArgument);
    targets[3][0] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)fit(targets), InputError);
    std::ranges::fill(targets.values(), std::numeric_limits<float>::quiet_NaN());
    targets[3][0] = 1.0F;
    EXPECT_THROW((void)fit(targets), InputError);
    const std::vector<std::int64_t> labels(60, 1);
    const Points zeros(60, 1);
    EXPECT_THROW((void)umap(points.view(), {}, {}, {.labels = labels, .targets = zeros.view()}), InvalidArgument);
    EXPECT_THROW((void)umap(points.view(), {.hold = 0.5}), InvalidArgument);
}

TEST(Umap, ADenseClusterStaysDenserWhereDensityCounts) {
    Points points = reference::random_points(240, 5, 1);
    for (Index i = 0; i < 240; i += 2) {
        std::ranges::transform(points[i], points[i].begin(), [](float value) { return 0.05F * value; });
        points[i][0] += 20.0F;
    }
    const auto correlation = [&](double weight) {
        return umap(points.view(), {.density_weight = weight}).summary.value("density_correlation");
    };
    EXPECT_GT(correlation(2.0), correlation(1e-9) + 0.1);
}

/// Rows without a place start among their neighbours; those with one are held there.
TEST(Umap, RowsThatAreHeldDoNotMove) {
    const Points points = heaps(120);
    const UmapOptions options{.neighbors = 8, .iterations = 60};
    const Embedding before = umap(PointsView(points.values().data(), 100, points.dimension()), options);
    Points start(120, 2);
    std::ranges::fill(start.values(), std::numeric_limits<float>::quiet_NaN());
    std::ranges::copy(before.coordinates.values(), start.values().begin());
    UmapOptions held = options;
    held.hold = 1.0;
    const Embedding result = umap(points.view(), held, {}, {.start = start.view()});
    EXPECT_TRUE(std::equal(start.values().begin(), start.values().begin() + 200, result.coordinates.values().begin()));
    EXPECT_EQ(result.summary.value("started"), 100.0);
    EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.95);
    start[5][0] = 0.0F;
    start[110][1] = 0.0F;  // half a row
    EXPECT_THROW((void)umap(points.view(), held, {}, {.start = start.view()}), InputError);
}

TEST(Umap, RefusesLabelsThatFitNothing) {
    const Points points = heaps(60);
    const std::vector<std::int64_t> labels(59, 1);
    EXPECT_THROW((void)umap(points.view(), {}, {}, {.labels = labels}), InvalidArgument);
    EXPECT_THROW((void)umap(points.view(), {.target_weight = 0.7}), InvalidArgument);
    const std::vector<std::int64_t> all(60, 1);
    EXPECT_THROW((void)umap(points.view(), {.target_weight = 1.5}, {}, {.labels = all}), InvalidArgument);
    const CsrMatrix<double> graph = fuzzy_affinities(reference::euclidean_lists(points, 8));
    EXPECT_THROW((void)umap(points.view(), {}, {}, {.affinities = &graph, .labels = all}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::umap_test
