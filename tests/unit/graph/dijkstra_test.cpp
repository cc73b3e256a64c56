#include "graph/dijkstra.hpp"

#include <gtest/gtest.h>

#include "reference/graphs.hpp"

namespace isogon::dijkstra_test {
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

}  // namespace
}  // namespace isogon::dijkstra_test
