#include "linalg/nonnegative_factorization.hpp"

#include <gtest/gtest.h>

#include "reference/nonnegative.hpp"
#include "reference/point_sets.hpp"

namespace isogon::nonnegative_factorization_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// 1,100 rows are three blocks.
Points example() {
    return support::to_points(reference::uniform_matrix(1100, 60, 1));
}

NonnegativeFactorization factorized(const Points& x, Index rank, int updates, int threads = 1) {
    NonnegativeFactorization state(x.view(), nonnegative_random_start(x.dimension(), rank, 0), on_threads(threads));
    (void)state.run({updates, 0.0});
    return state;
}

double direct_residual(const Points& x, const NonnegativeFactorization& state) {
    const Matrix points = to_matrix(x);
    return (points - to_matrix(state.weights()) * to_matrix(state.parts()).transpose()).norm() / points.norm();
}

TEST(NonnegativeFactorization, ResidualIsThatOfItsDefinition) {
    const Points x = example();
    for (const int updates : {1, 2, 7}) {
        const NonnegativeFactorization state = factorized(x, 5, updates);
        EXPECT_NEAR(state.relative_residual(), direct_residual(x, state), 1e-6);
        EXPECT_EQ(state.trace().size(), static_cast<std::size_t>(updates));
        EXPECT_EQ(state.trace().back().objective, state.relative_residual());
        const double squares = squared_distance_to_product(x.view(), state.weights().view(), state.parts(), {});
        EXPECT_NEAR(std::sqrt(squares) / to_matrix(x).norm(), direct_residual(x, state), 1e-6);
    }
}

TEST(NonnegativeFactorization, NeverRises) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Points x = support::to_points(reference::uniform_matrix(300, 40, seed).array().pow(4.0).matrix());
        const NonnegativeFactorization state = factorized(x, 8, 120);
        double before = 1.0;
        for (const IterationRecord& record : state.trace()) {
            EXPECT_LE(record.objective, before + 1e-6) << seed << " " << record.iteration;
            before = record.objective;
        }
        EXPECT_NEAR(state.relative_residual(), direct_residual(x, state), 1e-6);
    }
}

TEST(NonnegativeFactorization, IsAsGoodAsManyMoreUpdatesOfThePlainMethod) {
    const Matrix x = reference::uniform_matrix(200, 30, 5).array().square();
    const Points points = support::to_points(x);
    const Matrix start = to_matrix(nonnegative_random_start(30, 4, 0)).transpose();
    const double plain = reference::hals_residual(to_matrix(points), Matrix::Zero(200, 4), start, 400);
    EXPECT_LT(factorized(points, 4, 100).relative_residual(), plain * 1.001);
}

TEST(NonnegativeFactorization, EndsWhereNeitherFactorCanBeImproved) {
    const Points x = support::to_points(reference::uniform_matrix(120, 20, 6).array().square().matrix());
    const NonnegativeFactorization state = factorized(x, 4, 2000);
    const Matrix w = to_matrix(state.weights());
    const Matrix h = to_matrix(state.parts()).transpose();
    EXPECT_LT(reference::kkt_violation(to_matrix(x), w, h), 1e-3);
    EXPECT_LT(reference::kkt_violation(to_matrix(x).transpose(), h.transpose(), w.transpose()), 1e-3);
}

TEST(NonnegativeFactorization, HasUnitPartsAndNothingNegative) {
    const NonnegativeFactorization state = factorized(example(), 6, 5);
    EXPECT_GE(to_matrix(state.weights()).minCoeff(), 0.0);
    const Matrix parts = to_matrix(state.parts());
    EXPECT_GE(parts.minCoeff(), 0.0);
    for (Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(parts.col(k).norm(), 1.0, 1e-5);
    }
}

