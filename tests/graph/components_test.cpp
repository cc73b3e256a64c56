#include "graph/components.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"

namespace isogon::components_test {
namespace {

TEST(DisjointSets, AreNamedAfterTheirLeastMemberInAnyOrderOfJoining) {
    const std::vector<std::pair<Index, Index>> pairs{{4, 2}, {5, 6}, {2, 5}, {0, 7}};
    for (const bool reversed : {false, true}) {
        DisjointSets sets(8);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto& [i, j] = pairs[reversed ? pairs.size() - 1 - k : k];
            EXPECT_TRUE(sets.join(i, j));
        }
        EXPECT_FALSE(sets.join(6, 4));
        std::vector<Index> names;
        for (Index i = 0; i < 8; ++i) {
            names.push_back(sets.find(i));
        }
        EXPECT_EQ(names, (std::vector<Index>{0, 1, 2, 3, 2, 2, 2, 0}));
    }
}

using reference::dense;
using reference::graph_of;

// Three pairs of one size, one of them joined by an edge of length 0, a triple, an isolated point.
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
                     "neighbors, or components largest, bridge or separate");
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
    EXPECT_EQ(component_policy_names().size(), 4U);
    EXPECT_EQ(name(ComponentPolicy::Bridge), "bridge");
}

using Edges = std::vector<std::pair<Index, Index>>;

CsrMatrix<float> matrix_of(Index size, const Edges& edges, float value = 1.0F) {
    CsrMatrix<float> matrix{.rows = size, .columns = size};
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
            if (std::find(edges.begin(), edges.end(), std::pair{i, j}) != edges.end()) {
                matrix.indices.push_back(j);
                matrix.values.push_back(value);
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

/// Spreads from the sources until nothing changes.
std::vector<Index> spread(Index size, const Edges& edges, const std::vector<Index>& sources) {
    std::vector<bool> reached(size);
    for (const Index s : sources) {
        reached[s] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [i, j] : edges) {
            if (reached[i] != reached[j]) {
                reached[i] = reached[j] = true;
                changed = true;
            }
        }
    }
    std::vector<Index> missed;
    for (Index i = 0; i < size; ++i) {
        if (!reached[i]) {
            missed.push_back(i);
        }
    }
    return missed;
}

TEST(Reach, FollowsEntriesBothWays) {
    const CsrMatrix<float> matrix = matrix_of(6, {{0, 1}, {2, 1}, {3, 4}});
    EXPECT_EQ(unreached_rows(matrix, std::vector<Index>{2}), (std::vector<Index>{3, 4, 5}));
    EXPECT_EQ(unreached_rows(matrix, std::vector<Index>{4, 5}), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(unreached_rows(matrix, {}).size(), 6);
}

TEST(Reach, ZerosJoinNothing) {
    EXPECT_EQ(unreached_rows(matrix_of(2, {{0, 1}}, 0.0F), std::vector<Index>{0}), (std::vector<Index>{1}));
    EXPECT_TRUE(unreached_rows(CsrMatrix<float>(), {}).empty());
}

TEST(Reach, IsWhatSpreadingFinds) {
    constexpr Index size = 40;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed, RandomStream::Test, 0);
        Edges edges;
        for (int e = 0; e < 25; ++e) {
            edges.emplace_back(random.below(size), random.below(size));
        }
        const std::vector<Index> sources{random.below(size), random.below(size)};
        const CsrMatrix<float> narrow = matrix_of(size, edges);
        const CsrMatrix<double> wide{.rows = size,
                                     .columns = size,
                                     .offsets = narrow.offsets,
                                     .indices = narrow.indices,
                                     .values = {narrow.values.begin(), narrow.values.end()}};
        EXPECT_EQ(unreached_rows(wide, sources), spread(size, edges, sources));
        EXPECT_EQ(unreached_rows(matrix_of(size, edges), sources), spread(size, edges, sources));
    }
}

}  // namespace
}  // namespace isogon::components_test
