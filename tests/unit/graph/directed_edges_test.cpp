#include "graph/directed_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::directed_edges_test {
namespace {

using reference::dense;

TEST(DirectedEdges, AreTheListsButForSelves) {
    const NeighborLists lists{.size = 2, .indices = {1, 2, 1, 0, 0, 1}, .distances = {1, 2, 0, 1, 2, 3}};
    const CsrMatrix<float> edges = directed_edges(lists);
    EXPECT_EQ(edges.offsets, (std::vector<Offset>{0, 2, 3, 5}));
    EXPECT_EQ(edges.indices, (std::vector<Index>{1, 2, 0, 0, 1}));
    EXPECT_EQ(edges.values, (std::vector<float>{1, 2, 1, 2, 3}));
}

TEST(DirectedEdges, RefuseWhatIsNoDistance) {
    EXPECT_THROW((void)directed_edges({.size = 1, .indices = {1, 0}, .distances = {}}), InvalidArgument);
    EXPECT_THROW((void)directed_edges({.size = 1, .indices = {1, 0}, .distances = {-1.0F, 1.0F}}), InputError);
    EXPECT_THROW((void)directed_edges({.size = 1, .indices = {1, 7}, .distances = {1.0F, 1.0F}}), InputError);
}

TEST(DirectedEdges, ComeTogetherEntryByEntry) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(1100, 3, 1), 4);
    const CsrMatrix<double> edges = widen(directed_edges(lists));
    const support::Matrix w = dense(transpose(transpose(edges)));
    const auto sum = [](const auto* a, const auto* b) {
        return (a == nullptr ? 0.0 : double{*a}) + (b == nullptr ? 0.0 : double{*b});
    };
    const CsrMatrix<double> graph = undirected(edges, sum, reference::on_threads(1));
    EXPECT_EQ(dense(graph), w + w.transpose());
    EXPECT_EQ(undirected(edges, sum, reference::on_threads(3)).values, graph.values);
    EXPECT_EQ(undirected(directed_edges(lists), sum, reference::on_threads(3)).values, graph.values);
    require_graph(graph);
}

TEST(DirectedEdges, AreLeftOutWhereTheValueIsBelowZero) {
    const CsrMatrix<float> edges = directed_edges({.size = 1, .indices = {1, 0, 0}, .distances = {1, 2, 3}});
    const CsrMatrix<double> graph = undirected(
        edges, [](const float* a, const float* b) { return a != nullptr && b != nullptr ? double{*a + *b} : -1.0; },
        {});
    EXPECT_EQ(graph.offsets, (std::vector<Offset>{0, 1, 2, 2}));
    EXPECT_EQ(graph.indices, (std::vector<Index>{1, 0}));
    EXPECT_EQ(graph.values, (std::vector<double>{3, 3}));
}

using reference::on_threads;

TEST(JoinedLists, AreTheGraphOfWhoeverListsWhom) {
    for (const Index count : {2, 3, 40, 700}) {
        for (const Index k : {1, 2, 9}) {
            if (k < count) {
                const NeighborLists lists = reference::euclidean_lists(reference::random_points(count, 3, k), k);
                const CsrMatrix<double> truth = symmetric_graph(lists, GraphSymmetry::Either);
                const CsrMatrix<float> graph = joined_lists(lists, on_threads(1));
                EXPECT_EQ(graph.offsets, truth.offsets);
                EXPECT_EQ(graph.indices, truth.indices);
                EXPECT_EQ(graph.values, narrow(truth).values);
                EXPECT_EQ(graph.rows, truth.rows);
                EXPECT_EQ(joined_lists(lists, on_threads(3)).values, graph.values);
            }
        }
    }
}

TEST(JoinedLists, TheSmallerOfTwoDistancesCountsAndSelvesAreLeftOut) {
    const NeighborLists lists{.size = 2, .indices = {0, 2, 2, 0, 1, 0}, .distances = {0, 2, 3, 4, 3.5, 5}};
    const CsrMatrix<float> graph = joined_lists(lists, {});
    EXPECT_EQ(graph.offsets, (std::vector<Offset>{0, 2, 4, 6}));
    EXPECT_EQ(graph.indices, (std::vector<Index>{1, 2, 0, 2, 0, 1}));
    EXPECT_EQ(graph.values, (std::vector<float>{4, 2, 4, 3, 2, 3}));
}

TEST(JoinedLists, RefuseWhatIsNoDistanceAndEndWhenAsked) {
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {}}, {}), InvalidArgument);
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {-1.0F, 1.0F}}, {}), InputError);
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 7}, .distances = {1.0F, 1.0F}}, {}), InputError);
    EXPECT_THROW((void)joined_lists({}, {}), InputError);
    RunContext stopped;
    stopped.limit_seconds(0.0);
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {1, 1}}, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::directed_edges_test
