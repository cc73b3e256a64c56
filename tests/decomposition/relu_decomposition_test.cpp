#include "decomposition/relu_decomposition.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <stop_token>
#include <tuple>

#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::relu_decomposition_test {

namespace {

using reference::on_threads;
using support::clustered_points;
using Example = support::MatchingExample;
using support::Matrix;
using support::start_of;
using support::to_matrix;

Example small_example(std::uint64_t seed = 1) {
    return support::example_with_negative_lift(40, seed);
}

/// Twelve cones in 20 dimensions: a rank of 3 or 4 cannot keep them all apart.
Example crowded_example() {
    return {clustered_points(150, 20, 12, 0.5, 2), 0.6};
}

Matrix after(const Example& e, int updates, const ReluOptions& options, int threads = 1) {
    ReluDecomposition state(e.s, start_of(e.x, options.rank, e.tau), options, on_threads(threads));
    state.run_to(updates);
    return to_matrix(state.matrix());
}

double relative_difference(const Matrix& a, const Matrix& b) {
    return support::difference(a, b) / b.cwiseAbs().maxCoeff();
}

/// With rank + guard >= n the eigen-step is exact, so the streaming form is the plain alternation itself.
class ExactAlternation : public testing::TestWithParam<std::tuple<Index, bool, int>> {};

INSTANTIATE_TEST_SUITE_P(Ranks, ExactAlternation,
                         testing::Combine(testing::Values(1, 2, 4, 8), testing::Bool(), testing::Values(1, 2, 5, 60)));

TEST_P(ExactAlternation, IsEquationsFiveAndSixToRounding) {
    const auto [rank, regularize, updates] = GetParam();
    const Example e = small_example();
    const ReluOptions options{.rank = rank, .accelerate = false, .regularize = regularize, .guard = 40};
    Matrix l = to_matrix(start_of(e.x, rank, e.tau));
    const Matrix s = to_matrix(e.s);
    for (int t = 0; t < updates; ++t) {
        l = support::updated(s, l, rank, regularize, e.s.unthresholded_sum);
    }
    EXPECT_LT(relative_difference(after(e, updates, options), l), 1e-4);
}

TEST_P(ExactAlternation, LiftsAsEquation21Says) {
    const auto [rank, regularize, updates] = GetParam();
    const Example e = small_example(3);
    ReluDecomposition state(e.s, start_of(e.x, rank, e.tau),
                            {.rank = rank, .accelerate = false, .regularize = regularize, .guard = 40}, on_threads(1));
    state.run_to(updates - 1);
    const Matrix before = to_matrix(state.matrix());
    state.update();
    const double expected = regularize ? support::lift_of(to_matrix(e.s), before, e.s.unthresholded_sum) : 0.0;
    EXPECT_NEAR(state.lift(), expected, 1e-5);
    if (updates == 1) {  // later L may have reached the sum
        EXPECT_EQ(expected < -1e-3, regularize);
    }
}

TEST(ReluDecomposition, ReportsTheResidualOfTheMatrixThatAnUpdateBeganWith) {
    const Example e = small_example();
    const Matrix s = to_matrix(e.s);
    ReluDecomposition state(e.s, start_of(e.x, 3, e.tau), {.rank = 3, .accelerate = false, .regularize = false},
                            on_threads(1));
    Matrix before = to_matrix(start_of(e.x, 3, e.tau));
    for (int t = 1; t <= 5; ++t) {
        state.update();
        const double objective = support::matching_objective(s, before);
        EXPECT_EQ(state.iterations(), t);
        EXPECT_NEAR(state.residual().objective(), objective, 1e-5 * objective);
        EXPECT_NEAR(state.relative_residual(), std::sqrt(objective) / s.norm(), 1e-5);
        before = to_matrix(state.matrix());
    }
}

TEST(ReluDecomposition, CountsTheLiftInItsResidual) {
    const Example e = small_example();
    const Matrix s = to_matrix(e.s);
    ReluDecomposition state(e.s, start_of(e.x, 2, e.tau), {.rank = 2, .accelerate = false}, on_threads(1));
    const Matrix l = to_matrix(state.matrix());
    state.update();
    Matrix z = support::completed(s, l);
    z.array() += state.lift() * (1.0 - support::support_mask(s).array());
    ASSERT_LT(state.lift(), 0.0);
    EXPECT_NEAR(state.relative_residual(), (l - z).norm() / s.norm(), 1e-5);
}

TEST(ReluDecomposition, WithAFewGuardVectorsEndsWhereTheExactAlternationEnds) {
    for (const Index rank : {2, 4}) {
        const Example e = small_example(4);
        const Matrix s = to_matrix(e.s);
        Matrix l = to_matrix(start_of(e.x, rank, e.tau));
        for (int t = 0; t < 400; ++t) {
            l = support::updated(s, l, rank, false, 0.0);
        }
        const Matrix streamed = after(e, 400, {.rank = rank, .accelerate = false, .regularize = false, .guard = 4});
        const double exact = std::sqrt(support::matching_objective(s, l));
        EXPECT_NEAR(std::sqrt(support::matching_objective(s, streamed)), exact, 0.02 * exact);
    }
}

TEST(ReluDecomposition, KeepsAMatrixThatMatches) {
    // Points of 3 dimensions: L of eq. 17 has rank 4 and S = max(0, L).
    const Example e(clustered_points(150, 3, 4, 0.6, 5), 0.4);
    for (const bool accelerate : {false, true}) {
        ReluDecomposition state(e.s, start_of(e.x, 3, e.tau),
                                {.rank = 4, .accelerate = accelerate, .regularize = false}, on_threads(2));
        state.run_to(30);
        EXPECT_LT(state.relative_residual(), 1e-4);
        EXPECT_LT(support::difference(to_matrix(state.matrix()), support::unthresholded(to_matrix(e.x), e.tau)), 1e-3);
    }
}

class Runs : public testing::TestWithParam<std::tuple<bool, bool>> {
protected:
    [[nodiscard]] ReluOptions options() const {
        return {.rank = 4, .accelerate = std::get<0>(GetParam()), .regularize = std::get<1>(GetParam())};
    }
};

INSTANTIATE_TEST_SUITE_P(Recipes, Runs, testing::Combine(testing::Bool(), testing::Bool()));

TEST_P(Runs, InTwoPartsAreTheRunInOneBitForBit) {
    const Example e = crowded_example();
    ReluDecomposition whole(e.s, start_of(e.x, 4, e.tau), options(), on_threads(1));
    EXPECT_EQ(whole.run_to(40), Termination::IterationLimit);
    ReluDecomposition parts(e.s, start_of(e.x, 4, e.tau), options(), on_threads(1));
    parts.run_to(13);
    parts.run_to(13);
    parts.run_to(40);
    EXPECT_EQ(to_matrix(whole.matrix()), to_matrix(parts.matrix()));
    ASSERT_EQ(whole.trace().size(), 40U);
    ASSERT_EQ(parts.trace().size(), 40U);
    for (std::size_t t = 0; t < 40; ++t) {
        EXPECT_EQ(whole.trace()[t].iteration, static_cast<int>(t) + 1);
        EXPECT_EQ(whole.trace()[t].objective, parts.trace()[t].objective);
        EXPECT_EQ(whole.trace()[t].change, parts.trace()[t].change);
    }
}

TEST_P(Runs, AreTheSameBitsForAnyNumberOfThreads) {
    const Example e = crowded_example();
    const Matrix one = after(e, 30, options(), 1);
    EXPECT_EQ(one, after(e, 30, options(), 2));
    EXPECT_EQ(one, after(e, 30, options(), 3));
}

TEST_P(Runs, ScaleWithThePoints) {
    // By a power of two every rounding is the same, so the results are the same bits but for the factor.
    const Example e = small_example();
    const Matrix l = after(e, 30, options());
    for (const float factor : {0.125F, 64.0F}) {
        Example other(reference::scaled(e.x, factor), e.tau);
        const double squared = double{factor} * double{factor};
        other.s.unthresholded_sum = squared * e.s.unthresholded_sum;
        EXPECT_LT(relative_difference(after(other, 30, options()), squared * l), 1e-5) << factor;
    }
}

TEST_P(Runs, StayFinite) {
    const Example e = crowded_example();
    ReluDecomposition state(e.s, start_of(e.x, 4, e.tau), options(), on_threads(1));
    for (int t = 0; t < 200; ++t) {
        state.update();
        ASSERT_TRUE(std::isfinite(state.relative_residual()));
    }
    EXPECT_LT(support::orthonormality_error(to_matrix(state.matrix().factor)), 1e-5);
    EXPECT_LT(state.relative_residual(), 1.0);
}

TEST_P(Runs, ThatAreStoppedReportsItAndLeaveTheMatrixOfTheLastUpdate) {
    const Example e = crowded_example();
    std::stop_source source;
    RunContext context = on_threads(2);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "matching");
        EXPECT_EQ(progress.total, 100U);
        if (progress.done == 7) {
            source.request_stop();
        }
    };
    ReluDecomposition state(e.s, start_of(e.x, 4, e.tau), options(), context);
    EXPECT_EQ(state.run_to(100), Termination::Cancelled);
    EXPECT_EQ(state.iterations(), 7);
    EXPECT_EQ(to_matrix(state.matrix()), after(e, 7, options()));
}

