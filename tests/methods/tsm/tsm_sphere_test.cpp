#include "methods/tsm/tsm_sphere.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "decomposition/riemannian_lbfgs.hpp"
#include "isogon/core/error.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/synthetic/generator.hpp"
#include "support/dense_matrices.hpp"
#include "support/embeddings.hpp"
#include "support/matching_examples.hpp"

namespace isogon::tsm_sphere_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::expect_lengths_of;
using support::Matrix;
using support::same_bits;
using support::to_matrix;

constexpr double tau = 0.7;
const TsmOptions brief{.dimension = 5, .threshold = tau, .solver = TsmSolver::Sphere, .iterations = 40};

Points example() {
    return support::clustered_points(150, 20, 8, 0.7, 5);
}

Embedding fit(const Points& x, const TsmOptions& options, const FitExtras& extras = {},
              const RunContext& context = on_threads(1)) {
    return tsm(x.view(), options, context, extras);
}

TsmOptions in_dimensions(int dimension) {
    TsmOptions options = brief;
    options.dimension = dimension;
    return options;
}

Score judged(const Points& x, const Points& y, double threshold) {
    return score(x.view(), y.view(), {}, {.threshold = threshold});
}

TEST(TsmSphere, KeepsAnglesOfDigitsBetterThanTheLowRankMatrix) {
    const Points x = drawn_digits(300).points;
    TsmOptions options{.dimension = 16, .threshold = 0.75};
    const Score low_rank = judged(x, fit(x, options).coordinates, 0.75);
    options.solver = TsmSolver::Sphere;
    const Score sphere = judged(x, fit(x, options).coordinates, 0.75);
    EXPECT_LT(sphere.mean_angular_deviation_degrees, 0.7 * low_rank.mean_angular_deviation_degrees);
    EXPECT_GT(sphere.jaccard, low_rank.jaccard);
}

TEST(TsmSphere, IsExactWhereTheDimensionSuffices) {
    const Matrix flat = to_matrix(support::clustered_points(150, 4, 8, 0.7, 5));
    const Points x = support::to_points(flat * support::random_orthonormal(30, 4, 6).transpose());
    TsmOptions options{.dimension = 4, .threshold = tau, .solver = TsmSolver::Sphere, .tolerance = 0.0};
    const Embedding result = fit(x, options);
    EXPECT_LT(result.summary.value("relative_residual"), 1e-3);
    EXPECT_LT(judged(x, result.coordinates, tau).mean_angular_deviation_degrees, 0.05);
}

TEST(TsmSphere, KeepsLengths) {
    const Points x = example();
    for (const int dimension : {1, 2, 12}) {
        expect_lengths_of(x, fit(x, in_dimensions(dimension)).coordinates);
    }
}

/// |S - max(0, L)| / |S| of directions, by its definition, at the coordinates that come out.
TEST(TsmSphere, ReportsTheResidualOfItsCoordinates) {
    const Points x = support::clustered_points(60, 10, 4, 0.5, 3);
    const Embedding result = fit(x, in_dimensions(3));
    ASSERT_EQ(result.summary.value("isolated"), 0.0);
    const Matrix s = support::unthresholded(to_matrix(x).rowwise().normalized(), tau).cwiseMax(0.0);
    const Matrix l = support::unthresholded(to_matrix(result.coordinates).rowwise().normalized(), tau);
    const Matrix above = support::support_mask(s);
    constexpr double off_support_weight = 0.8;
    const Matrix misfit = above.cwiseProduct(l - s) +
                          std::sqrt(off_support_weight) * (1.0 - above.array()).matrix().cwiseProduct(l.cwiseMax(0.0));
    EXPECT_NEAR(result.summary.value("relative_residual"), misfit.norm() / s.norm(), 1e-5);
    const auto violating = ((1.0 - above.array()) * (l.array() > 0.0).cast<double>()).sum() / 2.0;
    EXPECT_EQ(result.summary.value("violating_pairs"), violating);
}

TEST(TsmSphere, ZeroVectorsStayZeroAndAreCounted) {
    Points x = example();
    for (const Index i : {3U, 77U}) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    const Embedding result = fit(x, brief);
    EXPECT_EQ(result.summary.value("zero_vectors"), 2.0);
    EXPECT_TRUE(all_finite(result.coordinates));
    EXPECT_EQ(norms(result.coordinates.view())[3], 0.0);
    EXPECT_EQ(norms(result.coordinates.view())[77], 0.0);
}

