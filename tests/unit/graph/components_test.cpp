#include "isogon/graph/components.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"

namespace isogon::components_test {
namespace {

using reference::dense;
using reference::graph_of;

// Three pairs of one size, one of them joined by an edge of length 0, a triple, a lonely point.
CsrMatrix<double> parts() {
    return graph_of(10, {{1, 9, 1.0}, {0, 3, 0.0}, {2, 5, 1.0}, {5, 8, 2.0}, {4, 7, 3.0}});
}

TEST(Components, AreNumberedBySizeThenLeastPoint) {
    const Components components = connected_components(parts());
    EXPECT_EQ(components.sizes, (std::vector<Index>{3, 2, 2, 2, 1}));
    EXPECT_EQ(components.labels, (std::vector<Index>{1, 2, 0, 1, 3, 0, 4, 3, 0, 2}));
    EXPECT_EQ(connected_components({}).count(), 0);
}

TEST(Components, AreWhatPathsReach) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        const Components components = connected_components(graph);
        EXPECT_TRUE(std::is_sorted(components.sizes.rbegin(), components.sizes.rend()));
        for (Index i = 0; i < graph.rows; ++i) {
            const std::vector<double> lengths = reference::path_lengths(graph, i);
            Index reached = 0;
            for (Index j = 0; j < graph.rows; ++j) {
                const bool joined = lengths[j] < std::numeric_limits<double>::infinity();
                EXPECT_EQ(components.labels[i] == components.labels[j], joined);
                reached += joined ? 1 : 0;
            }
            EXPECT_EQ(components.sizes[components.labels[i]], reached);
        }
    }
}

// Rows that begin with their own clique: what joins the two stands at the end of a row.
TEST(Components, AreJoinedByTheLastEdgeOfARow) {
    for (const bool joined : {false, true}) {
        CsrMatrix<double> graph{.rows = 20, .columns = 20};
        for (Index i = 0; i < 20; ++i) {
            for (Index j = 0; j < 20; ++j) {
                if (i != j && (i / 10 == j / 10 || (joined && i + j == 9 + 19))) {
                    graph.indices.push_back(j);
                    graph.values.push_back(1.0);
                }
            }
            graph.offsets.push_back(graph.indices.size());
        }
        EXPECT_EQ(connected_components(graph).count(), joined ? 1U : 2U);
    }
}

TEST(Components, AreNamedWhenTheyAreRefused) {
    EXPECT_NO_THROW(require_connected(connected_components(reference::path_graph({1.0})), "input"));
    EXPECT_NO_THROW(require_connected({}, "input"));
    try {
        require_connected(connected_components(graph_of(12, {{0, 1, 1.0}, {1, 2, 1.0}, {3, 4, 1.0}})), "digits.npy");
        FAIL() << "no exception";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "digits.npy: the neighbour graph falls into 9 components, of 3, 2, 1, 1, 1, ... points; take more "
                     "--neighbors, or --components largest, bridge or separate");
    }
}

TEST(Components, CanBeTakenOutOneByOne) {
    const CsrMatrix<double> graph = parts();
    const Components components = connected_components(graph);
    Index points = 0;
    for (Index label = 0; label < components.count(); ++label) {
        const ComponentGraph part = component_graph(graph, components, label);
        require_graph(part.graph);
        ASSERT_EQ(part.kept.size(), components.sizes[label]);
        for (Index a = 0; a < part.graph.rows; ++a) {
            for (Index b = 0; b < part.graph.rows; ++b) {
                EXPECT_EQ(dense(part.graph)(a, b), dense(graph)(part.kept[a], part.kept[b]));
            }
        }
        EXPECT_EQ(connected_components(part.graph).count(), 1);
        points += part.graph.rows;
    }
    EXPECT_EQ(points, graph.rows);
    EXPECT_EQ(component_graph(graph, components, 0).kept, (std::vector<Index>{2, 5, 8}));
    EXPECT_EQ(component_graph(graph, components, 1).graph.entries(), 2);
    EXPECT_THROW((void)component_graph(graph, components, 5), InvalidArgument);
    EXPECT_THROW((void)component_graph(graph, {}, 0), InvalidArgument);
}

TEST(ComponentPolicy, HasNames) {
    for (const ComponentPolicy policy :
         {ComponentPolicy::Error, ComponentPolicy::Largest, ComponentPolicy::Bridge, ComponentPolicy::Separate}) {
        EXPECT_EQ(find_component_policy(name(policy)), policy);
    }
    EXPECT_EQ(name(ComponentPolicy::Bridge), "bridge");
    EXPECT_THROW((void)find_component_policy("some"), InvalidArgument);
}

}  // namespace
}  // namespace isogon::components_test
