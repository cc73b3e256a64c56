#include "decomposition/gauss_newton.hpp"

#include <gtest/gtest.h>
#include <cmath>

#include "decomposition/relu_examples.hpp"
#include "decomposition/relu_start.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::gauss_newton_test {

namespace {

double relative_error(const support::ReluExample& example, const ReluFactors& factors) {
    return std::sqrt(support::latent_squares(example, support::product_of(factors))) / example.s.norm();
}

TEST(GaussNewton, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        GaussNewton state(problem, support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9),
                          1'000'000, {});
        double before = relative_error(example, state.factors());
        for (int k = 0; k < 15; ++k) {
            state.update();
            const double now = relative_error(example, state.factors());
            EXPECT_LE(now, before + 1e-9) << example.name << ", update " << k;
            before = now;
        }
    }
}

TEST(GaussNewton, FindsPlantedMatricesToRounding) {
    for (const double shift : {0.0, 2.5}) {
        const support::ReluExample example{"", support::planted_relu(120, 110, 4, shift, 3), {}};
        const ReluProblem problem = example.problem();
        const Index rank = shift > 0.0 ? 5 : 4;
        GaussNewton state(problem, shifted_start(problem, rank, mean_positive_entry(problem), 0, {}), 1'000'000, {});
        for (int k = 0; k < 60; ++k) {
            state.update();
        }
        EXPECT_LT(relative_error(example, state.factors()), 1e-8) << shift;
    }
}

TEST(GaussNewton, CompletesUnknownEntries) {
    const support::Matrix mask = (support::random_matrix(90, 80, 7).array() > -0.5).cast<double>();
    const support::Matrix truth = support::planted_relu(90, 80, 3, 0.0, 1);
    const support::ReluExample example{"", truth.cwiseProduct(mask), mask};
    const ReluProblem problem = example.problem();
    GaussNewton state(problem, shifted_start(problem, 3, 0.0, 0, {}), 1'000'000, {});
    for (int k = 0; k < 60; ++k) {
        state.update();
    }
    const support::Matrix found = support::product_of(state.factors()).cwiseMax(0.0);
    EXPECT_LT((found - truth).norm(), 1e-6 * truth.norm());
}

TEST(GaussNewton, GoesOnByRowsWhereTooManyEntriesCount) {
    const support::ReluExample example{"", support::planted_relu(60, 50, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    GaussNewton state(problem, support::random_factors(60, 50, 3, 2), 10, {});
    const double before = relative_error(example, state.factors());
    for (int k = 0; k < 10; ++k) {
        state.update();
    }
    EXPECT_LT(relative_error(example, state.factors()), 0.7 * before);
    EXPECT_EQ(state.products(), 0);
}

using support::Matrix;

constexpr Index rank = 8;  // the kernels require it

struct Example {
    explicit Example(const support::ReluExample& example)
        : s(example.s),
          problem(example.problem()),
          factors(support::random_factors(problem.forward.rows(), problem.forward.columns(), rank, 9)),
          active(*active_set(problem.forward, factors, 1'000'000, {})) {}
    Matrix s;
    ReluProblem problem;
    ReluFactors factors;
    ActiveSet active;

    /// J and the residuals, row by row of the active set; unknowns: W by rows, then H^T by rows.
    void fill(Matrix& jacobian, Eigen::VectorXd& residual) const {
        const Index m = active.forward.rows();
        jacobian =
            Matrix::Zero(static_cast<Eigen::Index>(active.forward.entries()), (m + active.backward.rows()) * rank);
        residual.resize(jacobian.rows());
        Eigen::Index row = 0;
        for (Index i = 0; i < m; ++i) {
            for (const Index j : active.forward.row(i)) {
                double latent = 0.0;
                for (Index c = 0; c < rank; ++c) {
                    latent += factors.left.at(i, c) * factors.right.at(j, c);
                    jacobian(row, i * rank + c) = factors.right.at(j, c);
                    jacobian(row, (m + j) * rank + c) = factors.left.at(i, c);
                }
                residual(row) = s(i, j) - latent;
                ++row;
            }
        }
    }
};

Eigen::VectorXd stacked(const ReluFactors& factors) {
    Eigen::VectorXd all(factors.left.values().size() + factors.right.values().size());
    std::copy(factors.left.values().begin(), factors.left.values().end(), all.begin());
    std::copy(factors.right.values().begin(), factors.right.values().end(),
              all.begin() + static_cast<Eigen::Index>(factors.left.values().size()));
    return all;
}

TEST(NormalEquations, AreThoseOfTheJacobian) {
    for (const auto& each : support::relu_examples()) {
        if (each.s.rows() > 70 || each.s.cols() > 70) {
            continue;  // a dense J
        }
        const Example example(each);
        Matrix jacobian;
        Eigen::VectorXd residual;
        example.fill(jacobian, residual);
        const NormalEquations equations(example.problem, example.active, example.factors, {});
        EXPECT_NEAR(equations.squares(), residual.squaredNorm(), 1e-10 * (1.0 + residual.squaredNorm())) << each.name;
        const Eigen::VectorXd gradient = jacobian.transpose() * residual;
        EXPECT_LT((stacked(equations.gradient()) - gradient).norm(), 1e-10 * (1.0 + gradient.norm())) << each.name;
        const double damping = 0.1 * equations.mean_diagonal();
        const NormalEquations::Step step = equations.solve(damping, 1e-12, 1000);
        const Eigen::VectorXd x = stacked(step.change);
        const Eigen::VectorXd left = jacobian.transpose() * (jacobian * x) + damping * x;
        EXPECT_LT((left - gradient).norm(), 1e-6 * gradient.norm()) << each.name;
        EXPECT_NEAR(step.predicted, residual.squaredNorm() - (residual - jacobian * x).squaredNorm(),
                    1e-6 * residual.squaredNorm())
            << each.name;
    }
}

TEST(NormalEquations, StepsAreTheSameOnAnyNumberOfThreads) {
    const Example example({"", support::planted_relu(700, 300, 4, 1.0, 1), {}});
    const auto on = [&](int threads) {
        const NormalEquations equations(example.problem, example.active, example.factors,
                                        reference::on_threads(threads));
        return equations.solve(equations.mean_diagonal(), 0.1, 5).change.left.values();
    };
    EXPECT_EQ(on(1), on(3));
}

}  // namespace

}  // namespace isogon::gauss_newton_test
