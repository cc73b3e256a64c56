#include "semidefinite/distance_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/point_sets.hpp"
#include "support/distances.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::distance_graph_test {

namespace {

TEST(Pull, IsNoneBelowASharpCorner) {
    for (const double t : {-7.0, -2.5, -1.0, 0.0, 0.25, 2.0, 4.0}) {
        EXPECT_EQ(pull_at(t, 0.0).force, std::max(0.0, t));
    }
}

TEST(Pull, SlopeIsTheDerivative) {
    constexpr double step = 1e-5;
    for (const double t : {-9.0, -2.4, -0.5, 0.0, 0.3, 2.6, 8.0}) {
        const double change = pull_at(t + step, 0.7).force - pull_at(t - step, 0.7).force;
        EXPECT_NEAR(pull_at(t, 0.7).slope, change / (2.0 * step), 1e-8);
    }
}

/// y = force(y + sigma g) is the barrier's: y times what is missing, -g, is rounding / (4 sigma).
TEST(Pull, IsThatOfABarrier) {
    constexpr double rounding = 0.36;
    constexpr double sigma = 3.0;
    for (const double missing : {1e-3, 0.1, 5.0}) {
        const double y = rounding / (4.0 * sigma) / missing;
        EXPECT_NEAR(pull_at(y - sigma * missing, rounding).force, y, 1e-13 * y);
    }
}

TEST(Pull, IsNeverBelowZeroAndStaysANumber) {
    for (const double t : {-1e300, -1e12, -1.0, 1e12, 1e150}) {
        const Pull pull = pull_at(t, 1.0);
        EXPECT_GE(pull.force, 0.0);
        EXPECT_TRUE(std::isfinite(pull.slope) || std::abs(t) > 1e154);
    }
}

using support::Matrix;

TEST(DistanceGraph, MergesDuplicatesAndCountsThem) {
    // Points 0 and 2 are one, and so are 1, 3 and 4; of distances between two groups the smallest is kept.
    const DistanceConstraints constraints{.pairs = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {3, 4}, {4, 5}},
                                          .squared = {9.0, 0.0, 8.0, 0.0, 0.0, 4.0}};
    const DistanceGraph graph = distance_graph(6, constraints);
    EXPECT_EQ(graph.node_of, (std::vector<Index>{0, 1, 0, 1, 1, 2}));
    EXPECT_EQ(graph.masses, (std::vector<double>{2.0, 3.0, 1.0}));
    EXPECT_EQ(graph.kept.pairs, (std::vector<std::pair<Index, Index>>{{0, 1}, {1, 2}}));
    EXPECT_EQ(graph.unit, 4.0);
    EXPECT_EQ(graph.kept.squared, (std::vector<double>{2.0, 1.0}));
    EXPECT_EQ(graph.others, (std::vector<Index>{1, 0, 2, 1}));
    EXPECT_EQ(graph.edges, (std::vector<Index>{0, 0, 1, 1}));
}

TEST(DistanceGraph, ProductIsThatOfItsLaplacian) {
    const Points points = reference::random_points(700, 3, 1);
    const DistanceGraph graph = distance_graph(700, support::distances_of(points, 4));
    std::vector<double> weights;
    Matrix dense = Matrix::Zero(700, 700);
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        weights.push_back(std::sin(static_cast<double>(a)));
        Eigen::VectorXd v = Eigen::VectorXd::Zero(700);
        v[graph.kept.pairs[a].first] = 1.0;
        v[graph.kept.pairs[a].second] = -1.0;
        dense += weights[a] * v * v.transpose();
    }
    const Matrix x = support::random_matrix(700, 3, 2);
    MultiVector<double> out(700, 3);
    laplacian_product(graph, weights, support::to_multi_vector(x), out, reference::on_threads(1));
    EXPECT_LT(support::difference(support::to_matrix(out), dense * x), 1e-12);
    MultiVector<double> again(700, 3);
    laplacian_product(graph, weights, support::to_multi_vector(x), again, reference::on_threads(3));
    EXPECT_EQ(again.values(), out.values());
}

TEST(DistanceGraph, CentresByMasses) {
    const DistanceConstraints constraints{.pairs = {{0, 1}, {1, 2}}, .squared = {0.0, 4.0}};
    const DistanceGraph graph = distance_graph(3, constraints);
    MultiVector<double> x(2, 1);
    x.values() = {1.0, 4.0};
    centre(graph, x);
    EXPECT_EQ(x.values(), (std::vector<double>{-1.0, 2.0}));
}

TEST(DistanceGraph, RefusesWhatIsNone) {
    const auto make = [](const DistanceConstraints& constraints) { return distance_graph(3, constraints); };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {1, 2}}, .squared = {1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {1, 3}}, .squared = {1.0, 1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {2, 1}}, .squared = {1.0, 1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{1, 2}, {0, 1}}, .squared = {1.0, 1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {0, 1}, {1, 2}}, .squared = {1.0, 1.0, 1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {1, 2}}, .squared = {1.0, -1.0}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}, {1, 2}}, .squared = {1.0, nan}}), InvalidArgument);
    EXPECT_THROW((void)make({.pairs = {{0, 1}}, .squared = {1.0}}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::distance_graph_test
