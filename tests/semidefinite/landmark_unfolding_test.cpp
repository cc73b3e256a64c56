#include "semidefinite/landmark_unfolding.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <numeric>

#include "graph/barycentric_weights.hpp"
#include "reference/graphs.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::landmark_unfolding_test {
namespace {

using support::Matrix;

struct Problem {
    MultiVector<double> q;
    DistanceConstraints constraints;
};

/// Every so many points a landmark.
Problem problem_of(const Points& points, Index landmarks, Index neighbors, Index weight_neighbors) {
    const CsrMatrix<double> weights =
        barycentric_weights(points.view(), reference::euclidean_lists(points, weight_neighbors), 1e-3);
    std::vector<Index> chosen;
    for (Index k = 0; k < landmarks; ++k) {
        chosen.push_back(k * points.count() / landmarks);
    }
    return {landmark_reconstruction(weights, chosen),
            distance_constraints(points.view(), reference::euclidean_lists(points, neighbors), KeptPairs::Neighbors)};
}

Problem rolled_sheet(Index count = 300, Index landmarks = 8) {
    return problem_of(support::sheet(count, true).points, landmarks, 4, 10);
}

/// The paper's program of L itself with all constraints at once: L = U L' U^T, U a basis of the complement of Q^T 1.
double trace_by_one_program(const Problem& problem) {
    const Matrix q = support::to_matrix(problem.q);
    const Matrix sums = q.colwise().sum().transpose();
    const Matrix full = sums.householderQr().householderQ();
    const Matrix v = q * full.rightCols(q.cols() - 1);
    const double size = v.squaredNorm();
    SemidefiniteProgram program{.objective = support::to_small(v.transpose() * v / size), .shortfall_price = 0.0};
    Matrix rows(static_cast<Eigen::Index>(problem.constraints.size()), v.cols());
    const double typical = problem.constraints.squared.front();
    for (std::size_t a = 0; a < problem.constraints.size(); ++a) {
        const auto& [i, j] = problem.constraints.pairs[a];
        rows.row(static_cast<Eigen::Index>(a)) = v.row(i) - v.row(j);
        program.values.push_back(problem.constraints.squared[a] / typical);
    }
    program.vectors = support::csr_matrix(rows);
    const SemidefiniteSolution solution = solve(program, {.tolerance = 1e-7});
    EXPECT_EQ(solution.status, SemidefiniteStatus::Solved);
    return solution.primal * size * typical;
}

void expect_feasible(const Problem& problem, const Unfolding& unfolding) {
    const Matrix y = support::to_matrix(unfolding.outputs);
    for (std::size_t a = 0; a < problem.constraints.size(); ++a) {
        const auto& [i, j] = problem.constraints.pairs[a];
        EXPECT_LE((y.row(i) - y.row(j)).squaredNorm(), problem.constraints.squared[a] * (1.0 + 1e-9));
    }
    EXPECT_LT(y.colwise().sum().norm(), 1e-8 * y.norm());
    const Matrix gram = y.transpose() * y;
    for (Eigen::Index k = 0; k < gram.rows(); ++k) {
        EXPECT_NEAR(gram(k, k), unfolding.eigenvalues[static_cast<std::size_t>(k)], 1e-9 * unfolding.trace);
        EXPECT_LT((gram.row(k).cwiseAbs().sum() - gram(k, k)), 1e-8 * unfolding.trace);
    }
    EXPECT_TRUE(std::is_sorted(unfolding.eigenvalues.rbegin(), unfolding.eigenvalues.rend()));
    EXPECT_NEAR(gram.trace(), unfolding.trace, 1e-9 * unfolding.trace);
    EXPECT_LT(unfolding.largest_violation, 1e-9);
    // Outputs are Q times those of landmarks.
    const Matrix q = support::to_matrix(problem.q);
    EXPECT_LT((q * q.colPivHouseholderQr().solve(y) - y).norm(), 1e-8 * y.norm());
}

TEST(LandmarkUnfolding, RoundsFindWhatAllConstraintsAtOnceDo) {
    for (const Index landmarks : {3, 6, 10}) {
        const Problem problem = rolled_sheet(120, landmarks);
        const double truth = trace_by_one_program(problem);
        const LandmarkUnfolding result = landmark_unfolding(problem.q, problem.constraints, {.tolerance = 1e-4});
        EXPECT_EQ(result.unfolding.status, SemidefiniteStatus::Solved);
        EXPECT_NEAR(result.unfolding.trace, truth, 5e-4 * truth);
        EXPECT_LE(result.unfolding.trace, truth * (1.0 + 1e-5));
        EXPECT_GE(result.unfolding.bound, truth * (1.0 - 1e-5));
        EXPECT_LT(result.unfolding.gap, 2e-4);
        EXPECT_LT(result.passed_constraints, problem.constraints.size());
        EXPECT_GE(result.passed_constraints, result.monitored);
        expect_feasible(problem, result.unfolding);
    }
}

TEST(LandmarkUnfolding, UnrollsASheet) {
    const support::Sheet sheet = support::sheet(800, true);
    const Problem problem = problem_of(sheet.points, 20, 5, 12);
    const Unfolding unfolding = landmark_unfolding(problem.q, problem.constraints, {}).unfolding;
    const Matrix y = support::to_matrix(unfolding.outputs).leftCols(2);
    EXPECT_LT(support::procrustes_error(y, sheet.truth), 0.1);
    EXPECT_GT(unfolding.eigenvalues[0] + unfolding.eigenvalues[1], 0.99 * unfolding.trace);
}

/// A chain of points is unfolded to a line with the same step lengths.
TEST(LandmarkUnfolding, CollinearPointsStayOnALine) {
    Points points(60, 3);
    for (Index i = 0; i < 60; ++i) {
        points[i][1] = static_cast<float>(i);
    }
    const Problem problem = problem_of(points, 5, 2, 6);
    const Unfolding unfolding = landmark_unfolding(problem.q, problem.constraints, {.tolerance = 1e-5}).unfolding;
    EXPECT_EQ(unfolding.status, SemidefiniteStatus::Solved);
    EXPECT_GT(unfolding.eigenvalues[0], 0.999 * unfolding.trace);
    const double length = std::abs(unfolding.outputs.at(59, 0) - unfolding.outputs.at(0, 0));
    EXPECT_NEAR(length, 59.0, 0.6);
}

TEST(LandmarkUnfolding, FollowsTheUnitOfLength) {
    const Problem problem = rolled_sheet();
    Problem longer = problem;
    for (double& squared : longer.constraints.squared) {
        squared *= 0x1p40;
    }
    const Unfolding one = landmark_unfolding(problem.q, problem.constraints, {}).unfolding;
    const Unfolding other = landmark_unfolding(longer.q, longer.constraints, {}).unfolding;
    ASSERT_EQ(one.outputs.values().size(), other.outputs.values().size());
    for (std::size_t k = 0; k < one.outputs.values().size(); ++k) {
        EXPECT_EQ(one.outputs.values()[k] * 0x1p20, other.outputs.values()[k]);
    }
    EXPECT_EQ(one.gap, other.gap);
}

TEST(LandmarkUnfolding, DoesNotDependOnTheOrderOfPoints) {
    const Points points = support::sheet(200, true).points;
    const std::vector<Index> order = reference::shuffled(200, 3);
    const Problem problem = problem_of(points, 8, 4, 10);
    Problem other = problem;
    std::vector<Index> place(200);
    for (Index i = 0; i < 200; ++i) {
        place[order[i]] = i;
        std::copy_n(problem.q.row(order[i]), 8, other.q.row(i));
    }
    for (auto& [i, j] : other.constraints.pairs) {
        i = place[i];
        j = place[j];
    }
    const Unfolding one = landmark_unfolding(problem.q, problem.constraints, {}).unfolding;
    const Unfolding two = landmark_unfolding(other.q, other.constraints, {}).unfolding;
    EXPECT_NEAR(one.trace, two.trace, 2e-3 * one.trace);
    const Matrix y = support::to_matrix(one.outputs).leftCols(2);
    EXPECT_LT(support::procrustes_error(support::to_matrix(two.outputs)(place, {0, 1}), y), 0.02);
}

TEST(LandmarkUnfolding, IsTheSameOnAnyNumberOfThreads) {
    const Problem problem = rolled_sheet(1500, 10);
    const LandmarkUnfolding one = landmark_unfolding(problem.q, problem.constraints, {}, {.threads = 1});
    const LandmarkUnfolding three = landmark_unfolding(problem.q, problem.constraints, {}, {.threads = 3});
    EXPECT_EQ(one.unfolding.outputs.values(), three.unfolding.outputs.values());
    EXPECT_EQ(one.unfolding.bound, three.unfolding.bound);
    EXPECT_EQ(one.rounds, three.rounds);
}

TEST(LandmarkUnfolding, SaysWhereNothingHoldsPointsTogether) {
    Problem problem = rolled_sheet(200, 6);
    DistanceConstraints& kept = problem.constraints;
    // All that touch the first hundred points go: these could be anywhere.
    DistanceConstraints left;
    for (std::size_t a = 0; a < kept.size(); ++a) {
        if (kept.pairs[a].first >= 100) {
            left.pairs.push_back(kept.pairs[a]);
            left.squared.push_back(kept.squared[a]);
        }
    }
    left.pairs.resize(4);
    left.squared.resize(4);
    const LandmarkUnfolding result = landmark_unfolding(problem.q, left, {});
    EXPECT_EQ(result.unfolding.status, SemidefiniteStatus::Unbounded);
    EXPECT_TRUE(result.unfolding.outputs.values().empty());
    EXPECT_FALSE(result.unfolding.message.empty());
}

TEST(LandmarkUnfolding, InterruptedInARoundItGivesTheBestSoFar) {
    const Problem problem = rolled_sheet();
    std::stop_source stop;
    RunContext context{.stop = stop.get_token()};
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "unfolding" && progress.done == 2) {
            stop.request_stop();
        }
    };
    const LandmarkUnfolding result = landmark_unfolding(problem.q, problem.constraints, {}, context);
    EXPECT_EQ(result.unfolding.status, SemidefiniteStatus::Interrupted);
    EXPECT_EQ(result.rounds, 2);
    EXPECT_GT(result.unfolding.trace, 0.0);
    EXPECT_GE(result.unfolding.bound, result.unfolding.trace);
    expect_feasible(problem, result.unfolding);
    EXPECT_THROW((void)landmark_unfolding(problem.q, problem.constraints, {}, context), Interruption);
}

