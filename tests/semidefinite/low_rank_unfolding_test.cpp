#include "semidefinite/low_rank_unfolding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "semidefinite/semidefinite_program.hpp"
#include "support/distances.hpp"
#include "support/spectral_problems.hpp"
#include "synthetic/point_clouds.hpp"

namespace isogon::low_rank_unfolding_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

void expect_sound(const Unfolding& unfolding, double tolerance) {
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::Solved) << unfolding.message;
    EXPECT_LE(unfolding.gap, tolerance);
    EXPECT_GE(unfolding.gap, -1e-9);
    EXPECT_LE(unfolding.largest_violation, tolerance);
    const Matrix outputs = to_matrix(unfolding.outputs);
    EXPECT_LT(outputs.colwise().mean().norm(), 1e-9 * (1.0 + outputs.norm()));
    EXPECT_NEAR(std::accumulate(unfolding.eigenvalues.begin(), unfolding.eigenvalues.end(), 0.0), outputs.squaredNorm(),
                1e-9 * (1.0 + outputs.squaredNorm()));
}

DistanceConstraints folded_sheet(Index count) {
    return support::distances_of(swiss_roll(count, 3).points, 6);
}

/// A chain, however it lies, is straight at best: with pairs two apart kept as well, or without.
TEST(LowRankUnfolding, StraightensAChain) {
    const std::vector<double> steps = {1.0, 0.5, 2.0, 1.5, 1.0, 0.25, 3.0, 1.0, 1.0, 0.7};
    Matrix line = Matrix::Zero(11, 1);
    for (Index i = 0; i < 10; ++i) {
        line(i + 1, 0) = line(i, 0) + steps[i];
    }
    const double best = support::centred_gram(line).trace();
    for (const Index reach : {1U, 2U}) {
        const Unfolding unfolding = unfold_low_rank({}, 11, support::chain(steps, reach), {.tolerance = 1e-5});
        expect_sound(unfolding, 1e-5);
        EXPECT_NEAR(unfolding.trace, best, 1e-4 * best);
        EXPECT_GE(unfolding.bound, best * (1.0 - 1e-9));
        EXPECT_GT(unfolding.eigenvalues[0], 0.9999 * unfolding.trace);
    }
}

/// A ring of equal edges is a regular polygon at best.
TEST(LowRankUnfolding, MakesARegularPolygonOfARing) {
    for (const Index n : {3U, 7U, 24U}) {
        const double radius = 0.5 / std::sin(std::numbers::pi / n);
        const Unfolding unfolding = unfold_low_rank({}, n, support::ring(n), {.tolerance = 1e-6});
        expect_sound(unfolding, 1e-6);
        EXPECT_NEAR(unfolding.trace, n * radius * radius, 1e-5 * n * radius * radius);
        EXPECT_NEAR(unfolding.eigenvalues[0], unfolding.eigenvalues[1], 1e-2 * unfolding.eigenvalues[0]);
    }
}

/// Where all distances are kept there is but one Gram matrix.
TEST(LowRankUnfolding, RecoversARigidClique) {
    const Matrix rows = support::random_matrix(12, 3, 4);
    const Unfolding unfolding = unfold_low_rank({}, 12, support::all_distances(rows), {.tolerance = 1e-5});
    expect_sound(unfolding, 1e-5);
    const Matrix outputs = to_matrix(unfolding.outputs);
    const Matrix gram = support::centred_gram(rows);
    EXPECT_LT((outputs * outputs.transpose() - gram).norm(), 1e-2 * gram.norm());
    EXPECT_NEAR(unfolding.trace, gram.trace(), 1e-4 * gram.trace());
}

/// The same program, of the whole Gram matrix K with the last point in the origin.
SemidefiniteSolution solved_by_gram(Index n, const DistanceConstraints& constraints) {
    SemidefiniteProgram program{.objective = DenseMatrix(n - 1, n - 1),
                                .vectors = {.rows = static_cast<Index>(constraints.size()), .columns = n - 1},
                                .values = constraints.squared,
                                .shortfall_price = 0.0};
    for (Index i = 0; i + 1 < n; ++i) {
        for (Index j = 0; j + 1 < n; ++j) {
            program.objective(i, j) = (i == j ? 1.0 : 0.0) - 1.0 / n;  // the trace, once centred
        }
    }
    for (const auto& [i, j] : constraints.pairs) {
        for (const auto& [point, sign] : {std::pair(i, 1.0), std::pair(j, -1.0)}) {
            if (point + 1 < n) {
                program.vectors.indices.push_back(point);
                program.vectors.values.push_back(sign);
            }
        }
        program.vectors.offsets.push_back(program.vectors.indices.size());
    }
    return solve(program, {});
}

