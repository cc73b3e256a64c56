#include "methods/matching/local_faithful.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/synthetic/generator.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"
#include "support/many_points.hpp"
#include "support/sanitizers.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::local_faithful_test {
namespace {

using reference::on_threads;
using support::same_bits;
using support::faithful_fits::example;
using support::faithful_fits::fit;
using support::faithful_fits::local;

class LocalFaithful : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, LocalFaithful, testing::Values(Metric::Cosine, Metric::Euclidean));

TEST_P(LocalFaithful, KeepsMoreNeighborsOfDigitsThanSvdAndTheGlobalForm) {
    const Points x = drawn_digits(400).points;
    const Metric metric = GetParam();
    const NeighborLists lists = exact_neighbors(x.view(), 6, metric);
    const auto kept = [&](const Points& y) { return kept_neighbors(lists, x.view(), y.view(), metric, {}).neighbors; };
    const Embedding found = fit(x, local(metric, 16));
    const Embedding projected = find_method("svd").embed(x.view(), {{"dimension", std::int64_t{16}}}, on_threads(1));
    EXPECT_GT(kept(found.coordinates), 0.93);
    EXPECT_GT(kept(found.coordinates), kept(fit(x, {.dimension = 16, .neighbors = 0}).coordinates));
    EXPECT_GT(kept(found.coordinates), kept(projected.coordinates));
    EXPECT_EQ(found.summary.value("kept_neighbors"), kept(found.coordinates));
}

TEST_P(LocalFaithful, KeepsAllWhereTheDimensionSuffices) {
    const Points x = reference::random_points(120, 5, 3, 1.0);
    FaithfulOptions options = local(GetParam(), 5);
    if (GetParam() == Metric::Cosine) {
        options.favor = Favor::Neighbors;
    }
    options.tolerance = 0.0;
    const Embedding found = fit(x, options);
    EXPECT_GE(found.summary.value("all_kept"), 0.99);
    EXPECT_LT(found.summary.value("relative_residual"), 1e-3);
}

TEST_P(LocalFaithful, IsTheSameBitsForAnyNumberOfThreadsAndRanks) {
    const Points x = example();
    const Points one = fit(x, local(GetParam())).coordinates;
    EXPECT_TRUE(same_bits(one, fit(x, local(GetParam()), on_threads(3)).coordinates));
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const DistributedPoints shared(x.view(), communicator);
        EXPECT_TRUE(same_bits(one, faithful(shared, local(GetParam()), on_threads(1)).coordinates));
    });
}

TEST_P(LocalFaithful, ScalesExactlyWithPowersOfTwo) {
    const Points x = example();
    Points larger = x;
    for (float& value : larger.values()) {
        value *= 0x1p40F;
    }
    Points y = fit(x, local(GetParam())).coordinates;
    for (float& value : y.values()) {
        value *= 0x1p40F;
    }
    EXPECT_TRUE(same_bits(fit(larger, local(GetParam())).coordinates, y));
}

TEST_P(LocalFaithful, ResumesWithTheSameBits) {
    const Points x = example();
    FaithfulOptions options = local(GetParam());
    options.tolerance = 0.0;
    options.iterations = 40;
    const Points whole = fit(x, options).coordinates;
    Archive saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    extras.checkpoint_seconds = 3600.0;
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    int updates = 0;
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "matching" && ++updates == 15) {
            source.request_stop();
        }
    };
    const Embedding stopped = fit(x, options, context, extras);
    ASSERT_EQ(stopped.summary.termination, Termination::Cancelled);
    ASSERT_FALSE(saved.arrays.empty());
    FitExtras resumed;
    resumed.resume = &saved;
    EXPECT_TRUE(same_bits(fit(x, options, on_threads(1), resumed).coordinates, whole));
}