TEST(NonnegativeFactorization, SameBitsForAnyNumberOfThreads) {
    const Points x = support::to_points(reference::uniform_matrix(9000, 30, 2));  // two rounds of blocks
    const NonnegativeFactorization one = factorized(x, 5, 4, 1);
    for (const int threads : {2, 3}) {
        const NonnegativeFactorization more = factorized(x, 5, 4, threads);
        EXPECT_EQ(to_matrix(one.weights()), to_matrix(more.weights()));
        EXPECT_EQ(to_matrix(one.parts()), to_matrix(more.parts()));
        EXPECT_EQ(one.relative_residual(), more.relative_residual());
    }
}

TEST(NonnegativeFactorization, EndsWhenCalmOrExact) {
    const Points x = example();
    NonnegativeFactorization state(x.view(), nonnegative_random_start(60, 3, 0), {});
    EXPECT_EQ(state.run({1000, 1e-3}), Termination::Converged);
    ASSERT_GT(state.trace().size(), 10U);
    EXPECT_LT(state.trace().size(), 1000U);
    for (std::size_t i = state.trace().size() - 10; i < state.trace().size(); ++i) {
        EXPECT_LT(state.trace()[i].change, 1e-3);
    }
    const Points product = support::to_points(reference::separable_matrix(300, 40, 4, 3));
    NonnegativeFactorization exact(product.view(), nonnegative_random_start(40, 4, 0), {});
    EXPECT_EQ(exact.run({3000, 0.0}), Termination::Converged);
    EXPECT_LT(exact.relative_residual(), 1e-3);
    NonnegativeFactorization cut(x.view(), nonnegative_random_start(60, 3, 0), {});
    EXPECT_EQ(cut.run({2, 1e-3}), Termination::IterationLimit);
}

TEST(NonnegativeFactorization, HasNoNaNForAwkwardPoints) {
    Matrix x = reference::uniform_matrix(50, 12, 4);
    x.topRows(10).setZero();
    x.col(3).setZero();
    x.row(20) = x.row(21);
    x.row(22) = 3.0 * x.row(23);
    for (const Index rank : {1U, 2U, 12U, 20U}) {
        const Points points = support::to_points(x);
        const NonnegativeFactorization state = factorized(points, rank, 30);
        EXPECT_TRUE(to_matrix(state.weights()).allFinite());
        EXPECT_TRUE(to_matrix(state.parts()).allFinite());
        EXPECT_TRUE(to_matrix(state.weights()).topRows(10).isZero());
        EXPECT_NEAR(state.relative_residual(), direct_residual(points, state), 1e-3);
    }
    const NonnegativeFactorization nothing = factorized(Points(5, 3), 2, 3);
    EXPECT_EQ(nothing.relative_residual(), 0.0);
    EXPECT_TRUE(to_matrix(nothing.parts()).allFinite());
}

TEST(NonnegativeFactorization, IsLeftWholeByAnInterruption) {
    const Points x = example();
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "factorization");
        if (progress.done == 3) {
            source.request_stop();
        }
    };
    NonnegativeFactorization state(x.view(), nonnegative_random_start(60, 5, 0), context);
    EXPECT_THROW((void)state.run({100, 0.0}), Interruption);
    EXPECT_EQ(state.trace().size(), 3U);
    EXPECT_EQ(to_matrix(state.parts()), to_matrix(factorized(x, 5, 3).parts()));
}

TEST(NonnegativeFactorization, AlignsAndScalesRows) {
    const Points x = example();
    EXPECT_EQ(to_matrix(aligned_rows(x.view(), 3, 4)), to_matrix(x).middleRows(3, 4));
    const std::vector<double> factors{2.0, 0.5};
    const Matrix scaled = to_matrix(aligned_rows(x.view(), 7, 2, factors));
    EXPECT_EQ(scaled.row(0), 2.0 * to_matrix(x).row(7));
    EXPECT_EQ(scaled.row(1), 0.5 * to_matrix(x).row(8));
}

TEST(NonnegativeFactorization, StatesWhatItNeeds) {
    // Both factors and their predecessors, and no n x n nor n x D.
    EXPECT_GT(NonnegativeFactorization::bytes(100000, 50, 8), 2 * 100000U * 8 * 4);
    EXPECT_LT(NonnegativeFactorization::bytes(100000, 50, 8), 100000U * 50 * 4);
}

