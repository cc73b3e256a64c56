#include "isogon/faithful/faithful_path.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "unit/faithful/faithful_paths.hpp"

namespace isogon::faithful_path_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using support::faithful_paths::expect_same;
using support::faithful_paths::Problem;
using support::faithful_paths::solvable;
using support::faithful_paths::unsolvable;

TEST(FaithfulPath, IsOneAndTheSameWhereTheEquationIsSolvableWhateverIsFavored) {
    const Problem problem = solvable();
    FaithfulPath angles = problem.path({.favor = Favor::Angles, .iterations = 60}, on_threads(2));
    EXPECT_LT(angles.trial_residual(), 0.0);
    angles.run();
    EXPECT_EQ(angles.stage(), FaithfulStage::Spheres);
    EXPECT_GE(angles.trial_residual(), 0.0);
    EXPECT_LE(angles.trial_residual(), FaithfulPath::solvable);
    EXPECT_EQ(angles.trial_residual(), angles.trace()[FaithfulPath::trial - 1].objective);
    for (const Favor favor : {Favor::Balanced, Favor::Neighbors}) {
        FaithfulPath other = problem.path({.favor = favor, .iterations = 60}, on_threads(2));
        other.run();
        expect_same(angles, other);
    }
}

TEST(FaithfulPath, LeavesTheTrialWhereTheEquationIsNotSolvable) {
    const Problem problem = unsolvable();
    std::vector<double> reached;
    for (const Favor favor : {Favor::Angles, Favor::Balanced, Favor::Neighbors}) {
        FaithfulPath path = problem.path({.favor = favor, .iterations = 60}, on_threads(2));
        path.run();
        EXPECT_EQ(path.stage(), favor == Favor::Angles ? FaithfulStage::DampedSpheres : FaithfulStage::Relaxed);
        EXPECT_EQ(path.form(), favor == Favor::Angles ? FaithfulForm::Spheres : FaithfulForm::Relaxed);
        EXPECT_GT(path.trial_residual(), FaithfulPath::solvable);
        EXPECT_EQ(path.trial_residual(), path.trace()[FaithfulPath::trial - 1].objective);
        EXPECT_EQ(to_matrix(path.outputs({})).rows(), problem.start.rows());
        EXPECT_EQ(to_matrix(path.outputs({})).cols(), problem.start.cols());
        reached.push_back(path.descent().relative_residual());
    }
    EXPECT_LT(reached[1], reached[0]);
    EXPECT_LT(reached[2], reached[1]);  // the looser tie
}

TEST(FaithfulPath, BeginsAnewFromItsStart) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.iterations = 20, .tolerance = 0.0}, on_threads(1));
    path.run();
    FaithfulObjective objective(problem.s, problem.lengths, {.form = FaithfulForm::Relaxed});
    FaithfulDescent descent(objective, objective.start_from(support::to_block(problem.start)), {.tolerance = 0.0},
                            on_threads(1));
    descent.run_to(20);
    EXPECT_EQ(to_matrix(path.descent().position()), to_matrix(descent.position()));
}

TEST(FaithfulPath, TakesTheBalanceThatIsAskedForAndElseItsOwn) {
    const Problem problem = unsolvable(60);
    const auto reached = [&](Favor favor, std::optional<double> off_support_weight) {
        FaithfulPath path =
            problem.path({.favor = favor, .off_support_weight = off_support_weight, .iterations = 40}, on_threads(2));
        path.run();
        return to_matrix(path.outputs({}));
    };
    EXPECT_EQ(reached(Favor::Balanced, {}), reached(Favor::Balanced, 1.0));
    EXPECT_NE(reached(Favor::Balanced, {}), reached(Favor::Balanced, 0.5));
    EXPECT_NE(reached(Favor::Angles, {}), reached(Favor::Angles, 1.0));
}

TEST(FaithfulPath, KeepsItsLengthsWhenStrained) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.favor = Favor::Angles, .iterations = 40}, on_threads(2));
    path.run();
    const std::vector<double> reached = norms(path.outputs({}).view());
    for (std::size_t i = 0; i < reached.size(); ++i) {
        EXPECT_NEAR(reached[i], double{problem.lengths[i]}, 1e-6 * double{problem.lengths[i]});
    }
}