TEST_P(LocalFaithful, ShowsACallbackTheCoordinatesThatAnEndOfTheRunGives) {
    Points x = example();
    for (float& value : x.values()) {
        value *= 0x1p30F;  // solved in a smaller unit
    }
    for (const int dimension : {2, 8}) {
        std::stop_source source;
        RunContext context = on_threads(1);
        context.stop = source.get_token();
        Points seen;
        int updates = 0;
        context.on_iteration = [&](const Progress& progress) {
            EXPECT_EQ(static_cast<bool>(progress.coordinates), progress.phase == "matching");
            if (progress.phase == "matching" && ++updates == 15) {
                seen = progress.coordinates();
                source.request_stop();
            }
        };
        const Embedding stopped = fit(x, local(GetParam(), dimension), context);
        ASSERT_EQ(stopped.summary.termination, Termination::Cancelled);
        EXPECT_TRUE(same_bits(seen, stopped.coordinates)) << dimension;
    }
}

TEST_P(LocalFaithful, DuplicatesZeroVectorsAndAwkwardSizesGiveFiniteCoordinates) {
    for (const Index count : {4U, 48U, 49U, 97U}) {
        Points x = support::clustered_points(count, 6, 3, 0.7, count);
        std::fill(x[1].begin(), x[1].end(), 0.0F);
        for (Index i = 2; i < count; i += 3) {
            std::copy(x[i - 1].begin(), x[i - 1].end(), x[i].begin());
        }
        FaithfulOptions options = local(GetParam(), 2);
        options.neighbors = 3;
        const Points y = fit(x, options).coordinates;
        EXPECT_TRUE(
            std::all_of(y.values().begin(), y.values().end(), [](float value) { return std::isfinite(value); }));
    }
}

// Two clusters of densities that differ by 1e4: distances count relative to those of the pair's own surroundings.
TEST(LocalFaithfulByDistance, KeepsNeighborsInDenseAndInSparseRegionsAlike) {
    Points x = reference::random_points(200, 4, 9);
    for (Index i = 0; i < 100; ++i) {
        for (float& value : x[i]) {
            value = value * 1e-4F + 0.5F;
        }
    }
    const Embedding found = fit(x, {.dimension = 4, .neighbors = 6, .metric = Metric::Euclidean, .tolerance = 0.0});
    EXPECT_GT(found.summary.value("kept_neighbors"), 0.98);
}

TEST(LocalFaithfulByDistance, IsCentredOnPrincipalAxes) {
    const Points x = example();
    const Points y = fit(x, local(Metric::Euclidean)).coordinates;
    const support::Matrix m = support::to_matrix(y);
    const support::Matrix gram = m.transpose() * m;
    EXPECT_LT(m.colwise().mean().norm(), 1e-5 * m.norm());
    for (Index c = 1; c < gram.cols(); ++c) {
        EXPECT_LE(gram(c, c), gram(c - 1, c - 1) * (1.0 + 1e-6));
        EXPECT_LT(std::abs(gram(c, c - 1)), 1e-5 * gram(0, 0));
    }
}

TEST(LocalFaithfulByAngle, KeepsLengths) {
    const Points x = example();
    support::expect_lengths_of(x, fit(x, local(Metric::Cosine)).coordinates);
}

TEST(LocalFaithfulByAngle, WeighsAnglesAsItIsAsked) {
    const Points x = drawn_digits(400).points;
    const auto fitted = [&](Favor favor) {
        return fit(x, {.dimension = 10, .threshold = 0.7, .neighbors = 6, .favor = favor});
    };
    const auto deviation = [&](const Embedding& found) {
        return score(x.view(), found.coordinates.view(), {}, {.threshold = 0.7}).mean_angular_deviation_degrees;
    };
    const Embedding neighbors = fitted(Favor::Neighbors);
    const Embedding balanced = fitted(Favor::Balanced);
    const Embedding angles = fitted(Favor::Angles);
    EXPECT_GT(deviation(neighbors), deviation(balanced));
    EXPECT_GT(deviation(balanced), deviation(angles));
    EXPECT_GT(neighbors.summary.value("kept_neighbors"), angles.summary.value("kept_neighbors"));
    EXPECT_EQ(neighbors.summary.value("angle_weight"), 0.0);
    EXPECT_GT(angles.summary.value("angle_weight"), balanced.summary.value("angle_weight"));
}