/// Weights of one row after `end`, and |x - w H|^2.
struct Solved {
    std::vector<double> weights;
    double left = 0.0;
    bool settled = false;
};

Solved solve(const Matrix& x, const Matrix& h, const DescentEnd& end, std::vector<double> start = {}) {
    const DenseMatrix gram = support::to_small(h * h.transpose());
    const Matrix right = x * h.transpose();
    start.resize(gram.rows);
    Solved result{std::move(start)};
    NonnegativeRow problem(gram);
    result.settled = problem.improve({right.data(), gram.rows}, result.weights, end);
    const Eigen::Map<const Eigen::RowVectorXd> w(result.weights.data(), h.rows());
    result.left = (x - w * h).squaredNorm();
    return result;
}

TEST(NonnegativeRow, FindsTheBestWeightsOfAll) {
    const Matrix h = reference::uniform_matrix(5, 9, 1);
    const Matrix rows = support::random_matrix(30, 9, 2);  // far from the cone, so that many weights are zero
    const Matrix best = reference::best_weights(rows, h);
    int zeros = 0;
    for (Index i = 0; i < 30; ++i) {
        const Solved solved = solve(rows.row(i), h, {});
        EXPECT_TRUE(solved.settled);
        for (Index k = 0; k < 5; ++k) {
            EXPECT_NEAR(solved.weights[k], best(i, k), 1e-6);
            zeros += solved.weights[k] == 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(zeros, 30);
}

TEST(NonnegativeRow, NeverRises) {
    const Matrix h = reference::uniform_matrix(12, 20, 3);
    const Matrix x = reference::uniform_matrix(1, 20, 4);
    std::vector<double> weights(12, 0.7);
    double before = INFINITY;
    for (int sweep = 0; sweep < 40; ++sweep) {
        const Solved solved = solve(x, h, {.sweeps = 1}, weights);
        EXPECT_LE(solved.left, before + 1e-12);
        before = solved.left;
        weights = solved.weights;
    }
}

TEST(NonnegativeRow, EndsAfterItsSweepsAndReportsIt) {
    const Matrix h = reference::uniform_matrix(12, 20, 3);  // nearly parallel rows: slow
    const Matrix x = reference::uniform_matrix(1, 20, 4);
    EXPECT_FALSE(solve(x, h, {.sweeps = 3}).settled);
    EXPECT_TRUE(solve(x, h, {.sweeps = 1000, .share = 0.1}).settled);
    EXPECT_GT(solve(x, h, {.sweeps = 1000, .share = 0.1}).left, solve(x, h, {.sweeps = 100000}).left);
}

TEST(NonnegativeRow, LeavesWeightsOfMissingPartsAlone) {
    Matrix h = reference::uniform_matrix(4, 6, 5);
    h.row(2).setZero();
    const Solved solved = solve(reference::uniform_matrix(1, 6, 6), h, {}, {0.0, 0.0, 3.0, 0.0});
    EXPECT_TRUE(solved.settled);
    EXPECT_EQ(solved.weights[2], 3.0);
    const Solved nothing = solve(reference::uniform_matrix(1, 6, 6), Matrix::Zero(3, 6), {});
    EXPECT_EQ(nothing.weights, std::vector<double>(3));
}

TEST(NonnegativeRow, DescendsThoughPartsAreEqual) {
    Matrix h = reference::uniform_matrix(4, 6, 5);
    h.row(3) = h.row(0);
    const Matrix x = 2.0 * h.row(0) + h.row(1);
    EXPECT_LT(solve(x, h, {}).left, 1e-10);
}

TEST(NonnegativeRow, GivesZeroForWhatPointsAway) {
    const Matrix h = reference::uniform_matrix(3, 6, 5);
    EXPECT_EQ(solve(-h.row(1), h, {}, {1.0, 1.0, 1.0}).weights, std::vector<double>(3));
}

}  // namespace

}  // namespace isogon::nonnegative_factorization_test
