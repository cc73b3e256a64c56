#include "decomposition/relu_decomposition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <tuple>

#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::dense_relu_decomposition_test {
namespace {

using reference::on_threads;
using support::clustered_points;
using Example = support::MatchingExample;
using support::Matrix;
using support::start_of;
using support::to_matrix;

/// Few enough points that the eigensolver spans the whole space, and is exact, within four products. Its T is set
/// lower than that of the points.
Example small_example(std::uint64_t seed = 1) {
    return support::example_with_negative_lift(24, seed);
}

/// Options that make the eigen-step exact to rounding.
DenseReluOptions exact_options(Index rank, double momentum, bool regularize) {
    return {
        .rank = rank, .momentum = momentum, .regularize = regularize, .eigen_tolerance = 1e-7, .eigen_products = 300};
}

class PaperRecipe : public testing::TestWithParam<std::tuple<Index, double, bool>> {};

INSTANTIATE_TEST_SUITE_P(Recipes, PaperRecipe,
                         testing::Combine(testing::Values(1, 3, 8), testing::Values(0.0, 0.5, 0.9), testing::Bool()));

TEST_P(PaperRecipe, IsItsEquationsToRounding) {
    const auto [rank, momentum, regularize] = GetParam();
    const Example e = small_example();
    const Matrix s = to_matrix(e.s);
    DenseReluDecomposition state(e.s, start_of(e.x, rank, e.tau), exact_options(rank, momentum, regularize),
                                 on_threads(2));
    Matrix l = to_matrix(start_of(e.x, rank, e.tau));
    Matrix z;
    Matrix previous;
    for (int t = 1; t <= 12; ++t) {
        const double lift = regularize ? support::lift_of(s, l, e.s.unthresholded_sum) : 0.0;
        if (t == 1) {  // later L may have reached the sum
            ASSERT_EQ(lift < 0.0, regularize);
        }
        Matrix next = support::completed(s, l);
        next.array() += lift * (1.0 - support::support_mask(s).array());
        const double objective = (l - next).squaredNorm();
        if (t > 2) {  // eq. 23 needs two Z before it
            next += momentum * (z - previous);
        }
        previous = z;
        z = next;
        l = support::truncated(z, rank);
        state.update();
        EXPECT_NEAR(state.lift(), lift, 1e-4);
        EXPECT_NEAR(state.objective(), objective, 1e-3 * objective + 1e-6);
        EXPECT_EQ(state.iterations(), t);
        EXPECT_LT(support::difference(to_matrix(state.z()), z), 2e-4 * z.cwiseAbs().maxCoeff()) << t;
        EXPECT_LT(support::difference(to_matrix(state.matrix()), l), 2e-4 * l.cwiseAbs().maxCoeff()) << t;
    }
}

TEST(DenseReluDecomposition, AgreesWithTheStreamingForm) {
    const Example e = small_example(2);
    for (const bool regularize : {false, true}) {
        for (const int updates : {1, 2, 5, 60}) {
            DenseReluDecomposition dense(e.s, start_of(e.x, 4, e.tau), exact_options(4, 0.0, regularize),
                                         on_threads(2));
            ReluDecomposition streaming(e.s, start_of(e.x, 4, e.tau),
                                        {.rank = 4, .accelerate = false, .regularize = regularize, .guard = 24},
                                        on_threads(2));
            dense.run_to(updates);
            streaming.run_to(updates);
            const Matrix l = to_matrix(dense.matrix());
            EXPECT_LT(support::difference(to_matrix(streaming.matrix()), l), 2e-4 * l.cwiseAbs().maxCoeff());
            EXPECT_NEAR(dense.lift(), streaming.lift(), 1e-5);
            EXPECT_NEAR(dense.relative_residual(), streaming.relative_residual(), 1e-4);
        }
    }
}

TEST(DenseReluDecomposition, MomentumLowersTheResidualInAsManyUpdates) {
    const Example e(clustered_points(150, 20, 12, 0.5, 2), 0.6);
    const auto residual = [&](double momentum) {
        DenseReluDecomposition state(e.s, start_of(e.x, 6, e.tau),
                                     {.rank = 6, .momentum = momentum, .regularize = false}, on_threads(2));
        state.run_to(80);
        return state.relative_residual();
    };
    EXPECT_LT(residual(0.9), 0.95 * residual(0.0));
}

TEST(DenseReluDecomposition, InTwoPartsIsTheRunInOneBitForBit) {
    const Example e = small_example(3);
    DenseReluDecomposition whole(e.s, start_of(e.x, 4, e.tau), {.rank = 4}, on_threads(2));
    DenseReluDecomposition parts(e.s, start_of(e.x, 4, e.tau), {.rank = 4}, on_threads(2));
    EXPECT_EQ(whole.run_to(30), Termination::IterationLimit);
    parts.run_to(11);
    parts.run_to(30);
    EXPECT_EQ(to_matrix(whole.matrix()), to_matrix(parts.matrix()));
    EXPECT_EQ(whole.trace().size(), 30U);
    EXPECT_EQ(parts.trace().size(), 30U);
    EXPECT_EQ(whole.trace().back().objective, parts.trace().back().objective);
}

TEST(DenseReluDecomposition, IsTheSameBitsForAnyNumberOfThreads) {
    const Example e(clustered_points(150, 8, 6, 0.8, 4), 0.5);
    const auto run = [&](int threads) {
        DenseReluDecomposition state(e.s, start_of(e.x, 4, e.tau), {.rank = 4}, on_threads(threads));
        state.run_to(25);
        return Matrix(to_matrix(state.matrix()));
    };
    const Matrix one = run(1);
    EXPECT_EQ(one, run(2));
    EXPECT_EQ(one, run(3));
}

TEST(DenseReluDecomposition, ThatIsStoppedReportsItAndLeavesTheMatrixOfTheLastUpdate) {
    const Example e = small_example(5);
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 5) {
            source.request_stop();
        }
    };
    DenseReluDecomposition state(e.s, start_of(e.x, 4, e.tau), {.rank = 4}, context);
    EXPECT_EQ(state.run_to(100), Termination::Cancelled);
    DenseReluDecomposition five(e.s, start_of(e.x, 4, e.tau), {.rank = 4}, on_threads(1));
    five.run_to(5);
    EXPECT_EQ(state.iterations(), 5);
    EXPECT_EQ(to_matrix(state.matrix()), to_matrix(five.matrix()));
}

