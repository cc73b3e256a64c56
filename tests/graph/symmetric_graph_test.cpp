#include "graph/symmetric_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::symmetric_graph_test {
namespace {

using reference::dense;
using reference::euclidean_lists;
using reference::on_threads;
using support::Matrix;
using support::says;

/// Distances of edges, -1 where there is none, the slow way.
Matrix slow_graph(const NeighborLists& lists) {
    const Index n = lists.count();
    Matrix listed = Matrix::Constant(n, n, -1.0);
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < lists.size; ++k) {
            listed(i, lists[i][k]) = i == lists[i][k] ? -1.0 : double{lists.distances_of(i)[k]};
        }
    }
    Matrix graph = Matrix::Constant(n, n, -1.0);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            const double a = listed(i, j);
            const double b = listed(j, i);
            graph(i, j) = a >= 0.0 && b >= 0.0 ? std::min(a, b) : std::max(a, b);
        }
    }
    return graph;
}

Matrix with_gaps(const CsrMatrix<double>& graph) {
    Matrix result = Matrix::Constant(graph.rows, graph.columns, -1.0);
    for (Index i = 0; i < graph.rows; ++i) {
        for (std::size_t k = 0; k < graph.row_indices(i).size(); ++k) {
            result(i, graph.row_indices(i)[k]) = graph.row_values(i)[k];
        }
    }
    return result;
}

TEST(SymmetricGraph, IsThatOfTheLists) {
    for (const Points& points : {reference::random_points(40, 3, 1), reference::awkward_points(40, 4, 2),
                                 reference::whole_points(40, 2, 3, 5), reference::equal_points(8, 2)}) {
        const NeighborLists lists = euclidean_lists(points, 5);
        const CsrMatrix<double> graph = symmetric_graph(lists);
        require_graph(graph);
        EXPECT_EQ(with_gaps(graph), slow_graph(lists));
    }
}

TEST(SymmetricGraph, TakesTheSmallerOfTwoDistancesAndLeavesSelfOut) {
    const NeighborLists lists{.size = 2, .indices = {0, 1, 0, 2, 2, 1}, .distances = {0, 2, 1, 5, 0, 5}};
    const CsrMatrix<double> graph = symmetric_graph(lists);
    EXPECT_EQ(graph.offsets, (std::vector<Offset>{0, 1, 3, 4}));
    EXPECT_EQ(graph.indices, (std::vector<Index>{1, 0, 2, 1}));
    EXPECT_EQ(graph.values, (std::vector<double>{1, 1, 5, 5}));
}

TEST(SymmetricGraph, EmptyPlacesOfAListAreNoEdges) {
    NeighborLists lists = euclidean_lists(reference::random_points(40, 3, 4), 6);
    for (const Index i : {3U, 17U}) {
        for (Index k = i == 3 ? 1 : 4; k < 6; ++k) {
            lists.indices[i * 6 + k] = i;
            lists.distances[i * 6 + k] = lists.distances[i * 6 + k - 1];
        }
    }
    EXPECT_EQ(dense(symmetric_graph(lists)), slow_graph(lists).cwiseMax(0.0));
    EXPECT_EQ(directed_edges(lists).entries(), 40U * 6 - 5 - 2);
    EXPECT_EQ(directed_edges(lists).row_indices(3).size(), 1U);
    EXPECT_EQ(dense(widen(joined_lists(lists, {}))), dense(symmetric_graph(lists)));
}

TEST(SymmetricGraph, DoesNotDependOnThreads) {
    const NeighborLists lists = euclidean_lists(reference::random_points(1500, 3, 1), 4);
    const CsrMatrix<double> one = symmetric_graph(lists, on_threads(1));
    const CsrMatrix<double> three = symmetric_graph(lists, on_threads(3));
    EXPECT_EQ(one.indices, three.indices);
    EXPECT_EQ(one.values, three.values);
    EXPECT_GE(symmetric_graph_bytes(1500, 4), one.entries() * 12);
}