TEST(FaithfulPath, HasOutputsOfTheInputsLengthsOnTheSpheres) {
    const Problem problem = solvable();
    FaithfulPath path = problem.path({.iterations = 40}, on_threads(2));
    path.run();
    const std::vector<double> reached = norms(path.outputs({}).view());
    for (std::size_t i = 0; i < reached.size(); ++i) {
        EXPECT_NEAR(reached[i], double{problem.lengths[i]}, 1e-6 * double{problem.lengths[i]});
    }
}

TEST(FaithfulPath, HasLiftedOutputsWhoseProductsAreItsMatrix) {
    for (const Problem& problem : {solvable(60), unsolvable(60)}) {
        FaithfulPath path = problem.path({.iterations = 40}, on_threads(2));
        path.run();
        const Matrix lifted = to_matrix(path.lifted_outputs());
        const Eigen::Index d = problem.start.cols();
        ASSERT_EQ(lifted.cols(), d + 1);
        const Matrix y = lifted.leftCols(d);
        const Eigen::VectorXd last = lifted.col(d);
        const FaithfulObjective objective(problem.s, problem.lengths, {.form = path.form()});
        const Matrix l = to_matrix(objective.matrix(path.descent().position()));
        EXPECT_LT(support::difference(y * y.transpose() - last * last.transpose(), l), 1e-5);
        // And L is what the residual is of: S on the support, at most 0 off it.
        const Matrix s = to_matrix(problem.s);
        Matrix misfit = (s.array() != 0.0).select(l - s, l.cwiseMax(0.0));
        if (path.form() == FaithfulForm::Spheres) {
            misfit.diagonal().setZero();
        }
        EXPECT_NEAR(misfit.norm() / s.norm(), path.descent().relative_residual(), 1e-4);
    }
}

TEST(FaithfulPath, IsTheSameBitsForAnyNumberOfThreads) {
    for (const Problem& problem : {solvable(), unsolvable()}) {
        FaithfulPath one = problem.path({.iterations = 45}, on_threads(1));
        const Termination end = one.run();
        for (const int threads : {2, 3}) {
            FaithfulPath more = problem.path({.iterations = 45}, on_threads(threads));
            EXPECT_EQ(more.run(), end);
            expect_same(one, more);
        }
    }
}

TEST(FaithfulPath, RunTwiceIsRunOnce) {
    for (const Problem& problem : {solvable(60), unsolvable(60)}) {
        FaithfulPath once = problem.path({.iterations = 45}, on_threads(2));
        FaithfulPath twice = problem.path({.iterations = 45}, on_threads(2));
        const Termination end = once.run();
        twice.run();
        EXPECT_EQ(twice.run(), end);
        expect_same(once, twice);
    }
}

TEST(FaithfulPath, TracesBothFormsAsOneRun) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.iterations = 40, .tolerance = 0.0}, on_threads(2));
    EXPECT_EQ(path.run(), Termination::IterationLimit);
    const auto trace = path.trace();
    ASSERT_EQ(trace.size(), FaithfulPath::trial + 40U);
    for (std::size_t i = 0; i < trace.size(); ++i) {
        EXPECT_EQ(trace[i].iteration, static_cast<int>(i) + 1);
        EXPECT_GE(trace[i].seconds, i == 0 ? 0.0 : trace[i - 1].seconds);
    }
}

TEST(FaithfulPath, NeverCutsItsTrialShort) {
    // Fewer updates would make a solvable problem look like one that is not.
    const Problem problem = solvable(60);
    FaithfulPath path = problem.path({.iterations = 2, .tolerance = 0.0}, on_threads(1));
    EXPECT_EQ(path.run(), Termination::IterationLimit);
    EXPECT_EQ(path.stage(), FaithfulStage::Spheres);
    EXPECT_EQ(path.trace().size(), static_cast<std::size_t>(FaithfulPath::trial));
}

}  // namespace
}  // namespace isogon::faithful_path_test