TEST(DenseReluDecomposition, OfNothingAboveTheThresholdStaysFinite) {
    const Example zero(Points(30, 3), 0.5);
    DenseReluDecomposition state(zero.s, start_of(zero.x, 2, 0.5), {.rank = 2}, on_threads(1));
    EXPECT_EQ(state.run_to(20), Termination::IterationLimit);
    EXPECT_LT(to_matrix(state.matrix()).cwiseAbs().maxCoeff(), 1e-6);
}

class TinyDenseProblem : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, TinyDenseProblem,
                         testing::Combine(testing::Values(1, 2, 3, 9, 47, 48), testing::Values(1, 3, 12)));

TEST_P(TinyDenseProblem, WorksForARankAboveTheNumberOfPoints) {
    const auto [count, rank] = GetParam();
    const Example e(clustered_points(count, 12, 3, 0.5, 8), 0.5);
    DenseReluDecomposition state(e.s, start_of(e.x, rank, e.tau), {.rank = rank}, on_threads(2));
    EXPECT_EQ(state.run_to(100), Termination::IterationLimit);
    EXPECT_EQ(state.matrix().rank(), std::min(rank, count));
    EXPECT_TRUE(to_matrix(state.matrix()).allFinite());
}

/// Without the constraint of eq. 18: with it Z is pushed down off the support, where L = 0 would cost more than |S|.
TEST_P(TinyDenseProblem, IsNearerThanNothing) {
    const auto [count, rank] = GetParam();
    const Example e(clustered_points(count, 12, 3, 0.5, 8), 0.5);
    DenseReluDecomposition state(e.s, start_of(e.x, rank, e.tau), {.rank = rank, .regularize = false}, on_threads(2));
    (void)state.run_to(100);
    EXPECT_LT(state.relative_residual(), 1.0);
}

TEST(DenseReluDecomposition, StatesAtLeastTheBytesOfItsMatrices) {
    EXPECT_GE(DenseReluDecomposition::bytes(5000, {.rank = 16}), 2ULL * 5000 * 5000 * 4);
}

}  // namespace
}  // namespace isogon::dense_relu_decomposition_test
