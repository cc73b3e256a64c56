#include "isogon/faithful/faithful.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/synthetic/generator.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/kept_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::faithful_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::Matrix;
using support::same_bits;
using support::to_matrix;
using support::faithful_fits::brief;
using support::faithful_fits::example;
using support::faithful_fits::fit;

double kept(const Points& x, const Points& y, Metric metric = Metric::Euclidean, Index k = 10) {
    return kept_neighbors(exact_neighbors(x.view(), k, metric), x.view(), y.view(), metric, {}).neighbors;
}

double kept_by(const char* method, const Points& x, std::int64_t d) {
    return kept(x, find_method(method).embed(x.view(), {{"dimension", d}}, on_threads(2)).coordinates);
}

// The claim of the method, at every d: more neighbours than the peers that are made for them.
TEST(Faithful, KeepsMoreNeighborsThanItsPeers) {
    const Points x = drawn_digits(1500).points;
    for (const int d : {5, 8, 16}) {
        const double own = kept(x, fit(x, {.dimension = d}, on_threads(2)).coordinates);
        EXPECT_GT(own, 1.1 * kept_by("umap", x, d)) << d;
        EXPECT_GT(own, 1.1 * kept_by("pca", x, d)) << d;
    }
}

TEST(Faithful, KeepsAllNeighborsWhereTheDimensionSuffices) {
    const Points x = example();
    const Embedding result = fit(x, {.dimension = 20, .neighbors = 6});
    EXPECT_EQ(result.summary.value("all_kept"), 1.0);
    EXPECT_EQ(kept(x, result.coordinates, Metric::Euclidean, 6), 1.0);
    EXPECT_EQ(result.summary.value("updates_robust_0.1", -1.0), -1.0);
}

TEST(Faithful, TakesEveryMetric) {
    const Points numbers = example();
    Points bits = numbers;
    for (float& value : bits.values()) {
        value = value > 0.1F ? 1.0F : 0.0F;
    }
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::Manhattan, Metric::Correlation,
                                Metric::Hamming, Metric::Jaccard}) {
        const Points& x = metric == Metric::Hamming || metric == Metric::Jaccard ? bits : numbers;
        const Embedding result = fit(x, {.dimension = 12, .neighbors = 6, .metric = metric});
        EXPECT_GT(result.summary.value("kept_neighbors"), 0.8) << name(metric);
        EXPECT_EQ(result.summary.value("kept_neighbors"),
                  kept_neighbors(exact_neighbors(x.view(), 6, metric), x.view(), result.coordinates.view(), metric, {})
                      .neighbors)
            << name(metric);
    }
}

TEST(Faithful, OfATableOrListsOfDistancesIsThatOfThePoints) {
    const Points x = example();
    Points table(x.count(), x.count());
    for (Index i = 0; i < x.count(); ++i) {
        for (Index j = 0; j < x.count(); ++j) {
            table[i][j] = static_cast<float>(distance_between(x[i], x[j], Metric::Euclidean));
        }
    }
    const Embedding of_table = fit(table, {.dimension = 12, .neighbors = 6, .metric = Metric::Precomputed});
    EXPECT_GT(kept(x, of_table.coordinates, Metric::Euclidean, 6), 0.95);
    EXPECT_FALSE(of_table.local_placement.has_value());
    const NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    const Embedding of_lists =
        faithful(PointsView(nullptr, x.count(), 0), {.dimension = 12}, on_threads(1), {.neighbors = &lists});
    EXPECT_GT(kept(x, of_lists.coordinates, Metric::Euclidean, 6), 0.95);
}

TEST(Faithful, IsTheSameBitsForAnyNumberOfThreadsAndRanks) {
    const Points x = example();
    for (const int d : {2, 5, 12}) {
        for (const Metric metric : {Metric::Euclidean, Metric::Cosine}) {
            FaithfulOptions options = brief;
            options.dimension = d;
            options.metric = metric;
            const Embedding one = fit(x, options);
            EXPECT_TRUE(same_bits(one.coordinates, fit(x, options, on_threads(3)).coordinates));
            support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
                const DistributedPoints shared(x.view(), communicator);
                EXPECT_TRUE(same_bits(one.coordinates, faithful(shared, options, on_threads(1)).coordinates)) << d;
            });
        }
    }
}

TEST(Faithful, ScalesExactlyWithPowersOfTwo) {
    const Points x = example();
    for (const int d : {2, 5, 12}) {
        FaithfulOptions options = brief;
        options.dimension = d;
        const Points y = fit(x, options).coordinates;
        for (const float factor : {0.5F, 4.0F, 0x1p-70F, 0x1p70F}) {
            EXPECT_TRUE(same_bits(reference::scaled(y, factor), fit(reference::scaled(x, factor), options).coordinates))
                << factor;
        }
    }
}

TEST(Faithful, OutputsAreCentredOnTheirPrincipalAxes) {
    const Matrix y = to_matrix(fit(example(), brief).coordinates);
    EXPECT_LT(y.colwise().mean().norm(), 1e-5 * y.norm());
    const Matrix covariance = y.transpose() * y;
    for (Index k = 0; k + 1 < 5; ++k) {
        EXPECT_GE(covariance(k, k), covariance(k + 1, k + 1));
        EXPECT_LT(std::abs(covariance(k, k + 1)), 1e-4 * covariance(0, 0));
    }
}

