#include "graph/joined_lists.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::joined_lists_test {
namespace {

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
}  // namespace isogon::joined_lists_test