TEST_P(Runs, PastTheirDeadlineEndInTheEigensolverOfTheStart) {
    const Example e = small_example();
    RunContext context = on_threads(1);
    context.limit_seconds(0.0);
    std::optional<Termination> reason;
    try {
        const ReluDecomposition state(e.s, start_of(e.x, 4, e.tau), options(), context);
    } catch (const Interruption& interruption) {
        reason = interruption.reason;
    }
    EXPECT_EQ(reason, Termination::TimeLimit);
}

TEST(ReluDecomposition, PermutesWithThePoints) {
    const Example e = small_example(6);
    const std::vector<Index> order = reference::shuffled(40, 7);
    Example shuffled(reference::reordered(e.x, order), e.tau);
    shuffled.s.unthresholded_sum = e.s.unthresholded_sum;
    const ReluOptions options{.rank = 3, .accelerate = false, .guard = 40};
    const Matrix l = after(e, 20, options);
    const Matrix permuted = after(shuffled, 20, options);
    double worst = 0.0;
    for (Index i = 0; i < 40; ++i) {
        for (Index j = 0; j < 40; ++j) {
            worst = std::max(worst, std::abs(permuted(i, j) - l(order[i], order[j])));
        }
    }
    EXPECT_LT(worst, 1e-4 * l.cwiseAbs().maxCoeff());
}

