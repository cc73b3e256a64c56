#include "isogon/methods/faithful.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/synthetic/generator.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"

namespace isogon::faithful_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::expect_lengths_of;
using support::Matrix;
using support::same_bits;
using support::to_matrix;
using support::faithful_fits::brief;
using support::faithful_fits::example;
using support::faithful_fits::fit;
using support::faithful_fits::tau;

TEST(Faithful, BeatsSvdOnDigitsInAnglesAndPairs) {
    const Points x = drawn_digits(300).points;
    const ScoreOptions scoring{.threshold = 0.75};
    const Embedding projected = find_method("svd").embed(x.view(), {{"dimension", std::int64_t{8}}}, on_threads(1));
    const Score before = score(x.view(), projected.coordinates.view(), {}, scoring);
    for (const Favor favor : {Favor::Neighbors, Favor::Balanced, Favor::Angles}) {
        const Points y = fit(x, {.dimension = 8, .threshold = 0.75, .favor = favor}).coordinates;
        const Score after = score(x.view(), y.view(), {}, scoring);
        EXPECT_LT(after.mean_angular_deviation_degrees, 0.5 * before.mean_angular_deviation_degrees);
        EXPECT_GT(after.jaccard, 1.5 * before.jaccard);
        EXPECT_LT(after.norm_deviation_max, 1e-6);
    }
}

TEST(Faithful, IsExactWhereTheDimensionSuffices) {
    const Matrix flat = to_matrix(support::clustered_points(150, 4, 8, 0.7, 5));
    const Points x = support::to_points(flat * support::random_orthonormal(30, 4, 6).transpose());
    const Embedding result = fit(x, {.dimension = 4, .threshold = tau, .tolerance = 0.0});
    EXPECT_LT(result.summary.value("relative_residual"), 1e-3);
    EXPECT_EQ(result.summary.value("relaxed"), 0.0);
    EXPECT_LT(score(x.view(), result.coordinates.view(), {}, {.threshold = tau}).mean_angular_deviation_degrees, 0.05);
}

TEST(Faithful, KeepsLengthsToTheRoundingOfFloats) {
    const Points x = example();
    for (const Favor favor : {Favor::Neighbors, Favor::Balanced, Favor::Angles}) {
        for (const PairWeights weights : {PairWeights::Unit, PairWeights::Norms}) {
            FaithfulOptions options = brief;
            options.favor = favor;
            options.weights = weights;
            options.dimension = 2;
            expect_lengths_of(x, fit(x, options).coordinates);
        }
    }
}

TEST(Faithful, IsTheSameBitsForAnyNumberOfThreads) {
    const Points x = example();
    for (const Favor favor : {Favor::Neighbors, Favor::Angles}) {
        FaithfulOptions options = brief;
        options.favor = favor;
        const Embedding one = faithful(x.view(), options, on_threads(1));
        for (const int threads : {2, 3}) {
            EXPECT_TRUE(same_bits(one.coordinates, faithful(x.view(), options, on_threads(threads)).coordinates));
        }
    }
}

/// Up to rounding, whose effect grows from update to update: hence few of them.
TEST(Faithful, DoesNotDependOnTheOrderOfPoints) {
    const Points x = example();
    const std::vector<Index> order = reference::shuffled(x.count(), 3);
    FaithfulOptions options = brief;
    options.iterations = 10;
    const Points direct = fit(x, options).coordinates;
    const Points permuted = fit(reference::reordered(x, order), options).coordinates;
    const Matrix a = to_matrix(reference::reordered(direct, order));
    const Matrix b = to_matrix(permuted);
    EXPECT_LT(support::difference(a * a.transpose(), b * b.transpose()), 1e-3);  // axes may turn
}

TEST(Faithful, ScalesExactlyWithPowersOfTwo) {
    const Points x = example();
    const Points y = fit(x, brief).coordinates;
    for (const float factor : {0.5F, 4.0F, 0x1p-70F, 0x1p70F}) {
        const Points scaled = fit(reference::scaled(x, factor), brief).coordinates;
        EXPECT_TRUE(same_bits(reference::scaled(y, factor), scaled)) << factor;
    }
}

TEST(Faithful, ZeroVectorsStayZeroAndAreCounted) {
    Points x = example();
    for (const Index i : {3U, 77U}) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    for (const PairWeights weights : {PairWeights::Unit, PairWeights::Norms}) {
        for (const FaithfulOutput output : {FaithfulOutput::Cosine, FaithfulOutput::InnerProduct}) {
            FaithfulOptions options = brief;
            options.weights = weights;
            options.output = output;
            options.dimension = 2;
            const Embedding result = fit(x, options);
            EXPECT_EQ(result.summary.value("zero_vectors"), 2.0);
            EXPECT_TRUE(all_finite(result.coordinates));
            EXPECT_EQ(norms(result.coordinates.view())[3], 0.0);
            EXPECT_EQ(norms(result.coordinates.view())[77], 0.0);
        }
    }
}

