#include "graph/laplacian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "graph/affinities.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::laplacian_test {
namespace {

using reference::dense;
using reference::graph_of;
using reference::on_threads;
using support::Matrix;

CsrMatrix<double> random_weights() {
    return self_tuning_affinities(graph_of(reference::random_points(40, 3, 1), 5), 3);
}

TEST(Laplacian, IsThatOfItsFormula) {
    const CsrMatrix<double> weights = random_weights();
    const Matrix w = dense(weights);
    const Eigen::VectorXd d = w.rowwise().sum();
    const Matrix identity = Matrix::Identity(40, 40);
    const Eigen::VectorXd roots = d.cwiseSqrt().cwiseInverse();
    const Matrix plain = Matrix(d.asDiagonal()) - w;
    const auto far = [&](LaplacianKind kind, const Matrix& expected) {
        const CsrMatrix<double> result = laplacian(weights, kind);
        validate(result);
        EXPECT_EQ(result.entries(), weights.entries() + 40);
        return (dense(result) - expected).norm();
    };
    EXPECT_LT(far(LaplacianKind::Plain, plain), 1e-14);
    EXPECT_LT(far(LaplacianKind::Symmetric, identity - roots.asDiagonal() * w * roots.asDiagonal()), 1e-14);
    EXPECT_NEAR(degrees(weights)[7], d[7], 1e-14);
}

TEST(Laplacian, IsSymmetricBitForBit) {
    for (const LaplacianKind kind : {LaplacianKind::Plain, LaplacianKind::Symmetric}) {
        const CsrMatrix<double> result = laplacian(random_weights(), kind);
        const CsrMatrix<double> mirrored = transpose(result);
        EXPECT_EQ(result.indices, mirrored.indices);
        EXPECT_EQ(result.values, mirrored.values);
    }
}

// Two triangles, one of them light beyond what a product of degrees would hold, an entry of weight 0, an isolated
// point.
TEST(Laplacian, HasAsManyZerosAsComponents) {
    const CsrMatrix<double> weights = graph_of(
        8, {{0, 1, 1.0}, {1, 2, 0.5}, {0, 2, 2.0}, {3, 4, 1e-200}, {4, 5, 1e-200}, {3, 5, 1e-200}, {6, 7, 0.0}});
    const CsrMatrix<double> result = laplacian(weights, LaplacianKind::Symmetric);
    validate(result);
    const Eigen::VectorXd values = dense(result).eigenvalues().cwiseAbs();
    EXPECT_EQ((values.array() < 1e-12).count(), 4);
    EXPECT_LT(values.maxCoeff(), 2.0 + 1e-12);
    const Matrix plain = dense(laplacian(weights, LaplacianKind::Plain));
    EXPECT_LT((plain * Eigen::VectorXd::Ones(8)).norm(), 1e-15);
    EXPECT_EQ(plain.row(6).norm() + plain.row(7).norm(), 0.0);
    EXPECT_EQ(laplacian({}, LaplacianKind::Plain).entries(), 0);
}

TEST(Laplacian, DoesNotDependOnThreads) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(2100, 2, 1), 3);
    EXPECT_EQ(laplacian(graph, LaplacianKind::Symmetric, on_threads(1)).values,
              laplacian(graph, LaplacianKind::Symmetric, on_threads(3)).values);
}

TEST(Laplacian, RefusesWhatCannotBe) {
    CsrMatrix<double> bad = random_weights();
    bad.values[0] += 1.0;
    EXPECT_THROW((void)laplacian(bad, LaplacianKind::Plain), InvalidArgument);
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)laplacian(random_weights(), LaplacianKind::Plain, little), LimitExceeded);
}

TEST(GaussianTransitions, AreTheKernelOverItsSum) {
    const NeighborLists lists{.size = 2, .indices = {3, 1, 0, 2}, .distances = {1.0F, 2.0F, 0.0F, 0.5F}};
    const CsrMatrix<double> p = gaussian_transitions(lists, 4, 2.0);
    ASSERT_NO_THROW(validate(p));
    EXPECT_EQ(p.rows, 2U);
    EXPECT_EQ(p.columns, 4U);
    const double near = std::exp(-0.25);
    const double far = std::exp(-1.0);
    EXPECT_EQ(p.row_indices(0)[0], 1U);
    EXPECT_NEAR(p.row_values(0)[0], far / (near + far), 1e-15);
    EXPECT_NEAR(p.row_values(0)[1], near / (near + far), 1e-15);
    EXPECT_NEAR(p.row_values(1)[0], 1.0 / (1.0 + std::exp(-0.0625)), 1e-15);
}

TEST(GaussianTransitions, NoRowVanishes) {
    const NeighborLists lists{.size = 2, .indices = {0, 1}, .distances = {1e4F, 2e4F}};
    const CsrMatrix<double> p = gaussian_transitions(lists, 2, 1.0);
    EXPECT_EQ(std::accumulate(p.values.begin(), p.values.end(), 0.0), 1.0);
    EXPECT_EQ(p.values[0], 1.0);
}

}  // namespace
}  // namespace isogon::laplacian_test
