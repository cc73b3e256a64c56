#include "methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/power_of_two_scaling.hpp"
#include "forces/force_layout.hpp"
#include "forces/repulsion.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "methods/forces/layout_edges.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"
#include "support/layout_methods.hpp"

namespace isogon::tsne_test {
namespace {

using support::heaps;
using support::same_bits;
using support::share_of_nearest_of_the_same;

auto fit_with(const TsneOptions& options) {
    return support::fit_with(tsne, options);
}

TEST(Tsne, IsItsStepsOneAfterTheOther) {
    const Points points = heaps(120);
    const Embedding result = tsne(points.view(), {.perplexity = 8.0, .iterations = 120});
    Summary summary;
    const CsrMatrix<float> p = neighbor_affinities(points.view(), {.neighbors = 24}, 8.0, summary, {});
    ExactRepulsion exact;
    ForceLayout layout(p, exact, pca_start(points.view(), 2, 0, {}), tsne_schedule(120, {.iterations = 120}), {});
    (void)layout.run_to(120);
    for (std::size_t k = 0; k < layout.outputs().values().size(); ++k) {
        EXPECT_EQ(result.coordinates.values()[k], static_cast<float>(layout.outputs().values()[k]));
    }
    EXPECT_EQ(result.summary.value("kl_divergence"), layout.divergence({}));
    EXPECT_EQ(result.summary.value("iterations"), 120.0);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_EQ(result.summary.trace.size(), 3U);
}

TEST(Tsne, ClustersStaySeparatedFromEveryStartInEveryDimension) {
    const Points points = heaps(200);
    for (const int dimension : {1, 2, 3, 5}) {
        for (const LayoutStart start : {LayoutStart::Pca, LayoutStart::Random}) {
            const Embedding result = tsne(points.view(), {.dimension = dimension, .iterations = 400, .start = start});
            EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), dimension == 1 ? 0.9 : 0.99) << dimension;
        }
    }
}

TEST(Tsne, GridAndTreeReachTheDivergenceOfAllPairs) {
    const Points points = heaps(200);
    const RunContext one = reference::on_threads(1);
    for (const int dimension : {1, 2, 3}) {
        TsneOptions options{.dimension = dimension, .repulsion = TsneRepulsion::Exact, .iterations = 240};
        const double exact = tsne(points.view(), options, one).summary.value("kl_divergence");
        for (const TsneRepulsion repulsion : {TsneRepulsion::Fft, TsneRepulsion::BarnesHut}) {
            if (dimension <= 2 || repulsion == TsneRepulsion::BarnesHut) {
                options.repulsion = repulsion;
                options.theta = repulsion == TsneRepulsion::BarnesHut ? 0.2 : BarnesHutRepulsion::usual_theta;
                const double reached = tsne(points.view(), options, one).summary.value("kl_divergence");
                EXPECT_NEAR(reached, exact, 0.05 * exact) << dimension;
            }
        }
    }
}

/// Whole numbers, of which a shift changes no digit; so few iterations that rounding of the mean has not grown.
TEST(Tsne, DoesNotDependOnAShift) {
    const auto [points, shifted] = support::points_and_shifted();
    const TsneOptions options{.iterations = 30};
    const Embedding here = tsne(points.view(), options);
    const Embedding there = tsne(shifted.view(), options);
    double largest = 0.0;
    double error = 0.0;
    for (std::size_t k = 0; k < here.coordinates.values().size(); ++k) {
        const double value = double{here.coordinates.values()[k]};
        largest = std::max(largest, std::abs(value));
        error = std::max(error, std::abs(value - double{there.coordinates.values()[k]}));
    }
    EXPECT_LT(error, 1e-2 * largest);
}

TEST(Tsne, BeginsAtTheGivenStart) {
    const Points points = heaps(60);
    const Points start = reference::random_points(60, 2, 9);
    const TsneOptions options{.iterations = 1, .exaggeration = 1.0, .learning_rate = 1e-9};
    const Embedding result = tsne(points.view(), options, {}, {.start = start.view()});
    for (Index i = 1; i < 60; ++i) {
        EXPECT_NEAR(result.coordinates[i][0] - result.coordinates[0][0], start[i][0] - start[0][0], 1e-5);
    }
    EXPECT_THROW((void)tsne(points.view(), {.dimension = 3}, {}, {.start = start.view()}), InvalidArgument);
}

