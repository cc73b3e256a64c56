#include "semidefinite/dual_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/point_sets.hpp"
#include "support/distances.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::dual_bound_test {

namespace {

using support::Matrix;

Matrix dense_laplacian(const DistanceGraph& graph, const std::vector<double>& weights) {
    Matrix result = Matrix::Zero(graph.nodes, graph.nodes);
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(graph.nodes);
        v[graph.kept.pairs[a].first] = 1.0;
        v[graph.kept.pairs[a].second] = -1.0;
        result += weights[a] * v * v.transpose();
    }
    return result;
}

/// Eigenvalues by M, of which the least but for constants.
double slow_least(const DistanceGraph& graph, const std::vector<double>& weights) {
    const Eigen::Map<const Eigen::VectorXd> masses(graph.masses.data(), graph.nodes);
    Matrix scaled = masses.cwiseSqrt().cwiseInverse().asDiagonal() * dense_laplacian(graph, weights) *
                    masses.cwiseSqrt().cwiseInverse().asDiagonal();
    const Eigen::VectorXd null = masses.cwiseSqrt().normalized();
    scaled += 1e6 * null * null.transpose();
    return Eigen::SelfAdjointEigenSolver<Matrix>(scaled).eigenvalues()[0];
}

/// Points of which some stand twice.
DistanceGraph example_graph() {
    Points points = reference::random_points(80, 2, 1);
    for (Index i = 0; i < 80; i += 10) {
        points[i + 1][0] = points[i][0];
        points[i + 1][1] = points[i][1];
    }
    return distance_graph(80, support::distances_of(points, 5));
}

TEST(LeastEigenpair, IsThatOfTheDenseMatrix) {
    const DistanceGraph graph = example_graph();
    for (const double push : {0.0, 0.3, 0.9}) {
        std::vector<double> weights;
        for (std::size_t a = 0; a < graph.edge_count(); ++a) {
            weights.push_back(1.0 + push * std::sin(static_cast<double>(3 * a)));
        }
        const LeastEigenpair least = least_eigenpair(graph, weights, 7, {});
        EXPECT_NEAR(least.value, slow_least(graph, weights), 1e-9);
        EXPECT_LT(least.residual, 1e-6);
        EXPECT_LE(least.sure(), least.value);
        const Eigen::Map<const Eigen::VectorXd> v(least.vector.data(), graph.nodes);
        const Eigen::Map<const Eigen::VectorXd> masses(graph.masses.data(), graph.nodes);
        EXPECT_NEAR(v.dot(masses.asDiagonal() * v), 1.0, 1e-9);
        EXPECT_NEAR(v.dot(masses), 0.0, 1e-9);
        EXPECT_NEAR(v.dot(dense_laplacian(graph, weights) * v), least.value, 1e-9);
    }
}

TEST(LeastEigenpair, OfTwoNodes) {
    const DistanceGraph graph = distance_graph(2, {.pairs = {{0, 1}}, .squared = {1.0}});
    EXPECT_NEAR(least_eigenpair(graph, {3.0}, 0, {}).value, 6.0, 1e-12);
}

/// Any multipliers give a bound, and no outputs that keep the rule exceed it: the points themselves, for instance.
TEST(DualBound, IsNeverBelowWhatIsReached) {
    const Points points = reference::random_points(60, 3, 2);
    const DistanceGraph graph = distance_graph(60, support::distances_of(points, 6));
    const double reached = support::centred_gram(support::to_matrix(points)).trace() / graph.unit;
    const DualBound dual(graph, 0, {});
    const auto expect_a_bound = [&](const std::vector<double>& multipliers) {
        const double bound = dual.from(multipliers, least_eigenpair(graph, multipliers, 0, {}));
        EXPECT_GE(bound, reached);
        EXPECT_TRUE(std::isfinite(bound));
    };
    for (const double size : {0.01, 0.5, 1.0, 3.0, 30.0}) {
        expect_a_bound(std::vector<double>(graph.edge_count(), size));
    }
    std::vector<double> letting_go(graph.edge_count(), 1.0);  // of the first point: their least eigenvalue is 0
    for (Offset k = graph.offsets[0]; k < graph.offsets[1]; ++k) {
        letting_go[graph.edges[k]] = 0.0;
    }
    expect_a_bound(letting_go);
}

