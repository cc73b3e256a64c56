#include "graph/symmetric_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "graph/components.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::bridges_test {
namespace {

using reference::dense;
using reference::graph_of;
using reference::on_threads;
using support::Matrix;

/// Length of a minimum spanning tree between components: over and over the shortest edge between two of them.
double slow_length(const Points& points, const Components& components) {
    const Matrix x = support::to_matrix(points);
    std::vector<Index> labels = components.labels;
    double sum = 0.0;
    for (Index round = 1; round < components.count(); ++round) {
        double least = std::numeric_limits<double>::infinity();
        Index from = 0;
        Index to = 0;
        for (Index i = 0; i < points.count(); ++i) {
            for (Index j = 0; j < points.count(); ++j) {
                const double away = labels[i] != labels[j] ? (x.row(i) - x.row(j)).norm() : least;
                if (away < least) {
                    least = away;
                    from = labels[i];
                    to = labels[j];
                }
            }
        }
        sum += least;
        std::replace(labels.begin(), labels.end(), from, to);
    }
    return sum;
}

/// Clusters of several sizes, far from each other.
Points clusters(const std::vector<Index>& sizes, std::uint64_t seed) {
    Points points(std::accumulate(sizes.begin(), sizes.end(), Index{0}), 4);
    Index i = 0;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        Random place(seed, RandomStream::Test, 1000 + c);
        const std::vector<double> center{30 * place.normal(), 30 * place.normal(), 30 * place.normal(), 0.0};
        for (Index k = 0; k < sizes[c]; ++k, ++i) {
            Random random(seed, RandomStream::Test, i);
            for (Index a = 0; a < 4; ++a) {
                points[i][a] = static_cast<float>(center[a] + random.normal());
            }
        }
    }
    return points;
}

void check(const Points& points, Index neighbors) {
    const CsrMatrix<double> graph = graph_of(points, neighbors);
    const Components components = connected_components(graph);
    ASSERT_GT(components.count(), 1);
    const CsrMatrix<double> bridged = bridge_components(points.view(), Metric::Euclidean, graph);
    require_graph(bridged);
    EXPECT_EQ(connected_components(bridged).count(), 1);
    EXPECT_EQ(bridged.entries(), graph.entries() + 2 * (components.count() - 1));
    const double expected = slow_length(points, components);
    EXPECT_NEAR((dense(bridged).sum() - dense(graph).sum()) / 2.0, expected, 1e-5 * expected);
    const Matrix rest = dense(bridged).array() * (dense(graph).array() > 0.0).cast<double>();
    EXPECT_EQ(rest, dense(graph));
}

TEST(Bridges, AreAMinimumSpanningTreeBetweenComponents) {
    check(clusters({40, 40}, 1), 5);
    check(clusters({10, 60, 3, 40, 35, 5, 7, 33}, 2), 2);
    check(reference::random_points(150, 3, 3), 1);
    check(clusters({2, 2, 2, 2, 2}, 4), 1);
}

TEST(Bridges, AreTheSameByATableOfAllDistances) {
    const Points points = clusters({10, 60, 3, 40, 35, 5, 7, 33}, 2);
    const CsrMatrix<double> graph = graph_of(points, 2);
    const CsrMatrix<double> by_points = bridge_components(points.view(), Metric::Euclidean, graph);
    Points table(points.count(), points.count());
    const NeighborLists all = exact_neighbors(points.view(), points.count() - 1, Metric::Euclidean);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < all.size; ++k) {
            table[i][all[i][k]] = 8.0F * all.distances_of(i)[k];
        }
    }
    const CsrMatrix<double> by_table = bridge_components(table.view(), 8.0, graph);
    EXPECT_EQ(by_table.indices, by_points.indices);
    EXPECT_EQ(by_table.values, by_points.values);
    EXPECT_THROW((void)bridge_components(points.view(), 1.0, graph), InvalidArgument);
    for (Index i = 0; i < 10; ++i) {  // the first cluster is cut off
        for (Index j = 10; j < points.count(); ++j) {
            table[i][j] = table[j][i] = std::numeric_limits<float>::infinity();
        }
    }
    EXPECT_THROW((void)bridge_components(table.view(), 8.0, graph), InputError);
}

TEST(Bridges, LeaveAConnectedGraphAsItIs) {
    const Points points = reference::random_points(60, 3, 1);
    const CsrMatrix<double> graph = graph_of(points, 20);
    const CsrMatrix<double> bridged = bridge_components(points.view(), Metric::Euclidean, graph);
    EXPECT_EQ(bridged.indices, graph.indices);
    EXPECT_EQ(bridged.values, graph.values);
    EXPECT_EQ(bridge_components(points.view(), Metric::Euclidean,
                                {.rows = 60, .columns = 60, .offsets = std::vector<Offset>(61)})
                  .entries(),
              118);
}

TEST(Bridges, JoinDuplicatesAndTies) {
    for (const Points& points : {reference::equal_points(40, 3), reference::whole_points(90, 2, 5, 1)}) {
        const CsrMatrix<double> graph = graph_of(points, 1);
        const Components components = connected_components(graph);
        const CsrMatrix<double> bridged = bridge_components(points.view(), Metric::Cosine, graph);
        require_graph(bridged);
        EXPECT_EQ(connected_components(bridged).count(), 1);
        EXPECT_EQ(bridged.entries(), graph.entries() + 2 * (components.count() - 1));
    }
}

TEST(Bridges, DoNotDependOnThreads) {
    const Points points = clusters({10, 60, 3, 40, 35, 5, 7, 33}, 2);
    const CsrMatrix<double> graph = graph_of(points, 2);
    const CsrMatrix<double> one = bridge_components(points.view(), Metric::Euclidean, graph, on_threads(1));
    const CsrMatrix<double> three = bridge_components(points.view(), Metric::Euclidean, graph, on_threads(3));
    EXPECT_EQ(one.indices, three.indices);
    EXPECT_EQ(one.values, three.values);
}

TEST(Bridges, RefuseWhatCannotBe) {
    const Points points = reference::random_points(10, 3, 1);
    const CsrMatrix<double> graph = graph_of(points, 1);
    EXPECT_THROW((void)bridge_components(points.view(), Metric::InnerProduct, graph), InvalidArgument);
    EXPECT_THROW((void)bridge_components(reference::random_points(9, 3, 1).view(), Metric::Euclidean, graph),
                 InvalidArgument);
    Points bad = points;
    bad[3][1] = NAN;
    EXPECT_THROW((void)bridge_components(bad.view(), Metric::Euclidean, graph), InputError);
    const Points far = reference::scaled(points, 1e38F);
    try {
        const CsrMatrix<double> apart{.rows = 10, .columns = 10, .offsets = std::vector<Offset>(11)};
        validate(bridge_components(far.view(), Metric::Euclidean, apart));
    } catch (const InputError&) {  // numbers beyond float32 may be refused, and the call ends in any case
    }
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)bridge_components(points.view(), Metric::Euclidean, graph, little), LimitExceeded);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)bridge_components(points.view(), Metric::Euclidean, graph, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::bridges_test
