#include "graph/calibrated_affinities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::calibrated_affinities_test {
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
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)perplexity_affinities(graph, 1.5, stopped), Interruption);
}

TEST(JointProbabilities, AreTheAffinitiesDividedByTheirSum) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(300, 3, 1), 12);
    const CsrMatrix<double> truth = perplexity_affinities(symmetric_graph(lists), 4.0);
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
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)joint_probabilities(lists, 2.0, stopped), Interruption);
}

/// Row i of algorithm 2, sigma by a plain search over its logarithm.
Matrix slow_memberships(const NeighborLists& lists) {
    Matrix w = Matrix::Zero(lists.count(), lists.count());
    for (Index i = 0; i < lists.count(); ++i) {
        double rho = 0.0;
        for (Index k = lists.size; k-- > 0;) {
            rho = lists.distances_of(i)[k] > 0.0F ? double{lists.distances_of(i)[k]} : rho;
        }
        double low = -40.0;
        double high = 40.0;
        for (int step = 0; step < 200; ++step) {
            const double sigma = std::exp(0.5 * (low + high));
            for (Index k = 0; k < lists.size; ++k) {
                w(i, lists[i][k]) = std::exp(-std::max(0.0, double{lists.distances_of(i)[k]} - rho) / sigma);
            }
            (w.row(i).sum() > std::log2(lists.size) ? high : low) = 0.5 * (low + high);
        }
    }
    return w;
}

TEST(FuzzyAffinities, AreThoseOfTheDefinition) {
    Points points = reference::random_points(60, 3, 1);
    std::ranges::copy(points[7], points[8].begin());  // a pair of duplicates
    const NeighborLists lists = reference::euclidean_lists(points, 10);
    const Matrix w = slow_memberships(lists);
    const Matrix both = w.cwiseProduct(w.transpose());
    const Matrix any = w + w.transpose() - both;
    for (const double either : {1.0, 0.25, 0.0}) {
        const CsrMatrix<double> graph = fuzzy_affinities(lists, either);
        require_graph(graph);
        EXPECT_LT((dense(graph) - either * any - (1.0 - either) * both).cwiseAbs().maxCoeff(), 1e-10);
    }
}

TEST(FuzzyAffinities, TheNearestIsInForSureAndTheSumIsALogarithm) {
    std::vector<double> row{3.0, 3.5, 4.0, 7.0, 7.0, 9.0};
    fuzzy_memberships(row);
    EXPECT_EQ(row.front(), 1.0);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), std::log2(6.0), 1e-11);
    EXPECT_TRUE(std::ranges::is_sorted(row, std::greater<>()));
}

TEST(FuzzyAffinities, DoNotDependOnUnitOrThreads) {
    NeighborLists lists = reference::euclidean_lists(reference::random_points(600, 3, 1), 8);
    const CsrMatrix<double> graph = fuzzy_affinities(lists, 1.0, reference::on_threads(1));
    EXPECT_EQ(fuzzy_affinities(lists, 1.0, reference::on_threads(3)).values, graph.values);
    for (float& distance : lists.distances) {
        distance *= 0x1p-40F;
    }
    EXPECT_EQ(fuzzy_affinities(lists).values, graph.values);
}

TEST(FuzzyAffinities, TiesAndDuplicatesGiveNumbers) {
    for (const Points& points : {reference::equal_points(12, 2), reference::whole_points(60, 2, 3, 5),
                                 reference::whole_points(40, 1, 1, 2), reference::awkward_points(50, 4, 3)}) {
        for (const Index k : {1, 2, 3, 8}) {
            const CsrMatrix<double> graph = fuzzy_affinities(reference::euclidean_lists(points, k));
            require_graph(graph);
            for (Index i = 0; i < graph.rows; ++i) {
                const auto weights = graph.row_values(i);
                ASSERT_FALSE(weights.empty());
                EXPECT_NEAR(*std::ranges::max_element(weights), 1.0, 1e-15);
                EXPECT_TRUE(std::ranges::all_of(weights, [](double w) { return w > 0.0 && w <= 1.0; }));
            }
        }
    }
    std::vector<double> nothing;
    fuzzy_memberships(nothing);
    std::vector<double> far{0.0, 1e-30, 1e30};
    fuzzy_memberships(far);
    EXPECT_EQ(far[1], 1.0);
    EXPECT_GE(far[2], 0.0);
}

TEST(FuzzyAffinities, RefuseWhatCannotBe) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(20, 3, 1), 4);
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.5), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities(lists, NAN), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities({.size = 1, .indices = {1, 0}, .distances = {}}), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.0, {.memory_limit = 100}), LimitExceeded);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.0, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::calibrated_affinities_test