/// Uniform weights scaled so that their least eigenvalue is 1 are feasible: the bound is then their sum.
TEST(DualBound, IsTheValueOfFeasibleMultipliers) {
    const DistanceGraph graph = example_graph();
    std::vector<double> weights(graph.edge_count(), 1.0);
    const double least = slow_least(graph, weights);
    double value = 0.0;
    for (std::size_t a = 0; a < weights.size(); ++a) {
        weights[a] /= least;
        value += weights[a] * graph.kept.squared[a];
    }
    const DualBound dual(graph, 0, {});
    EXPECT_NEAR(dual.from(weights, least_eigenpair(graph, weights, 0, {})), value, 1e-6 * value);
}

using support::to_matrix;

TEST(FinishedUnfolding, IsCentredAndTurnedAndKeepsItsGram) {
    const Matrix rows = support::random_matrix(30, 3, 1);
    const Unfolding done = finished_unfolding(
        {.status = SemidefiniteStatus::Solved, .outputs = support::to_multi_vector(rows), .bound = 100.0},
        support::all_distances(rows), 1e-3, {});
    const Matrix outputs = to_matrix(done.outputs);
    EXPECT_LT(support::difference(outputs * outputs.transpose(), support::centred_gram(rows)), 1e-12);
    EXPECT_LT(outputs.colwise().mean().norm(), 1e-13);
    const Matrix products = outputs.transpose() * outputs;
    for (Index c = 0; c < 3; ++c) {
        EXPECT_NEAR(products(c, c), done.eigenvalues[c], 1e-10);
        EXPECT_TRUE(c == 0 || done.eigenvalues[c] <= done.eigenvalues[c - 1]);
        EXPECT_EQ(outputs.col(c).maxCoeff(), outputs.col(c).cwiseAbs().maxCoeff());
    }
    EXPECT_LT((products - Matrix(products.diagonal().asDiagonal())).norm(), 1e-10);
    EXPECT_NEAR(done.trace, support::centred_gram(rows).trace(), 1e-10);
    EXPECT_NEAR(done.gap, (100.0 - done.trace) / (100.0 + done.trace), 1e-12);
    EXPECT_LT(done.largest_violation, 1e-12);
}

TEST(FinishedUnfolding, ScalesWhatIsTooLong) {
    const Matrix rows = support::random_matrix(20, 2, 2);
    DistanceConstraints constraints = support::all_distances(rows);
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        constraints.squared[a] *= a == 17 ? 0.25 : 0.5;
    }
    const Unfolding done = finished_unfolding(
        {.status = SemidefiniteStatus::Interrupted, .outputs = support::to_multi_vector(rows), .bound = 1.0},
        constraints, 1e-3, {});
    EXPECT_NEAR(done.trace, support::centred_gram(rows).trace() / 4.0, 1e-12);
    EXPECT_LT(done.largest_violation, 1e-12);
}

TEST(FinishedUnfolding, IsSolvedWhereOutputsAndBoundMeet) {
    const Matrix rows = support::random_matrix(30, 3, 1);
    const double trace = support::centred_gram(rows).trace();
    const auto status = [&](double bound, SemidefiniteStatus given) {
        return finished_unfolding({.status = given, .outputs = support::to_multi_vector(rows), .bound = bound},
                                  support::all_distances(rows), 1e-3, {})
            .status;
    };
    EXPECT_EQ(status(1.001 * trace, SemidefiniteStatus::NotConverged), SemidefiniteStatus::Solved);
    EXPECT_EQ(status(1.01 * trace, SemidefiniteStatus::NotConverged), SemidefiniteStatus::NotConverged);
    EXPECT_EQ(status(1.001 * trace, SemidefiniteStatus::Interrupted), SemidefiniteStatus::Interrupted);
}

TEST(LargestStretch, IsThatOfSquaredDistances) {
    MultiVector<double> outputs(3, 1);
    outputs.values() = {0.0, 1.0, 3.0};
    const DistanceConstraints constraints{.pairs = {{0, 1}, {1, 2}}, .squared = {2.0, 1.0}};
    EXPECT_EQ(largest_stretch(outputs, constraints), 4.0);
    EXPECT_EQ(largest_stretch(MultiVector<double>(3, 1), constraints), 1.0);
}

TEST(FinishedUnfolding, SaysWhereThereIsNoBound) {
    const Unfolding done = finished_unfolding({.status = SemidefiniteStatus::Interrupted,
                                               .outputs = MultiVector<double>(2, 1),
                                               .bound = std::numeric_limits<double>::infinity()},
                                              {.pairs = {{0, 1}}, .squared = {1.0}}, 1e-3, {});
    EXPECT_TRUE(std::isinf(done.gap));
    EXPECT_FALSE(std::isnan(done.gap));
    EXPECT_EQ(done.trace, 0.0);
}

}  // namespace

}  // namespace isogon::dual_bound_test