/// A point without a neighbour above tau lands beside those that it was nearest to.
TEST(TsmSphere, TiesIsolatedPointsToTheirNearest) {
    Matrix x = to_matrix(example());
    x.row(0) = x.row(1).normalized() + 1.2 * support::random_matrix(1, 20, 77).normalized();
    const Embedding result = fit(support::to_points(x), in_dimensions(12));
    EXPECT_GE(result.summary.value("isolated"), 1.0);
    EXPECT_GE(result.summary.value("isolated_pairs"), 1.0);
    const Matrix y = to_matrix(result.coordinates);
    const double before = x.row(0).normalized().dot(x.row(1).normalized());
    EXPECT_LT(before, tau);
    EXPECT_NEAR(y.row(0).normalized().dot(y.row(1).normalized()), before, 0.05);
}

TEST(TsmSphere, WarnsOfPointsThatNothingTies) {
    Matrix x = Matrix::Zero(41, 6);
    x.topLeftCorner(40, 5) = to_matrix(support::clustered_points(40, 5, 2, 0.3, 1));
    x(40, 5) = 2.0;
    const Points points = support::to_points(x);
    const Embedding result = fit(points, in_dimensions(3));
    EXPECT_TRUE(std::ranges::any_of(result.summary.warnings,
                                    [](const auto& text) { return text.starts_with("1 points lie 90 degrees"); }));
    expect_lengths_of(points, result.coordinates);
}

TEST(TsmSphere, AwkwardSizesGiveFiniteCoordinates) {
    for (const Index n : {2U, 3U, 20U, 47U, 48U, 49U, 97U}) {
        Points x = support::clustered_points(n, 6, n > 40 ? 2 : 1, 0.3, n);
        std::copy(x[0].begin(), x[0].end(), x[1].begin());  // a duplicate
        x[1][0] += n == 2 ? 0.1F : 0.0F;
        const Embedding result = fit(x, in_dimensions(1));
        EXPECT_TRUE(all_finite(result.coordinates)) << n;
        expect_lengths_of(x, result.coordinates);
    }
}

/// Each option does what its help says: the coordinates, or the number of updates, change with it.
TEST(TsmSphere, EveryOptionReachesTheRun) {
    const Points x = example();
    const Embedding reference = fit(x, brief);
    TsmOptions changed = brief;
    changed.solver = TsmSolver::LowRank;
    EXPECT_FALSE(same_bits(reference, fit(x, changed)));
    changed = brief;
    changed.threshold = 0.6;
    EXPECT_FALSE(same_bits(reference, fit(x, changed)));
    changed = brief;
    changed.iterations = 30;
    EXPECT_EQ(fit(x, changed).summary.trace.size(), 30U);
    changed = brief;
    changed.tolerance = 0.5;
    EXPECT_EQ(fit(x, changed).summary.termination, Termination::Converged);
    changed = brief;
    changed.tolerance.reset();
    EXPECT_EQ(std::get<double>(fit(x, changed).options.at("tolerance")), 5e-4);
    changed = brief;
    changed.threshold.reset();
    EXPECT_EQ(std::get<double>(fit(x, changed).options.at("threshold")), fit(x, changed).summary.value("threshold"));
}

TEST(TsmSphere, BeginsAtTheGivenStart) {
    const Points x = example();
    const Embedding reached = fit(x, brief);
    FitExtras extras;
    extras.start = reached.coordinates.view();
    const Embedding again = fit(x, brief, extras);
    EXPECT_LE(again.summary.trace.front().objective, reached.summary.trace.back().objective);
    EXPECT_GT(reached.summary.trace.front().objective, reached.summary.trace.back().objective);
    // Lengths are those of the inputs whatever those of the start.
    const Points longer = reference::scaled(reached.coordinates, 64.0F);
    extras.start = longer.view();
    EXPECT_TRUE(same_bits(again, fit(x, brief, extras)));
}

TEST(TsmSphere, DrawsDirectionsWhereTheStartHasNone) {
    const Points x = example();
    const Points nowhere(x.count(), 5);
    FitExtras extras;
    extras.start = nowhere.view();
    const Embedding first = fit(x, brief, extras);
    EXPECT_TRUE(all_finite(first.coordinates));
    expect_lengths_of(x, first.coordinates);
    TsmOptions other = brief;
    other.seed = 1;
    EXPECT_FALSE(same_bits(first, fit(x, other, extras)));
}

