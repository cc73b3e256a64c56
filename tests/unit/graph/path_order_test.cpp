#include "graph/path_order.hpp"

#include <gtest/gtest.h>

#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"

namespace isogon::path_order_test {
namespace {

TEST(Dijkstra, FindsWhatTryingEveryEdgeFinds) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        for (Index source = 0; source < graph.rows; source += 1 + graph.rows / 9) {
            EXPECT_EQ(dijkstra(graph, source), reference::path_lengths(graph, source));
        }
    }
}

TEST(Dijkstra, GoesTheShorterWayRound) {
    const CsrMatrix<double> graph = reference::graph_of(5, {{0, 1, 1.0}, {1, 2, 1.0}, {0, 2, 2.5}, {2, 3, 0.0}});
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(dijkstra(graph, 0), (std::vector<double>{0.0, 1.0, 2.0, 2.0, infinity}));
    EXPECT_EQ(dijkstra(graph, 4), (std::vector<double>{infinity, infinity, infinity, infinity, 0.0}));
}

TEST(PathOrder, RenumbersAndChangesNothingElse) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        const RenumberedGraph result = renumber_for_paths(graph);
        require_graph(result.graph);
        ASSERT_EQ(result.graph.entries(), graph.entries());
        for (Index i = 0; i < graph.rows; ++i) {
            EXPECT_EQ(result.new_numbers[result.old_numbers[i]], i);
        }
        const auto was = reference::dense(graph);
        const auto is = reference::dense(result.graph);
        for (Index i = 0; i < graph.rows; ++i) {
            for (Index j = 0; j < graph.rows; ++j) {
                EXPECT_EQ(is(result.new_numbers[i], result.new_numbers[j]), was(i, j));
            }
        }
    }
}

TEST(PathOrder, RunsFromAnOutermostPointComponentByComponent) {
    // 3 - 0 - 4 - 1 is a path of lengths 1, 2, 3; 2 - 5 - 6 another.
    const CsrMatrix<double> graph =
        reference::graph_of(7, {{3, 0, 1.0}, {0, 4, 2.0}, {4, 1, 3.0}, {2, 5, 1.0}, {5, 6, 1.0}});
    EXPECT_EQ(renumber_for_paths(graph).old_numbers, (std::vector<Index>{1, 4, 0, 3, 6, 5, 2}));
    EXPECT_TRUE(renumber_for_paths({}).old_numbers.empty());
}

}  // namespace
}  // namespace isogon::path_order_test
