#include "semidefinite/stretching.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/distances.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::newton_system_test {
namespace {

using support::Matrix;

struct Example {
    DistanceGraph graph{};
    MultiVector<double> outputs{};
    std::vector<double> forces{};
    std::vector<double> stiffness{};
};

Example example(double force) {
    const Points points = reference::random_points(40, 3, 1);
    Example result{.graph = distance_graph(40, support::distances_of(points, 4)), .outputs = support::start_of(points)};
    for (std::size_t a = 0; a < result.graph.edge_count(); ++a) {
        result.forces.push_back(force + 0.1 * std::sin(static_cast<double>(a)));
        result.stiffness.push_back(1.0 + std::cos(static_cast<double>(a)));
    }
    return result;
}

/// The Hessian as it is defined, with the centring.
Matrix dense_hessian(const Example& problem) {
    const Index n = problem.graph.nodes;
    const Index r = problem.outputs.columns();
    Matrix result = Matrix::Zero(n * r, n * r);
    const Matrix rows = support::to_matrix(problem.outputs);
    for (std::size_t a = 0; a < problem.graph.edge_count(); ++a) {
        Matrix ends = Matrix::Zero(n * r, r);
        ends.middleRows(problem.graph.kept.pairs[a].first * r, r) = Matrix::Identity(r, r);
        ends.middleRows(problem.graph.kept.pairs[a].second * r, r) = -Matrix::Identity(r, r);
        const Eigen::VectorXd d =
            rows.row(problem.graph.kept.pairs[a].first) - rows.row(problem.graph.kept.pairs[a].second);
        result += ends * (2.0 * problem.forces[a] * Matrix::Identity(r, r) + problem.stiffness[a] * d * d.transpose()) *
                  ends.transpose();
    }
    for (Index v = 0; v < n; ++v) {
        result.block(v * r, v * r, r, r) -= 2.0 * Matrix::Identity(r, r);
        for (Index u = 0; u < n; ++u) {
            result.block(v * r, u * r, r, r) += 2.0 / n * Matrix::Identity(r, r);
        }
    }
    return result;
}

TEST(NewtonSystem, SolvesWithTheHessianAmongCentredOutputs) {
    const Example problem = example(3.0);
    NewtonSystem system(problem.graph, 3);
    ASSERT_TRUE(system.factor(problem.outputs, problem.forces, problem.stiffness, {}));
    MultiVector<double> direction = support::to_multi_vector(support::random_matrix(40, 3, 2));
    centre(problem.graph, direction);
    const MultiVector<double> right = direction;
    system.solve(direction);
    const Eigen::Map<const Eigen::VectorXd> solution(direction.values().data(), 120);
    const Eigen::Map<const Eigen::VectorXd> wanted(right.values().data(), 120);
    EXPECT_LT((dense_hessian(problem) * solution - wanted).norm(), 1e-10 * wanted.norm());
    EXPECT_LT(support::to_matrix(direction).colwise().mean().norm(), 1e-12);
    EXPECT_GT(system.operations(), 120.0);
    EXPECT_GT(system.bytes(), 120U * 8U);
}

TEST(NewtonSystem, TellsWhereTheHessianIsPositiveDefinite) {
    int definite = 0;
    for (const double force : {0.1, 0.3, 0.6, 1.0, 3.0}) {
        const Example problem = example(force);
        NewtonSystem system(problem.graph, 3);
        const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(dense_hessian(problem));
        const bool positive = spectrum.eigenvalues()[0] > -1e-9;  // 0 for constants
        EXPECT_EQ(system.factor(problem.outputs, problem.forces, problem.stiffness, {}), positive) << force;
        definite += positive ? 1 : 0;
    }
    EXPECT_GT(definite, 0);
    EXPECT_LT(definite, 5);
}

TEST(NewtonSystem, DoesNotDependOnThreads) {
    const Example problem = example(3.0);
    MultiVector<double> one = support::to_multi_vector(support::random_matrix(40, 3, 3));
    MultiVector<double> three = one;
    NewtonSystem system(problem.graph, 3);
    ASSERT_TRUE(system.factor(problem.outputs, problem.forces, problem.stiffness, reference::on_threads(1)));
    system.solve(one);
    ASSERT_TRUE(system.factor(problem.outputs, problem.forces, problem.stiffness, reference::on_threads(3)));
    system.solve(three);
    EXPECT_EQ(one.values(), three.values());
}

}  // namespace
}  // namespace isogon::newton_system_test