TEST(ReluDecomposition, AccelerationLowersTheResidualInAsManyUpdates) {
    const Example e = crowded_example();
    const auto residual = [&](bool accelerate) {
        const Matrix l = after(e, 80, {.rank = 6, .accelerate = accelerate, .regularize = false});
        return std::sqrt(support::matching_objective(to_matrix(e.s), l)) / to_matrix(e.s).norm();
    };
    EXPECT_LT(residual(true), 0.95 * residual(false));
}

TEST(ReluDecomposition, ExtrapolatesWithinItsBounds) {
    const Example e = crowded_example();
    ReluDecomposition state(e.s, start_of(e.x, 4, e.tau),
                            {.rank = 4, .regularize = false, .first_extrapolation = 0.2, .largest_extrapolation = 0.3},
                            on_threads(2));
    EXPECT_EQ(state.extrapolation(), 0.2);
    double largest = 0.0;
    for (int t = 0; t < 100; ++t) {
        state.update();
        EXPECT_GE(state.extrapolation(), 0.0);
        EXPECT_LE(state.extrapolation(), 0.3);
        largest = std::max(largest, state.extrapolation());
    }
    EXPECT_GT(largest, 0.2);
    const ReluOptions plain{.rank = 4, .accelerate = false};
    EXPECT_EQ(ReluDecomposition(e.s, start_of(e.x, 4, e.tau), plain, {}).extrapolation(), 0.0);
}