TEST(LowRankUnfolding, AgreesWithTheExactOne) {
    const Points points = reference::random_points(40, 3, 5);
    const DistanceConstraints constraints = support::distances_of(points, 4);
    const SemidefiniteSolution exact = solved_by_gram(40, constraints);
    const Unfolding unfolding = unfold_low_rank(support::start_of(points), 40, constraints, {.tolerance = 1e-5});
    expect_sound(unfolding, 1e-5);
    EXPECT_NEAR(unfolding.trace, exact.primal, 2e-5 * exact.primal);
    EXPECT_NEAR(unfolding.bound, exact.dual, 2e-5 * exact.dual);
}

TEST(LowRankUnfolding, UnrollsASheetFromItsPointsOrFromNothing) {
    const Generated roll = swiss_roll(500, 3);
    const DistanceConstraints constraints = support::distances_of(roll.points, 6);
    const Unfolding given = unfold_low_rank(support::start_of(roll.points), 500, constraints, {});
    const Unfolding drawn = unfold_low_rank({}, 500, constraints, {.seed = 9});
    expect_sound(given, 1e-3);
    expect_sound(drawn, 1e-3);
    EXPECT_NEAR(given.trace, drawn.trace, 2e-3 * given.trace);
    EXPECT_LE(given.trace, drawn.bound * (1.0 + 1e-12));
}

/// Begun in fewer columns than the optimum has: columns are added until the bound is met.
TEST(LowRankUnfolding, GrowsItsRank) {
    const DistanceConstraints constraints = support::ring(16);
    const MultiVector<double> start = support::to_multi_vector(support::random_matrix(16, 1, 6));
    const Unfolding unfolding = unfold_low_rank(start, 16, constraints, {.tolerance = 1e-4});
    expect_sound(unfolding, 1e-4);
    EXPECT_GE(unfolding.outputs.columns(), 2U);
}

TEST(LowRankUnfolding, FollowsARenumbering) {
    const Points points = swiss_roll(200, 4).points;
    const auto order = reference::shuffled(200, 5);
    const Unfolding before = unfold_low_rank({}, 200, support::distances_of(points, 5), {.tolerance = 1e-4});
    const Unfolding after =
        unfold_low_rank({}, 200, support::distances_of(reference::reordered(points, order), 5), {.tolerance = 1e-4});
    EXPECT_NEAR(after.trace, before.trace, 2e-4 * before.trace);
}

TEST(LowRankUnfolding, FollowsPowersOfTwoBitByBit) {
    const Points points = swiss_roll(150, 6).points;
    const Points larger = reference::scaled(points, 8.0F);
    const auto unfold = [](const Points& these) {
        return unfold_low_rank(support::start_of(these), 150, support::distances_of(these, 5), {});
    };
    const Unfolding before = unfold(points);
    Unfolding after = unfold(larger);
    for (double& value : after.outputs.values()) {
        value /= 8.0;
    }
    EXPECT_EQ(after.outputs.values(), before.outputs.values());
    EXPECT_EQ(after.bound / 64.0, before.bound);
}

TEST(LowRankUnfolding, HasTheSameBitsOnAnyThreads) {
    const DistanceConstraints constraints = folded_sheet(700);
    const Unfolding one = unfold_low_rank({}, 700, constraints, {.iterations = 40}, on_threads(1));
    const Unfolding three = unfold_low_rank({}, 700, constraints, {.iterations = 40}, on_threads(3));
    EXPECT_EQ(one.outputs.values(), three.outputs.values());
    EXPECT_EQ(one.bound, three.bound);
}

TEST(LowRankUnfolding, DuplicatesStayTogether) {
    Points points = swiss_roll(120, 7).points;
    for (Index i = 0; i < 120; i += 8) {
        std::copy_n(points[i].begin(), 3, points[i + 1].begin());
    }
    const Unfolding unfolding = unfold_low_rank(support::start_of(points), 120, support::distances_of(points, 5), {});
    expect_sound(unfolding, 1e-3);
    const Matrix outputs = to_matrix(unfolding.outputs);
    for (Index i = 0; i < 120; i += 8) {
        EXPECT_EQ((outputs.row(i) - outputs.row(i + 1)).squaredNorm(), 0.0);
    }
    const Unfolding all = unfold_low_rank({}, 6, support::all_distances(Matrix::Zero(6, 2)), {});
    EXPECT_EQ(all.status, SemidefiniteStatus::Solved);
    EXPECT_EQ(all.trace, 0.0);
    EXPECT_EQ(all.bound, 0.0);
}

