#include "decomposition/riemannian_lbfgs.hpp"
#include "decomposition/sphere_objective.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::riemannian_lbfgs_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// Points on a sphere in 4 dimensions, turned into 9: the equation has an exact solution in 4.
struct Solvable {
    Similarities s;
    std::vector<float> lengths;
    MultiVector<float> start;

    explicit Solvable(Index count, double noise = 0.4) : lengths(count, 1.0F) {
        Matrix u = support::random_matrix(count, 4, 1);
        u.rowwise().normalize();
        Matrix x = Matrix::Zero(count, 9);
        x.leftCols(4) = u;
        s = thresholded_similarities(support::to_points(x).view(), 0.6, {});
        Matrix near = u + noise * support::random_matrix(count, 4, 2);
        near.rowwise().normalize();
        start = support::to_block(near);
    }
};

TEST(RiemannianLbfgsOnSpheres, NeverRises) {
    const Solvable problem(300);
    SphereObjective objective(problem.s, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {.tolerance = 0.0}, on_threads(2));
    double last = descent.value().objective;
    for (int k = 1; k <= 60; ++k) {
        descent.run_to(k);
        ASSERT_LE(descent.value().objective, last) << "update " << k;
        last = descent.value().objective;
    }
}

TEST(RiemannianLbfgsOnSpheres, SolvesWhatCanBeSolved) {
    const Solvable problem(300);
    SphereObjective objective(problem.s, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {.tolerance = 0.0}, on_threads(2));
    EXPECT_GT(descent.relative_residual(), 0.3);
    descent.run_to(400);
    EXPECT_LT(descent.relative_residual(), 0.01);
}

TEST(RiemannianLbfgsOnSpheres, IsTheSameBitsInOneGoInTwoAndOnAnyNumberOfThreads) {
    const Solvable problem(150);
    const auto run = [&](std::vector<int> stops, int threads) {
        SphereObjective objective(problem.s, problem.lengths, {});
        RiemannianLbfgs descent(objective, problem.start, {}, on_threads(threads));
        for (const int stop : stops) {
            descent.run_to(stop);
        }
        return Matrix(to_matrix(descent.position()));
    };
    const Matrix one = run({25}, 1);
    EXPECT_EQ(one, run({7, 25}, 2));
    EXPECT_EQ(one, run({1, 2, 25}, 3));
}

TEST(RiemannianLbfgsOnSpheres, IsTheSameBitsByAnyNumberOfRanks) {
    const Solvable problem(1100);  // two blocks of the sums of L-BFGS
    // Saved by the last rank, and continued.
    const auto run = [&](const RankGroup& ranks, Index shared_from) {
        const RunContext context = ranks.agreeing(on_threads(1));
        Similarities s = problem.s;
        s.ranks = ranks;
        SphereObjective objective(s, problem.lengths, {});
        const MultiVector<float> start = problem.start;
        RiemannianLbfgs descent(objective, start, {.shared_from = shared_from}, context);
        descent.run_to(12);
        Matrix resumed;
        if (ranks.rank() + 1 < ranks.size()) {
            descent.help_save();
        } else {
            Archive saved;
            descent.save(saved);
            SphereObjective alone(problem.s, problem.lengths, {});
            RiemannianLbfgs second(alone, start, {}, on_threads(1), &saved);
            second.run_to(15);
            resumed = to_matrix(second.position());
        }
        descent.run_to(15);
        EXPECT_TRUE(resumed.size() == 0 || resumed == to_matrix(descent.position()));
        return Matrix(to_matrix(descent.position()));
    };
    const Matrix alone = run({}, 0);
    for (const std::size_t ranks : {2U, 3U}) {
        for (const Index shared_from : {0U, 2000U}) {
            std::vector<Matrix> found(ranks);
            support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
                found[communicator.rank()] = run(RankGroup(communicator), shared_from);
            });
            for (const Matrix& one : found) {
                EXPECT_EQ(one, alone) << ranks << " ranks";
            }
        }
    }
}

TEST(RiemannianLbfgsOnSpheres, ContinuesFromWhatItSavedToTheSameBits) {
    const Solvable problem(150);
    SphereObjective objective(problem.s, problem.lengths, {});
    const MultiVector<float> start = problem.start;
    RiemannianLbfgs whole(objective, start, {.tolerance = 1e-3}, on_threads(2));
    RiemannianLbfgs first(objective, start, {.tolerance = 1e-3}, on_threads(2));
    first.run_to(17);
    Archive saved;
    first.save(saved);
    RiemannianLbfgs second(objective, MultiVector<float>(start.rows(), start.columns()), {.tolerance = 1e-3},
                           on_threads(3), &saved);
    EXPECT_EQ(second.iterations(), 17);
    EXPECT_EQ(whole.run_to(500), second.run_to(500));
    EXPECT_EQ(whole.iterations(), second.iterations());
    EXPECT_EQ(to_matrix(whole.position()), to_matrix(second.position()));
}

TEST(RiemannianLbfgs, RefusesASavedStateOfAnotherShape) {
    const Solvable problem(60);
    SphereObjective objective(problem.s, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {}, {});
    Archive saved;
    descent.save(saved);
    EXPECT_THROW(RiemannianLbfgs(objective, MultiVector<float>(60, 5), {}, {}, &saved), InputError);
    const Archive empty;
    EXPECT_THROW(RiemannianLbfgs(objective, problem.start, {}, {}, &empty), InputError);
}

TEST(RiemannianLbfgs, ContinuesFromATraceOfTinyNumbersWithFiniteOnes) {
    const Solvable problem(60);
    SphereObjective objective(problem.s, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {}, {});
    descent.run_to(1);
    Archive saved;
    descent.save(saved);
    saved.arrays.erase("trace");
    add_trace("trace", {{.iteration = 1, .objective = 1e-310}}, saved);  // what is divided by it is infinite
    RiemannianLbfgs second(objective, problem.start, {}, {}, &saved);
    second.run_to(2);
    ASSERT_EQ(second.trace().size(), 2U);
    EXPECT_TRUE(std::isfinite(second.trace().back().change));
}

TEST(RiemannianLbfgs, StallsAtTheExactSolution) {
    const Solvable problem(100, 0.0);
    SphereObjective objective(problem.s, problem.lengths, {});
    RiemannianLbfgs descent(objective, problem.start, {.tolerance = 0.0}, {});
    const Termination end = descent.run_to(500);
    EXPECT_EQ(end, Termination::Stalled);
    EXPECT_LT(descent.iterations(), 500);
    EXPECT_LT(descent.relative_residual(), 1e-5);
}

TEST(RiemannianLbfgs, CanBeCancelledAndStaysUsable) {
    const Solvable problem(100);
    SphereObjective objective(problem.s, problem.lengths, {});
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 5) {
            source.request_stop();
        }
    };
    RiemannianLbfgs descent(objective, problem.start, {}, context);
    EXPECT_EQ(descent.run_to(50), Termination::Cancelled);
    EXPECT_EQ(descent.iterations(), 5);
    RiemannianLbfgs straight(objective, problem.start, {}, {});
    straight.run_to(5);
    EXPECT_EQ(to_matrix(descent.position()), to_matrix(straight.position()));
}

}  // namespace
}  // namespace isogon::riemannian_lbfgs_test