TEST(ReluDecomposition, ConvergesWhenTenUpdatesInARowChangeLittle) {
    const Example e = crowded_example();
    const double tolerance = 1e-3;
    ReluDecomposition state(e.s, start_of(e.x, 4, e.tau), {.rank = 4, .regularize = false, .tolerance = tolerance},
                            on_threads(2));
    EXPECT_EQ(state.run_to(5000), Termination::Converged);
    const auto& trace = state.trace();
    ASSERT_GT(trace.size(), 10U);
    for (std::size_t t = trace.size() - 10; t < trace.size(); ++t) {
        EXPECT_LT(std::abs(trace[t].change), tolerance);
    }
    EXPECT_GE(std::abs(trace[trace.size() - 11].change), tolerance);
}

TEST(ReluDecomposition, ReportsTheResidualOfItsEigenpairs) {
    const Example e = crowded_example();
    ReluDecomposition state(e.s, start_of(e.x, 4, e.tau), {.rank = 4, .regularize = false, .tolerance = 1e-5},
                            on_threads(2));
    state.update();
    const double first = state.eigen_residual();
    state.run_to(1000);
    EXPECT_GT(first, 0.0);
    EXPECT_LT(state.eigen_residual(), 0.1 * first);
}

TEST(ReluDecomposition, OfNothingAboveTheThresholdStaysFinite) {
    for (const bool accelerate : {false, true}) {
        const Example zero(Points(30, 3), 0.5);
        ReluDecomposition state(zero.s, start_of(zero.x, 2, 0.5), {.rank = 2, .accelerate = accelerate}, on_threads(1));
        EXPECT_EQ(state.run_to(20), Termination::IterationLimit);
        EXPECT_TRUE(to_matrix(state.matrix()).allFinite());
        EXPECT_LT(to_matrix(state.matrix()).cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_TRUE(std::isfinite(state.eigen_residual()));
    }
}

TEST(ReluDecomposition, OfOnePairAboveTheThresholdStaysFinite) {
    // Once lost its basis here at the sixth update, and L overflowed.
    Similarities s = thresholded_similarities(Points(20, 2).view(), 0.5, {});
    s.upper.indices = {11};
    s.upper.values = {0.7F};
    std::fill(s.upper.offsets.begin() + 4, s.upper.offsets.end(), Offset{1});
    s.squared_norm = 2.0 * 0.49;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (const bool accelerate : {false, true}) {
            LowRank start{support::random_block(20, 2, seed), {1.0, 1.0}};
            ReluDecomposition state(s, std::move(start), {.rank = 2, .accelerate = accelerate, .regularize = false},
                                    on_threads(1));
            EXPECT_EQ(state.run_to(100), Termination::IterationLimit);
            EXPECT_LT(state.relative_residual(), 2.0);
        }
    }
}

class TinyProblem : public testing::TestWithParam<std::tuple<Index, Index, bool>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, TinyProblem,
                         testing::Combine(testing::Values(1, 2, 3, 9, 10, 11, 47, 48), testing::Values(1, 3, 12),
                                          testing::Bool()));

TEST_P(TinyProblem, WorksForARankAboveTheNumberOfPoints) {
    const auto [count, rank, accelerate] = GetParam();
    const Example e(clustered_points(count, 12, 3, 0.5, 8), 0.5);
    ReluDecomposition state(e.s, start_of(e.x, rank, e.tau), {.rank = rank, .accelerate = accelerate}, on_threads(2));
    EXPECT_EQ(state.run_to(50), Termination::IterationLimit);
    EXPECT_EQ(state.matrix().rank(), std::min(rank, count));
    EXPECT_TRUE(to_matrix(state.matrix()).allFinite());
    if (rank >= count) {
        EXPECT_LT(state.relative_residual(), 1e-2);
    }
}

TEST(ReluDecomposition, StatesAtLeastTheBytesOfItsBlocks) {
    const ReluOptions options{.rank = 16, .guard = 8};
    EXPECT_GE(ReluDecomposition::bytes(10000, options), 4ULL * 10000 * 16 * 4 + 3ULL * 10000 * 24 * 4);
    EXPECT_GT(ReluDecomposition::bytes(20000, options), ReluDecomposition::bytes(10000, options));
}

}  // namespace

}  // namespace isogon::relu_decomposition_test
