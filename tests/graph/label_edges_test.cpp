#include "graph/label_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::label_edges_test {

namespace {

using Labels = std::vector<std::int64_t>;

CsrMatrix<double> fuzzy_graph() {
    return fuzzy_affinities(reference::euclidean_lists(reference::random_points(400, 3, 1), 9));
}

Labels labels_of(Index count, std::int64_t least, std::int64_t classes) {
    Labels labels(count);
    for (Index i = 0; i < count; ++i) {
        labels[i] = least + static_cast<std::int64_t>((i * 7919U) % 31U) % classes;
    }
    return labels;
}

/// The definition, pair by pair in a dense matrix.
support::Matrix slowly(const CsrMatrix<double>& graph, const Labels& labels, double different, double unknown) {
    const support::Matrix before = reference::dense(graph);
    support::Matrix after = before;
    for (Eigen::Index i = 0; i < after.rows(); ++i) {
        for (Eigen::Index j = 0; j < after.cols(); ++j) {
            const auto one = labels[static_cast<std::size_t>(i)];
            const auto other = labels[static_cast<std::size_t>(j)];
            after(i, j) *= one < 0 || other < 0 ? unknown : one == other ? 1.0 : different;
        }
    }
    const Eigen::VectorXd lost = before.rowwise().maxCoeff().array() / after.rowwise().maxCoeff().array();
    support::Matrix restored = after;
    for (Eigen::Index i = 0; i < after.rows(); ++i) {
        for (Eigen::Index j = 0; j < after.cols(); ++j) {
            restored(i, j) *= std::max(lost(i), lost(j));
        }
    }
    return restored;
}

TEST(LabelEdges, AreThoseOfTheDefinition) {
    const CsrMatrix<double> graph = fuzzy_graph();
    const Labels labels = labels_of(400, -1, 5);
    for (const double weight : {0.1, 0.5, 0.9}) {
        const CsrMatrix<double> weakened = with_labels(graph, labels, weight, reference::on_threads(3));
        const support::Matrix truth =
            slowly(graph, labels, std::max(1e-12, std::exp(-5.0 * weight / (1.0 - weight))), std::exp(-2.0 * weight));
        EXPECT_LT((reference::dense(weakened) - truth).cwiseAbs().maxCoeff(), 1e-15);
        EXPECT_EQ(transpose(weakened).values, weakened.values) << "symmetric, bit for bit";
        EXPECT_EQ(with_labels(graph, labels, weight, reference::on_threads(1)).values, weakened.values);
    }
}

TEST(LabelEdges, OfNoWeightOrUnknownLabelsStayAsTheyAre) {
    const CsrMatrix<double> graph = fuzzy_graph();
    EXPECT_EQ(with_labels(graph, labels_of(400, 0, 4), 0.0).values, graph.values);
    EXPECT_EQ(with_labels(graph, Labels(400, -1), 0.5).values, graph.values);
    EXPECT_EQ(with_labels(graph, Labels(400, 3), 0.5).values, graph.values);
    EXPECT_TRUE(any_known(labels_of(400, -1, 2)));
    EXPECT_FALSE(any_known(Labels{-1, -7}));
}

TEST(LabelEdges, EveryPointKeepsAsSureANeighbour) {
    const CsrMatrix<double> graph = fuzzy_graph();
    Labels labels(400, 1);
    labels[17] = 2;  // among others alone
    for (const double weight : {0.3, 1.0}) {
        const CsrMatrix<double> weakened = with_labels(graph, labels, weight);
        for (Index i = 0; i < 400; ++i) {
            const double before = std::ranges::max(graph.row_values(i));
            EXPECT_GE(std::ranges::max(weakened.row_values(i)), before * (1.0 - 1e-12));
            EXPECT_LE(std::ranges::max(weakened.row_values(i)), 1.0 + 1e-12);
        }
    }
}

TEST(LabelEdges, RefusesWeightsAndLabelsThatDoNotFit) {
    const CsrMatrix<double> graph = fuzzy_graph();
    for (const double weight : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW((void)with_labels(graph, Labels(400, 1), weight), InvalidArgument);
    }
    EXPECT_THROW((void)with_labels(graph, Labels(399, 1), 0.5), InvalidArgument);
}

}  // namespace

}  // namespace isogon::label_edges_test