TEST(Tsne, UsesGivenNeighbours) {
    support::expect_given_neighbors(heaps(120), 24, 0.9, fit_with({.perplexity = 8.0, .iterations = 60}),
                                    fit_with({.perplexity = 30.0}));
}

TEST(Tsne, GivenAffinitiesReplaceTheirComputation) {
    const Points points = heaps(120);
    const TsneOptions options{.perplexity = 8.0, .iterations = 60};
    const NeighborLists lists = exact_neighbors(points.view(), 24, Metric::Euclidean);
    const PowerOfTwoScaling unit(points.view(), {});
    Summary summary;
    CsrMatrix<double> weights =
        widen(neighbor_affinities(unit.points(), {.neighbors = 24, .unit = unit.unit()}, 8.0, summary, {}));
    const Embedding whole =
        support::expect_given_steps_are_used(points, lists, weights, fit_with(options), fit_with({.iterations = 60}));
    for (double& weight : weights.values) {
        weight *= 120.0;  // the sum does not matter
    }
    const Embedding scaled = tsne(points.view(), {.iterations = 60}, {}, {.affinities = &weights});
    EXPECT_NEAR(scaled.summary.value("kl_divergence"), whole.summary.value("kl_divergence"), 1e-3);
    EXPECT_THROW((void)tsne(points.view(), options, {}, {.affinities = &weights}), InvalidArgument);
    EXPECT_THROW((void)tsne(points.view(), {}, {}, {.neighbors = &lists, .affinities = &weights}), InvalidArgument);
    weights.values[5] *= 2.0;
    EXPECT_THROW((void)tsne(points.view(), {}, {}, {.affinities = &weights}), InputError);
}

/// Of five random starts: one alone may end in another optimum.
double median_divergence(const Points& points, TsneOptions options) {
    std::vector<double> divergences;
    options.start = LayoutStart::Random;
    for (options.seed = 0; options.seed < 5; ++options.seed) {
        divergences.push_back(tsne(points.view(), options, reference::on_threads(1)).summary.value("kl_divergence"));
    }
    std::ranges::nth_element(divergences, divergences.begin() + 2);
    return divergences[2];
}

TEST(Tsne, SampledRepulsionReachesTheDivergenceOfAllPairsInAnyDimension) {
    const Points points = heaps(200);
    for (const int dimension : {2, 4}) {
        TsneOptions options{.dimension = dimension, .perplexity = 10.0, .repulsion = TsneRepulsion::Exact};
        options.iterations = 100;
        const double exact = median_divergence(points, options);
        options.repulsion = TsneRepulsion::Sampled;
        EXPECT_NEAR(median_divergence(points, options), exact, 0.1 * exact) << dimension;
    }
}

TEST(Tsne, SmallAndAwkwardPointsGiveNumbers) {
    for (Index count = 3; count <= 50; ++count) {
        support::expect_finite_for_awkward_points(count, "kl_divergence", fit_with({.dimension = 2, .iterations = 60}));
    }
}

TEST(Tsne, StartsThatForcesCannotMoveAreRefused) {
    const Points points = heaps(80);
    Points start = reference::random_points(80, 2, 1);
    start[5][1] = 1e9F;
    FitExtras extras;
    extras.start = start.view();
    for (const TsneRepulsion repulsion : {TsneRepulsion::Exact, TsneRepulsion::BarnesHut, TsneRepulsion::Fft}) {
        EXPECT_THROW((void)tsne(points.view(), {.repulsion = repulsion}, {}, extras), InvalidArgument);
        start[5][1] = 1e6F;
        const Embedding result = tsne(points.view(), {.repulsion = repulsion, .iterations = 20}, {}, extras);
        EXPECT_NO_THROW(require_finite(result.coordinates.view(), "coordinates"));
        start[5][1] = 1e9F;
    }
}

TEST(Tsne, APerplexityBeyondAThirdOfTheOthersIsOneAmongAllOfThem) {
    const Points points = heaps(40);
    for (const double perplexity : {20.0, 38.0, 39.5}) {
        const Embedding result = tsne(points.view(), {.perplexity = perplexity, .iterations = 60});
        EXPECT_EQ(result.options.at("perplexity"), OptionValue{perplexity});
        EXPECT_NO_THROW(require_finite(result.coordinates.view(), "coordinates"));
        const Transformer again(make_model("tsne", points.view(), result), {});
        const Points placed = again.transform(points.view(), {}).coordinates;
        EXPECT_TRUE(std::ranges::equal(placed.values(), result.coordinates.values()));
    }
}

}  // namespace
}  // namespace isogon::tsne_test