TEST(LocalFaithfulByAngle, IsTheDefaultWhereTheDimensionSuffices) {
    const Points x = drawn_digits(400).points;
    const Embedding found = fit(x, {.dimension = 16});
    EXPECT_TRUE(same_bits(found.coordinates, fit(x, {.dimension = 16, .neighbors = 12}).coordinates));
    EXPECT_EQ(std::get<std::int64_t>(found.options.at("neighbors")), 12);
    const Embedding one = fit(x, {.dimension = 16, .threshold = found.summary.value("threshold")});
    EXPECT_TRUE(same_bits(one.coordinates, fit(x, {.dimension = 16, .neighbors = 0}).coordinates));
    EXPECT_GT(found.summary.value("kept_neighbors"),
              kept_neighbors(exact_neighbors(x.view(), 12, Metric::Cosine), x.view(), one.coordinates.view(),
                             Metric::Cosine, {})
                  .neighbors);
}

// Where d is too small for the angles the relaxed form with one threshold stays, and what it keeps is reported, too.
TEST(LocalFaithfulByAngle, LeavesTheFormWhereTheDimensionDoesNotSuffice) {
    const Points x = example();
    const Embedding found = fit(x, {.dimension = 2});
    ASSERT_EQ(found.summary.value("relaxed"), 1.0);
    EXPECT_TRUE(same_bits(found.coordinates, fit(x, {.dimension = 2, .neighbors = 0}).coordinates));
    EXPECT_EQ(std::get<std::int64_t>(found.options.at("neighbors")), 0);
    EXPECT_FALSE(found.local_placement.has_value());
    EXPECT_GT(found.summary.value("kept_neighbors"), 0.0);
    ASSERT_FALSE(found.summary.warnings.empty());
    EXPECT_NE(found.summary.warnings.back().find("tsne and umap"), std::string::npos);
}

TEST(LocalFaithfulByAngle, TakesFewerPointsThanTheUsualNeighbors) {
    for (const Index count : {3U, 4U, 10U}) {
        const Points x = support::clustered_points(count, 6, 1, 0.3, count);
        const Embedding found = fit(x, {.dimension = 2});
        support::expect_lengths_of(x, found.coordinates);
    }
}

using ManyPoints = support::ManyPoints;

TEST_F(ManyPoints, KeepTheirNeighborsByLists) {
    FaithfulOptions more = options();
    more.iterations = 40;
    const Embedding found = fit(many(), more, on_threads(2));
    EXPECT_GT(found.summary.value("kept_neighbors"), 0.9);
    EXPECT_GT(found.summary.value("listed_passes"), 20.0);
    EXPECT_LT(found.summary.value("whole_scans"), 0.5 * found.summary.value("listed_passes"));
    EXPECT_EQ(found.summary.value("angle_weight"), 0.0);
    EXPECT_EQ(std::get<std::string>(found.options.at("favor")), "neighbors");
    const Points x = many();
    for (Index i = 0; i < x.count(); i += 1000) {
        EXPECT_NEAR(norms(found.coordinates.view())[i], norms(x.view())[i], 1e-5 * norms(x.view())[i]);
    }
}

TEST_F(ManyPoints, GoTheUsualWayWhereTheDimensionDoesNotSuffice) {
    FaithfulOptions few = options();
    few.dimension = 2;
    std::stop_source source;
    RunContext context = on_threads(2);
    context.stop = source.get_token();
    std::string last;
    bool tried = false;
    context.on_iteration = [&](const Progress& progress) {
        tried = tried || progress.phase == "trial";
        last = progress.phase;
        if (progress.phase == "similarities") {
            source.request_stop();
        }
    };
    EXPECT_EQ(fit(many(), few, context).summary.termination, Termination::Cancelled);
    EXPECT_TRUE(tried);
    EXPECT_EQ(last, "similarities") << "of all points, which neighbours alone do not need";
}

}  // namespace
}  // namespace isogon::local_faithful_test