TEST(SymmetricGraph, RefusesWhatCannotBe) {
    EXPECT_THROW((void)symmetric_graph({.size = 1, .indices = {1, 0}}), InvalidArgument);
    EXPECT_THROW((void)symmetric_graph({.size = 1, .indices = {1, 0}, .distances = {-1, 1}}), InputError);
    EXPECT_THROW((void)symmetric_graph({.size = 1, .indices = {1, 2}, .distances = {1, 1}}), InputError);
    EXPECT_THROW((void)symmetric_graph({}), InputError);
    RunContext little;
    little.memory_limit = 10;
    EXPECT_THROW((void)symmetric_graph({.size = 1, .indices = {1, 0}, .distances = {1, 1}}, little), LimitExceeded);
}

TEST(RequireGraph, RefusesWhatIsNone) {
    const CsrMatrix<double> good{.rows = 2, .columns = 2, .offsets = {0, 1, 2}, .indices = {1, 0}, .values = {3, 3}};
    EXPECT_NO_THROW(require_graph(good));
    EXPECT_NO_THROW(require_graph({}));
    CsrMatrix<double> bad = good;
    bad.columns = 3;
    EXPECT_THROW(require_graph(bad), InvalidArgument);
    bad = good;
    bad.values[0] = 2;
    EXPECT_THROW(require_graph(bad), InvalidArgument);
    bad.values = {-3, -3};
    EXPECT_THROW(require_graph(bad), InvalidArgument);
    bad = good;
    bad.indices = {0, 1};
    EXPECT_THROW(require_graph(bad), InvalidArgument);
    bad.indices = {1, 1};
    EXPECT_THROW(require_graph(bad), InvalidArgument);
}

// Entry by entry in a graph of several tasks: whatever is changed on one side alone is found.
TEST(RequireGraph, FindsWhatIsWrongAnywhere) {
    const CsrMatrix<double> good = symmetric_graph(euclidean_lists(reference::random_points(2600, 2, 1), 3));
    EXPECT_NO_THROW(require_graph(good, on_threads(3)));
    for (Offset k = 0; k < good.entries(); k += 251) {
        CsrMatrix<double> bad = good;
        bad.values[k] += 1.0;
        EXPECT_THROW(require_graph(bad, on_threads(3)), InvalidArgument) << k;
    }
    for (Index i = 5; i < 2600; i += 300) {
        CsrMatrix<double> bad = good;  // one entry less
        bad.indices.erase(bad.indices.begin() + static_cast<std::ptrdiff_t>(bad.offsets[i]));
        bad.values.erase(bad.values.begin() + static_cast<std::ptrdiff_t>(bad.offsets[i]));
        for (std::size_t later = i + 1; later < bad.offsets.size(); ++later) {
            --bad.offsets[later];
        }
        EXPECT_THROW(require_graph(bad), InvalidArgument) << i;
    }
}

TEST(RequireGraph, NamesTheFirstBadRow) {
    CsrMatrix<double> bad = symmetric_graph(euclidean_lists(reference::random_points(2600, 2, 1), 3));
    bad.values[bad.offsets[2500]] = -1.0;
    bad.values[bad.offsets[1300]] = NAN;
    const std::string message = support::message_of<InvalidArgument>([&] { require_graph(bad, on_threads(3)); });
    EXPECT_TRUE(says(message, "row 1300"));
}

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

TEST(JoinedLists, AreTheGraphOfWhoeverListsWhom) {
    for (const Index count : {2, 3, 40, 700}) {
        for (const Index k : {1, 2, 9}) {
            if (k < count) {
                const NeighborLists lists = reference::euclidean_lists(reference::random_points(count, 3, k), k);
                const CsrMatrix<double> truth = symmetric_graph(lists);
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

TEST(JoinedLists, RefuseWhatIsNoDistanceAndCanBeCancelled) {
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {}}, {}), InvalidArgument);
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {-1.0F, 1.0F}}, {}), InputError);
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 7}, .distances = {1.0F, 1.0F}}, {}), InputError);
    EXPECT_THROW((void)joined_lists({}, {}), InputError);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)joined_lists({.size = 1, .indices = {1, 0}, .distances = {1, 1}}, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::symmetric_graph_test
