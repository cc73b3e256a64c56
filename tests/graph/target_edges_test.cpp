#include "graph/target_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::target_edges_test {
namespace {

CsrMatrix<double> graph_of(Index dimension, std::uint64_t seed) {
    return fuzzy_affinities(reference::euclidean_lists(reference::random_points(120, dimension, seed), 7));
}

/// umap-learn's general_simplicial_set_intersection and reset_local_connectivity, entry by entry.
support::Matrix slowly(const support::Matrix& inputs, const support::Matrix& targets, double w) {
    const auto least = [](const support::Matrix& weights) {
        double smallest = 1.0;
        for (const double weight : weights.reshaped()) {
            smallest = weight > 0.0 ? std::min(smallest, weight) : smallest;
        }
        return std::max(smallest / 2.0, 1e-8);
    };
    const double no_edge = least(inputs);
    const double no_target = std::min(least(targets), 1e-4);
    support::Matrix both = support::Matrix::Zero(inputs.rows(), inputs.cols());
    for (Eigen::Index i = 0; i < both.rows(); ++i) {
        for (Eigen::Index j = 0; j < both.cols(); ++j) {
            if (inputs(i, j) > 0.0 || targets(i, j) > 0.0) {
                const bool known = targets.row(i).any() && targets.row(j).any();
                const double a = inputs(i, j) > 0.0 ? inputs(i, j) : no_edge;
                const double b = targets(i, j) > 0.0 ? targets(i, j) : known ? no_target : std::sqrt(no_target);
                both(i, j) = w < 0.5 ? a * std::pow(b, w / (1.0 - w)) : std::pow(a, (1.0 - w) / w) * b;
            }
        }
    }
    const support::Matrix scaled = both.array().colwise() / both.rowwise().maxCoeff().array();
    const support::Matrix back = scaled.transpose();
    return scaled + back - scaled.cwiseProduct(back);
}

/// The graph without the edges of some points, whose targets are unknown then.
CsrMatrix<double> without(const CsrMatrix<double>& graph, const std::vector<Index>& points) {
    CsrMatrix<double> rest{.rows = graph.rows, .columns = graph.columns};
    for (Index i = 0; i < graph.rows; ++i) {
        for (std::size_t k = 0; k < graph.row_indices(i).size(); ++k) {
            const Index j = graph.row_indices(i)[k];
            if (std::ranges::count(points, i) + std::ranges::count(points, j) == 0) {
                rest.indices.push_back(j);
                rest.values.push_back(graph.row_values(i)[k]);
            }
        }
        rest.offsets.push_back(rest.indices.size());
    }
    return rest;
}

TEST(TargetEdges, AreThoseOfTheDefinition) {
    const CsrMatrix<double> graph = graph_of(4, 1);
    CsrMatrix<double> targets = graph_of(1, 2);
    targets = without(targets, {3, 50, 51});
    for (const double weight : {0.1, 0.5, 0.8, 0.99}) {
        const CsrMatrix<double> mixed = with_targets(graph, targets, weight, reference::on_threads(3));
        validate(mixed);
        const support::Matrix truth = slowly(reference::dense(graph), reference::dense(targets), weight);
        EXPECT_LT((reference::dense(mixed) - truth).cwiseAbs().maxCoeff(), 1e-12) << weight;
    }
}

TEST(TargetEdges, CountForNothingAtWeightZeroOrWithoutTargets) {
    const CsrMatrix<double> graph = graph_of(4, 1);
    const CsrMatrix<double> none{.rows = 120, .columns = 120, .offsets = std::vector<Offset>(121)};
    EXPECT_EQ(with_targets(graph, graph_of(1, 2), 0.0).values, graph.values);
    EXPECT_EQ(with_targets(graph, none, 0.5).values, graph.values);
}

TEST(TargetEdges, OfWeightOneStillKeepEveryPointOnAnEdge) {
    const CsrMatrix<double> mixed = with_targets(graph_of(4, 1), graph_of(1, 2), 1.0);
    for (Index i = 0; i < 120; ++i) {
        EXPECT_NEAR(std::ranges::max(mixed.row_values(i)), 1.0, 1e-12) << i;
    }
}

TEST(TargetEdges, RefuseWhatFitsNothing) {
    EXPECT_THROW((void)with_targets(graph_of(4, 1), graph_of(1, 2), 1.5), InvalidArgument);
    const CsrMatrix<double> few = fuzzy_affinities(reference::euclidean_lists(reference::random_points(20, 1, 1), 3));
    EXPECT_THROW((void)with_targets(graph_of(4, 1), few, 0.5), InvalidArgument);
}

}  // namespace
}  // namespace isogon::target_edges_test