TEST(LowRankUnfolding, CollinearPointsStayOnTheirLine) {
    Points points(30, 2);
    for (Index i = 0; i < 30; ++i) {
        points[i][0] = static_cast<float>(i * i);
        points[i][1] = 3.0F * points[i][0];
    }
    const Unfolding unfolding =
        unfold_low_rank(support::start_of(points), 30, support::distances_of(points, 3), {.tolerance = 1e-5});
    expect_sound(unfolding, 1e-5);
    EXPECT_NEAR(unfolding.trace, support::centred_gram(support::to_matrix(points)).trace(), 1e-4 * unfolding.trace);
    EXPECT_GT(unfolding.eigenvalues[0], 0.9999 * unfolding.trace);
}

TEST(LowRankUnfolding, SmallestOnes) {
    const Unfolding one = unfold_low_rank({}, 1, {}, {});
    EXPECT_EQ(one.status, SemidefiniteStatus::Solved);
    EXPECT_EQ(one.trace, 0.0);
    const Unfolding two = unfold_low_rank({}, 2, {.pairs = {{0, 1}}, .squared = {9.0}}, {.tolerance = 1e-6});
    expect_sound(two, 1e-6);
    EXPECT_NEAR(two.trace, 4.5, 1e-4);
}

TEST(LowRankUnfolding, ReturnsTheBestWhereItIsEnded) {
    const Points points = swiss_roll(300, 8).points;
    const DistanceConstraints constraints = support::distances_of(points, 5);
    const double begin = support::centred_gram(support::to_matrix(points)).trace();
    for (const std::uint64_t last : {1U, 3U, 6U}) {
        std::stop_source stop;
        RunContext context;
        context.stop = stop.get_token();
        std::uint64_t rounds = 0;
        context.on_iteration = [&](const Progress&) {
            if (++rounds == last) {
                stop.request_stop();
            }
        };
        const Unfolding unfolding = unfold_low_rank(support::start_of(points), 300, constraints, {}, context);
        EXPECT_EQ(unfolding.status, SemidefiniteStatus::Interrupted);
        EXPECT_LT(unfolding.largest_violation, 1e-9);
        EXPECT_GE(unfolding.trace, 0.99 * begin);
    }
    std::stop_source stop;
    stop.request_stop();
    RunContext stopped;
    stopped.stop = stop.get_token();
    const Unfolding nothing = unfold_low_rank({}, 300, constraints, {}, stopped);
    EXPECT_EQ(nothing.status, SemidefiniteStatus::Interrupted);
    EXPECT_LT(nothing.largest_violation, 1e-9);
    EXPECT_TRUE(std::isinf(nothing.bound));
}

TEST(LowRankUnfolding, SaysWhenItHasNotConverged) {
    const Unfolding unfolding = unfold_low_rank({}, 300, folded_sheet(300), {.iterations = 10});
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::NotConverged);
    EXPECT_EQ(unfolding.iterations, 10);
    EXPECT_GT(unfolding.gap, 1e-3);
    EXPECT_LT(unfolding.largest_violation, 1e-9);
}

TEST(LowRankUnfolding, RefusesWhatCannotBe) {
    const DistanceConstraints constraints = support::ring(5);
    const auto unfold = [&](const LowRankOptions& options) { return unfold_low_rank({}, 5, constraints, options); };
    EXPECT_THROW((void)unfold({.tolerance = 0.0}), InvalidArgument);
    EXPECT_THROW((void)unfold({.tolerance = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
    EXPECT_THROW((void)unfold({.iterations = -1}), InvalidArgument);
    EXPECT_THROW((void)unfold_low_rank({}, 0, {}, {}), InvalidArgument);
    EXPECT_THROW((void)unfold_low_rank({}, 6, constraints, {}), InvalidArgument);
    EXPECT_THROW((void)unfold_low_rank(MultiVector<double>(4, 2), 5, constraints, {}), InvalidArgument);
    MultiVector<double> bad(5, 1);
    bad.values()[2] = std::numeric_limits<double>::infinity();
    EXPECT_THROW((void)unfold_low_rank(bad, 5, constraints, {}), InvalidArgument);
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)unfold_low_rank({}, 5, constraints, {}, little), LimitExceeded);
}

}  // namespace
}  // namespace isogon::low_rank_unfolding_test