/// A point without a neighbour above tau lands beside those that it was nearest to.
TEST(Faithful, ConnectsIsolatedPointsToTheirNearest) {
    Matrix x = to_matrix(example());
    x.row(0) = x.row(1).normalized() + 1.2 * support::random_matrix(1, 20, 77).normalized();
    const Points points = support::to_points(x);
    const Embedding result = fit(points, {.dimension = 12, .threshold = tau});
    EXPECT_GE(result.summary.value("isolated"), 1.0);
    EXPECT_GE(result.summary.value("isolated_pairs"), 1.0);
    const Matrix y = to_matrix(result.coordinates);
    const double before = x.row(0).normalized().dot(x.row(1).normalized());
    const double after = y.row(0).normalized().dot(y.row(1).normalized());
    EXPECT_LT(before, tau);
    EXPECT_NEAR(after, before, 0.05);
}

TEST(Faithful, WarnsOfPointsThatCannotBeConnected) {
    Matrix x = Matrix::Zero(41, 6);
    x.topLeftCorner(40, 5) = to_matrix(support::clustered_points(40, 5, 2, 0.3, 1));
    x(40, 5) = 2.0;
    const Points points = support::to_points(x);
    const Embedding result = fit(points, {.dimension = 3, .threshold = tau});
    const auto& warnings = result.summary.warnings;
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                            [](const auto& text) { return text.find("1 points lie 90 degrees") == 0; }));
    expect_lengths_of(points, result.coordinates);
}

TEST(Faithful, DuplicatesAndAwkwardSizesGiveFiniteCoordinates) {
    for (const Index n : {3U, 5U, 20U, 47U, 48U, 49U, 97U}) {
        Points x = support::clustered_points(n, 6, 2, 0.3, n);
        std::copy(x[0].begin(), x[0].end(), x[1].begin());
        for (const int dimension : {1, 2}) {
            const Embedding result = fit(x, {.dimension = dimension, .threshold = tau, .iterations = 30});
            EXPECT_TRUE(all_finite(result.coordinates)) << n;
            expect_lengths_of(x, result.coordinates);
            const Matrix y = to_matrix(result.coordinates);
            EXPECT_LT((y.row(0) - y.row(1)).norm(), 0.02 * y.row(0).norm()) << n;
        }
    }
}

TEST(Faithful, TakesTwoPoints) {
    const Points x = support::to_points((Matrix(2, 2) << 2.0, 0.0, 0.9, 0.2).finished());
    const Embedding result = fit(x, {.dimension = 1, .threshold = 0.5});
    expect_lengths_of(x, result.coordinates);
    EXPECT_GT(result.coordinates[0][0] * result.coordinates[1][0], 0.0F);
}

/// Each option does what its help says: the coordinates, or the number of updates, change with it.
TEST(Faithful, EveryOptionReachesTheRun) {
    const Points x = example();
    FaithfulOptions base = brief;
    base.dimension = 2;  // too few: the form depends on what is favoured
    const Embedding reference = fit(x, base);
    ASSERT_EQ(reference.summary.value("relaxed"), 1.0);
    const auto differs = [&](auto change) {
        FaithfulOptions changed = base;
        change(changed);
        return !same_bits(reference.coordinates, fit(x, changed).coordinates);
    };
    EXPECT_TRUE(differs([](auto& options) { options.threshold = 0.6; }));
    EXPECT_TRUE(differs([](auto& options) { options.favor = Favor::Neighbors; }));
    EXPECT_TRUE(differs([](auto& options) { options.favor = Favor::Angles; }));
    EXPECT_TRUE(differs([](auto& options) { options.weights = PairWeights::Norms; }));
    EXPECT_TRUE(differs([](auto& options) { options.off_support_weight = 3.0; }));
    EXPECT_TRUE(differs([](auto& options) { options.start = FaithfulStart::Tsm; }));
    EXPECT_TRUE(differs([](auto& options) { options.iterations = 20; }));
    EXPECT_TRUE(differs([](auto& options) { options.dimension = 3; }));
    FaithfulOptions changed = base;
    changed.tolerance = 0.5;
    EXPECT_EQ(fit(x, changed).summary.termination, Termination::Converged);
    changed = base;
    changed.start = FaithfulStart::Tsm;
    const Points from_tsm = fit(x, changed).coordinates;
    changed.seed = 9;
    EXPECT_FALSE(same_bits(from_tsm, fit(x, changed).coordinates));
}

TEST(Faithful, ChoosesTheThresholdAndReportsIt) {
    const Embedding result = fit(example(), {.dimension = 4, .iterations = 5});
    const double chosen = result.summary.value("threshold");
    EXPECT_EQ(std::get<double>(result.options.at("threshold")), chosen);
    EXPECT_NEAR(result.summary.value("sparsity"), 0.99, 0.01);
}