TEST(Faithful, EndsWithTSneWhereAMapIsCrowded) {
    const Embedding result = fit(drawn_digits(500).points, {.dimension = 2});
    EXPECT_EQ(result.summary.value("crowded"), 1.0);
    ASSERT_EQ(result.summary.warnings.size(), 1U);
    EXPECT_NE(result.summary.warnings[0].find("t-SNE"), std::string::npos);
    const Embedding flat = fit(reference::random_points(300, 2, 3), {.dimension = 2});
    EXPECT_TRUE(flat.summary.warnings.empty());
    EXPECT_EQ(flat.summary.value("all_kept"), 1.0);
}

TEST(Faithful, DuplicatesAndAwkwardSizesGiveFiniteCoordinates) {
    for (const Index count : {2U, 3U, 4U, 13U, 47U, 97U}) {
        for (const int d : {1, 2, 4}) {
            if (static_cast<Index>(d) >= count) {
                continue;
            }
            Points x = reference::random_points(count, 5, 3);
            for (Index i = 1; i + 1 < count; i += 3) {
                std::copy(x[i].begin(), x[i].end(), x[i - 1].begin());
            }
            const Embedding result = fit(x, {.dimension = d, .iterations = 50});
            EXPECT_TRUE(all_finite(result.coordinates)) << count << " " << d;
            EXPECT_EQ(result.coordinates.count(), count);
        }
    }
}

TEST(Faithful, BeginsAtTheGivenStart) {
    const Points x = example();
    const Points start = fit(x, {.dimension = 12, .neighbors = 6}).coordinates;
    const Embedding again = fit(x, {.dimension = 12, .neighbors = 6, .iterations = 1}, {.start = start.view()});
    EXPECT_LT(support::difference(to_matrix(again.coordinates), to_matrix(start)), 0.05 * to_matrix(start).norm());
    const Points narrow(x.count(), 3);
    EXPECT_THROW((void)fit(x, brief, {.start = narrow.view()}), InvalidArgument);
}

// More points, started from the coordinates of those that there were: these stay where they are.
TEST(Faithful, KeepsTheStartInPlaceWhereMorePointsAreFitted) {
    const Points all = drawn_digits(600).points;
    const std::vector<Index> numbers = reference::every_point(600);
    const Points old = reference::reordered(all, {numbers.begin(), numbers.begin() + 500});
    for (const int d : {5, 16}) {
        const Embedding fitted = fit(old, {.dimension = d}, on_threads(2));
        const Transformer model(make_model("faithful", old.view(), fitted), {});
        const Points start = model.transform(all.view(), on_threads(2)).coordinates;
        const Points again = fit(all, {.dimension = d}, on_threads(2), {.start = start.view()}).coordinates;
        const Points anew = fit(all, {.dimension = d}, on_threads(2)).coordinates;
        const Matrix before = to_matrix(fitted.coordinates);
        const auto moved = [&](const Points& y) { return (to_matrix(y).topRows(500) - before).norm() / before.norm(); };
        EXPECT_LT(moved(again), 0.3) << d;
        EXPECT_GT(moved(anew), 0.6) << d;
        EXPECT_GT(kept(all, again), kept(all, anew) - 0.02) << d;
    }
}

// A checkpoint of a later stage goes on as the run would have; other iterations of its first stage would be a lie.
TEST(Faithful, GoesOnInALaterStageWithTheSameIterationsAlone) {
    const Points x = drawn_digits(300).points;
    const FaithfulOptions options{.dimension = 4, .iterations = 40};
    std::optional<Archive> saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    int updates = 0;
    context.on_iteration = [&](const Progress& progress) {
        updates += progress.phase == "matching" ? 1 : 0;
        if (updates == options.iterations + 10) {
            source.request_stop();
        }
    };
    EXPECT_EQ(fit(x, options, context, extras).summary.termination, Termination::Cancelled);
    ASSERT_TRUE(saved);
    ASSERT_GT(saved->count("stage"), 0U);
    EXPECT_TRUE(same_bits(fit(x, options, {.resume = &*saved}).coordinates, fit(x, options).coordinates));
    FaithfulOptions longer = options;
    longer.iterations = 60;
    EXPECT_THROW((void)fit(x, longer, {.resume = &*saved}), InputError);
}

TEST(Faithful, EveryOptionReachesTheRun) {
    const Points x = drawn_digits(300).points;
    const FaithfulOptions usual{.dimension = 4, .iterations = 30};
    const Points y = fit(x, usual).coordinates;
    std::set<std::string> options;
    const auto changes = [&](const char* option, const FaithfulOptions& other) {
        options.insert(option);
        EXPECT_FALSE(same_bits(y, fit(x, other).coordinates)) << option;
    };
    const auto with = [&](const auto& change) {
        FaithfulOptions other = usual;
        change(other);
        return other;
    };
    changes("neighbors", with([](FaithfulOptions& o) { o.neighbors = 6; }));
    changes("metric", with([](FaithfulOptions& o) { o.metric = Metric::Cosine; }));
    changes("iterations", with([](FaithfulOptions& o) { o.iterations = 31; }));
    changes("tolerance", with([](FaithfulOptions& o) { o.tolerance = 0.05; }));
    changes("seed", with([](FaithfulOptions& o) { o.seed = 1; }));
    options.insert({"dimension", "recall"});  // tests of their own
    for (const OptionSpec& spec : faithful_method().options) {
        EXPECT_TRUE(options.contains(spec.name)) << spec.name;
    }
}

}  // namespace
}  // namespace isogon::faithful_test
