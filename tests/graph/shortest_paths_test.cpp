#include "graph/shortest_paths.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "graph/path_search.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::shortest_paths_test {
namespace {

using reference::on_threads;
using reference::path_lengths;

TEST(ShortestPaths, AreThoseOfDijkstraBitForBit) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        const std::vector<Index> sources = reference::every_point(graph.rows);
        const MultiVector<double> lengths = shortest_paths(graph, sources);
        ASSERT_EQ(lengths.rows(), graph.rows);
        ASSERT_EQ(lengths.columns(), graph.rows);
        for (const Index s : sources) {
            const std::vector<double> expected = path_lengths(graph, s);
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), lengths.row(s)));
        }
    }
}

TEST(ShortestPaths, ComeInBlocksOfTheSourcesAsListed) {
    const CsrMatrix<double> graph = reference::graph_of(reference::random_points(100, 3, 1), 5);
    const std::vector<Index> sources{7, 7, 99, 0, 3, 50, 20, 21, 22, 5, 5};
    std::mutex guard;
    std::vector<int> seen(sources.size());
    for_each_shortest_path_block(graph, sources, [&](Range range, std::span<const double> lengths) {
        const std::lock_guard lock(guard);
        ASSERT_EQ(lengths.size(), range.size() * 100);
        for (std::size_t s = range.begin; s < range.end; ++s) {
            ++seen[s];
            const std::vector<double> expected = path_lengths(graph, sources[s]);
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(),
                                   lengths.begin() + static_cast<std::ptrdiff_t>((s - range.begin) * 100)));
        }
    });
    EXPECT_EQ(seen, std::vector<int>(sources.size(), 1));
}

TEST(ShortestPaths, DoNotDependOnThreads) {
    const CsrMatrix<double> graph = reference::graph_of(reference::random_points(300, 3, 1), 5);
    const std::vector<Index> sources = reference::every_point(300);
    const MultiVector<double> one = shortest_paths(graph, sources, on_threads(1));
    EXPECT_EQ(shortest_paths(graph, sources, on_threads(2)).values(), one.values());
    EXPECT_EQ(shortest_paths(graph, sources, on_threads(3)).values(), one.values());
}

TEST(ShortestPaths, RefuseWhatCannotBe) {
    const CsrMatrix<double> graph = reference::path_graph({1.0, 2.0});
    EXPECT_THROW((void)shortest_paths(graph, std::vector<Index>{3}), InvalidArgument);
    CsrMatrix<double> bad = graph;
    bad.values[0] = 7.0;
    EXPECT_THROW((void)shortest_paths(bad, std::vector<Index>{0}), InvalidArgument);
    EXPECT_TRUE(shortest_paths(graph, {}).values().empty());
    EXPECT_TRUE(shortest_paths({}, {}).values().empty());
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)shortest_paths(graph, std::vector<Index>{0}, little), LimitExceeded);
    EXPECT_THROW(for_each_shortest_path_block(graph, std::vector<Index>{0}, {}, little), LimitExceeded);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)shortest_paths(graph, std::vector<Index>{0}, stopped), Interruption);
}

TEST(Dijkstra, FindsWhatTryingEveryEdgeFinds) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        for (Index source = 0; source < graph.rows; source += 1 + graph.rows / 9) {
            EXPECT_EQ(dijkstra(graph, source), reference::path_lengths(graph, source));
        }
    }
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
}  // namespace isogon::shortest_paths_test