/// y_i.y_j - s_i s_j is L of unit points: as far from cos - tau above it, and from 0 below, as the residual says.
TEST(Faithful, ForInnerProductsGivesOneNumberMoreWhoseProductsAreL) {
    const Points x = support::clustered_points(150, 20, 8, 0.5, 5);  // none of them isolated
    for (const int dimension : {2, 12}) {
        FaithfulOptions options = brief;
        options.dimension = dimension;
        options.output = FaithfulOutput::InnerProduct;
        const Embedding result = fit(x, options);
        ASSERT_EQ(result.coordinates.dimension(), static_cast<Index>(dimension) + 1);
        const bool relaxed = result.summary.value("relaxed") == 1.0;
        EXPECT_EQ(relaxed, dimension == 2);
        const Matrix lifted = to_matrix(result.coordinates);
        const Matrix y = lifted.leftCols(dimension);
        const Matrix l = y * y.transpose() - lifted.col(dimension) * lifted.col(dimension).transpose();
        const Matrix s = support::unthresholded(to_matrix(x).rowwise().normalized(), tau).cwiseMax(0.0);
        ASSERT_EQ(result.summary.value("isolated"), 0.0);
        Matrix misfit = (s.array() > 0.0).select(l - s, l.cwiseMax(0.0));
        misfit.diagonal() *= relaxed ? 1.0 : 0.0;
        EXPECT_NEAR(misfit.norm() / s.norm(), result.summary.value("relative_residual"), 1e-3);
    }
}

TEST(Faithful, BeginsAtTheGivenStart) {
    const Points x = example();
    FaithfulOptions options = brief;
    options.dimension = 12;
    for (const PairWeights weights : {PairWeights::Unit, PairWeights::Norms}) {
        options.weights = weights;
        const Embedding reached = fit(x, options);
        FitExtras extras;
        extras.start = reached.coordinates.view();
        const Embedding again = fit(x, options, extras);
        EXPECT_LE(again.summary.trace.front().objective, reached.summary.trace.back().objective);
        EXPECT_GT(reached.summary.trace.front().objective, 2.0 * reached.summary.trace.back().objective);
        // Lengths are those of the inputs whatever those of the start.
        const Points longer = reference::scaled(reached.coordinates, 64.0F);
        extras.start = longer.view();
        EXPECT_TRUE(same_bits(again.coordinates, fit(x, options, extras).coordinates));
    }
}

TEST(Faithful, DrawsDirectionsWhereTheStartHasNone) {
    const Points x = example();
    const Points nowhere(x.count(), 5);
    FitExtras extras;
    extras.start = nowhere.view();
    FaithfulOptions options = brief;
    const Points first = fit(x, options, extras).coordinates;
    EXPECT_TRUE(all_finite(first));
    expect_lengths_of(x, first);
    EXPECT_TRUE(same_bits(first, faithful(x.view(), options, on_threads(3), extras).coordinates));
    options.seed = 1;
    EXPECT_FALSE(same_bits(first, fit(x, options, extras).coordinates));
}

std::string refusal(const Points& x, const FaithfulOptions& options, const Points& start = {}) {
    FitExtras extras;
    extras.start = start.view();
    return support::refused_field([&] { (void)fit(x, options, extras); });
}

TEST(Faithful, RefusesBadOptionsAndStartsByName) {
    Points x = example();
    EXPECT_EQ(refusal(x, {.dimension = 0}), "dimension");
    EXPECT_EQ(refusal(x, {.dimension = 21}), "dimension");
    EXPECT_EQ(refusal(x, {.threshold = 0.0}), "threshold");
    EXPECT_EQ(refusal(x, {.threshold = 1.0}), "threshold");
    EXPECT_EQ(refusal(x, {.threshold = 0.9999}), "threshold");
    EXPECT_EQ(refusal(x, {.off_support_weight = -1.0}), "balance");
    EXPECT_EQ(refusal(x, {.off_support_weight = std::numeric_limits<double>::quiet_NaN()}), "balance");
    EXPECT_EQ(refusal(x, {.iterations = 0}), "iterations");
    EXPECT_EQ(refusal(x, {.tolerance = -1.0}), "tolerance");
    EXPECT_EQ(refusal(x, brief, Points(149, 5)), "start");
    EXPECT_EQ(refusal(x, brief, Points(150, 4)), "start");
    Points start(150, 5);
    start[7][1] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)refusal(x, brief, start), InputError);
    x[4][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)refusal(x, brief), InputError);
}

TEST(Faithful, NeverYieldsNumbersThatAreNotFiniteWhateverTheBalance) {
    const Points x = example();
    for (const double off_support_weight : {0.0, 1e-30, 1e30, 1e300}) {
        for (const Favor favor : {Favor::Balanced, Favor::Angles}) {
            FaithfulOptions options = brief;
            options.dimension = 2;
            options.off_support_weight = off_support_weight;
            options.favor = favor;
            FitExtras extras;
            extras.checkpoint = [](const Archive&) {};
            extras.checkpoint_seconds = 0.0;
            EXPECT_TRUE(all_finite(fit(x, options, extras).coordinates)) << off_support_weight;
        }
    }
}

TEST(Faithful, StatesItsMemoryBeforeWork) {
    RunContext context;
    context.memory_limit = 100000;
    bool reported = false;
    context.on_iteration = [&](const Progress& progress) { reported = reported || progress.phase == "similarities"; };
    EXPECT_THROW((void)faithful(example().view(), brief, context), LimitExceeded);
    EXPECT_FALSE(reported);
}

}  // namespace
}  // namespace isogon::faithful_test