TEST(TsmSphere, ResumesFromEveryCheckpointToTheSameBits) {
    const Points x = example();
    std::vector<Archive> saved;
    FitExtras saving;
    saving.checkpoint_seconds = 0.0;
    saving.checkpoint = [&](const Archive& archive) { saved.push_back(archive); };
    const Embedding whole = fit(x, brief, saving);
    ASSERT_EQ(saved.size(), whole.summary.trace.size());
    for (const std::size_t k : {0U, 11U, 25U}) {
        FitExtras resuming;
        resuming.resume = &saved[k];
        const Embedding resumed = fit(x, brief, resuming);
        EXPECT_TRUE(same_bits(whole, resumed)) << k;
        EXPECT_EQ(resumed.summary.trace.size(), whole.summary.trace.size());
    }
    FitExtras other;
    other.resume = &saved[3];
    EXPECT_THROW((void)fit(x, in_dimensions(6), other), InputError);
    EXPECT_THROW((void)fit(reference::scaled(x, 2.0F), brief, other), InputError);
    saved[3].arrays.erase("position");
    EXPECT_THROW((void)fit(x, brief, other), InputError);
}

TEST(TsmSphere, LeavesACheckpointAndTheBestSoFarWhenStopped) {
    const Points x = example();
    std::optional<Archive> saved;
    FitExtras extras;
    extras.checkpoint_seconds = 1e6;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    const Embedding stopped = fit(x, brief, extras, support::cancelled_at("matching", 12));
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    ASSERT_TRUE(saved);
    TsmOptions twelve = brief;
    twelve.iterations = 12;
    EXPECT_TRUE(same_bits(stopped, fit(x, twelve)));
    FitExtras resuming;
    resuming.resume = &*saved;
    EXPECT_TRUE(same_bits(fit(x, brief, resuming), fit(x, brief)));
}

TEST(TsmSphere, EndsWithTheDirectionsOfSvdWhenStoppedBeforeTheMatching) {
    const Embedding stopped = fit(example(), brief, {}, support::cancelled_at("similarities", 1));
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_NE(stopped.summary.message.find("svd"), std::string::npos);
    expect_lengths_of(example(), stopped.coordinates);
}

TEST(TsmSphere, ShowsACallbackWhatAnEndAtItsStepGives) {
    const Points x = reference::scaled(example(), 0x1p40F);
    Points seen;
    std::stop_source stop;
    RunContext context = on_threads(1);
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "matching" && progress.done == 4) {
            seen = progress.coordinates();
            stop.request_stop();
        }
    };
    EXPECT_TRUE(same_bits(seen, fit(x, brief, {}, context).coordinates));
}

TEST(TsmSphere, StatesItsMemoryBeforeWorkAndThatOfCheckpoints) {
    const Points x = example();
    const auto need = [&](const FitExtras& extras) {
        std::uint64_t last = 0;
        RunContext context = on_threads(1);
        context.on_need = [&](std::uint64_t bytes) { last = bytes; };
        (void)fit(x, brief, extras, context);
        return last;
    };
    FitExtras saving;
    saving.checkpoint = [](const Archive&) {};
    EXPECT_EQ(need(saving), need({}) + RiemannianLbfgs::bytes(150, 150, 5, {}));
    RunContext context;
    context.memory_limit = 100000;
    bool reported = false;
    context.on_iteration = [&](const Progress& progress) { reported = reported || progress.phase == "similarities"; };
    EXPECT_THROW((void)fit(x, brief, {}, context), LimitExceeded);
    EXPECT_FALSE(reported);
}

TEST(TsmSphere, RefusesStartsThatDoNotFit) {
    const Points x = example();
    const auto refusal = [&](const TsmOptions& options, const Points& start) {
        FitExtras extras;
        extras.start = start.view();
        return support::refused_field([&] { (void)fit(x, options, extras); });
    };
    EXPECT_EQ(refusal(brief, Points(149, 5)), "start");
    EXPECT_EQ(refusal(brief, Points(150, 4)), "start");
    EXPECT_EQ(refusal({.dimension = 5}, Points(150, 5)), "solver");
    Points start(150, 5);
    start[7][1] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)refusal(brief, start), InputError);
    FitExtras saving;
    saving.checkpoint = [](const Archive&) {};
    EXPECT_EQ(support::refused_field([&] { (void)fit(x, {.dimension = 5}, saving); }), "solver");
}

}  // namespace
}  // namespace isogon::tsm_sphere_test
