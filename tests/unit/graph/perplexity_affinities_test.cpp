#include "isogon/graph/perplexity_affinities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::perplexity_affinities_test {
namespace {

using reference::dense;
using reference::graph_of;
using reference::on_threads;
using reference::path_graph;
using support::Matrix;

/// Row i of p_j|i: beta by a plain search over its logarithm.
Eigen::VectorXd slow_row(const CsrMatrix<double>& graph, Index i, double perplexity) {
    const auto columns = graph.row_indices(i);
    Eigen::VectorXd p;
    double low = -60.0;
    double high = 60.0;
    for (int step = 0; step < 200; ++step) {
        const double beta = std::exp(0.5 * (low + high));
        p = Eigen::VectorXd::Zero(graph.rows);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            p[columns[k]] = std::exp(-beta * std::pow(graph.row_values(i)[k], 2));
        }
        p /= p.sum();
        double entropy = 0.0;
        for (const double q : p) {
            entropy -= q > 0.0 ? q * std::log(q) : 0.0;
        }
        (std::exp(entropy) > perplexity ? low : high) = 0.5 * (low + high);
    }
    return p;
}

TEST(PerplexityAffinities, AreThoseOfTheDefinition) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(50, 3, 1), 12);
    for (const double perplexity : {2.0, 5.0, 11.0}) {
        const CsrMatrix<double> weights = perplexity_affinities(graph, perplexity);
        require_graph(weights);
        Matrix p(50, 50);
        for (Index i = 0; i < 50; ++i) {
            p.row(i) = slow_row(graph, i, perplexity).transpose();
        }
        EXPECT_LT((dense(weights) - 0.5 * (p + p.transpose())).cwiseAbs().maxCoeff(), 1e-8);
        EXPECT_NEAR(dense(weights).sum(), 50.0, 1e-10);
        EXPECT_GE(dense(weights).rowwise().sum().minCoeff(), 0.5);
    }
}

TEST(PerplexityAffinities, OfOneRowAreThatRow) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(50, 3, 1), 12);
    std::vector<double> row(graph.row_values(7).begin(), graph.row_values(7).end());
    perplexity_probabilities(row, 4.0);
    const Eigen::VectorXd slow = slow_row(graph, 7, 4.0);
    for (std::size_t k = 0; k < row.size(); ++k) {
        EXPECT_NEAR(row[k], slow[graph.row_indices(7)[k]], 1e-8);
    }
}

TEST(PerplexityAffinities, DoNotDependOnUnitOrThreads) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(600, 3, 1), 8);
    const CsrMatrix<double> weights = perplexity_affinities(graph, 4.0, on_threads(1));
    EXPECT_EQ(perplexity_affinities(graph, 4.0, on_threads(3)).values, weights.values);
    for (const double unit : {0x1p-100, 0x1p100}) {
        CsrMatrix<double> other = graph;
        for (double& value : other.values) {
            value *= unit;
        }
        EXPECT_EQ(perplexity_affinities(other, 4.0).values, weights.values);
    }
}

TEST(PerplexityAffinities, ShareAlikeWhereNothingElseIsPossible) {
    const CsrMatrix<double> equal = graph_of(reference::equal_points(9, 2), 8);
    for (const double weight : perplexity_affinities(equal, 3.0).values) {
        EXPECT_NEAR(weight, 1.0 / 8.0, 1e-15);
    }
    const CsrMatrix<double> ties = graph_of(reference::whole_points(60, 2, 3, 5), 12);
    const CsrMatrix<double> weights = perplexity_affinities(ties, 1.5);
    require_graph(weights);
    EXPECT_NEAR(dense(weights).sum(), 60.0, 1e-10);
    // The ends of a path have one edge, fewer than the perplexity; the middle has two of one length.
    const Matrix path = dense(perplexity_affinities(path_graph({1.0, 1.0}), 1.5));
    EXPECT_NEAR(path(0, 1), 0.75, 1e-12);
    EXPECT_NEAR(path(1, 2), 0.75, 1e-12);
}

TEST(PerplexityAffinities, RefuseWhatCannotBe) {
    const CsrMatrix<double> graph = path_graph({1.0, 2.0, 1.0});
    for (const double perplexity : {1.0, 2.0, 0.0, double{NAN}}) {
        EXPECT_THROW((void)perplexity_affinities(graph, perplexity), InvalidArgument);
    }
    EXPECT_THROW((void)perplexity_affinities({}, 2.0), InvalidArgument);
    std::stop_source source;
    source.request_stop();
    RunContext stopped;
    stopped.stop = source.get_token();
    EXPECT_THROW((void)perplexity_affinities(graph, 1.5, stopped), Interruption);
}

TEST(JointProbabilities, AreTheAffinitiesDividedByTheirSum) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(300, 3, 1), 12);
    const CsrMatrix<double> truth = perplexity_affinities(symmetric_graph(lists, GraphSymmetry::Either), 4.0);
    const CsrMatrix<float> shares = joint_probabilities(lists, 4.0, on_threads(1));
    ASSERT_EQ(shares.indices, truth.indices);
    EXPECT_EQ(shares.offsets, truth.offsets);
    for (std::size_t e = 0; e < truth.values.size(); ++e) {
        EXPECT_NEAR(shares.values[e], truth.values[e] / 300.0, 1e-6 * truth.values[e] / 300.0 + 1e-12);
    }
    require_graph(widen(shares));
    EXPECT_EQ(joint_probabilities(lists, 4.0, on_threads(3)).values, shares.values);
}

TEST(JointProbabilities, WithoutAPerplexityAllNeighboursWeighAlike) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(50, 3, 1), 4);
    const CsrMatrix<float> shares = joint_probabilities(lists, {});
    const auto each = static_cast<float>(1.0 / static_cast<double>(shares.entries()));
    EXPECT_EQ(shares.values, std::vector<float>(shares.values.size(), each));
}

TEST(JointProbabilities, SayWhatIsWrongAndWhatTheyTake) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(50, 3, 1), 4);
    EXPECT_THROW((void)joint_probabilities(lists, 40.0), InvalidArgument);
    EXPECT_THROW((void)joint_probabilities(lists, 2.0, {.memory_limit = 1000}), LimitExceeded);
    const CsrMatrix<float> shares = joint_probabilities(lists, 2.0);
    EXPECT_GE(joint_probabilities_bytes(50, 4), shares.entries() * 8 + 51 * sizeof(Offset));
    RunContext stopped;
    stopped.limit_seconds(0.0);
    EXPECT_THROW((void)joint_probabilities(lists, 2.0, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::perplexity_affinities_test