TEST(LandmarkUnfolding, EndsAfterItsRoundsWithAnUnfoldingAndABound) {
    const Problem problem = rolled_sheet(200, 8);
    const LandmarkUnfolding whole = landmark_unfolding(problem.q, problem.constraints, {});
    const LandmarkUnfolding one = landmark_unfolding(problem.q, problem.constraints, {.rounds = 1});
    EXPECT_EQ(one.unfolding.status, SemidefiniteStatus::NotConverged);
    EXPECT_EQ(one.rounds, 1);
    EXPECT_LE(one.unfolding.trace, whole.unfolding.bound);
    EXPECT_GE(one.unfolding.bound, whole.unfolding.trace);
    EXPECT_GT(one.unfolding.gap, whole.unfolding.gap);
    expect_feasible(problem, one.unfolding);
    ASSERT_EQ(one.summary.trace.size(), 1U);
    EXPECT_GT(one.summary.trace[0].change, 1e-3);
}

TEST(LandmarkUnfolding, RefusesWhatCannotServe) {
    const Problem problem = rolled_sheet(100, 4);
    EXPECT_THROW((void)landmark_unfolding(MultiVector<double>(100, 1), problem.constraints, {}), InvalidArgument);
    EXPECT_THROW((void)landmark_unfolding(problem.q, problem.constraints, {}, {.memory_limit = 1000}), LimitExceeded);
    DistanceConstraints equal = problem.constraints;
    equal.squared[0] = 0.0;
    EXPECT_THROW((void)landmark_unfolding(problem.q, equal, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::landmark_unfolding_test
