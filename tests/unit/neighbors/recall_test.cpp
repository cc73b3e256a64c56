#include "neighbors/recall.hpp"

#include <gtest/gtest.h>

#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::recall_test {
namespace {

using reference::on_threads;

TEST(ExactListsOf, AreThoseOfTheWholeSearch) {
    for (const Points& x : {reference::random_points(200, 6, 1), reference::awkward_points(120, 5, 2)}) {
        for (const Metric metric : {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean}) {
            const std::vector<Index> rows{0, 5, 60, 119};
            const NeighborLists all = exact_neighbors(x.view(), 8, metric);
            const NeighborLists some = exact_lists_of(x.view(), rows, 8, metric, on_threads(2));
            ASSERT_EQ(some.count(), 4U);
            require_neighbor_lists(some, 4, x.count(), SelfAllowed::Yes, "lists");
            for (Index a = 0; a < 4; ++a) {
                for (Index b = 0; b < 8; ++b) {
                    EXPECT_NE(some[a][b], rows[a]);
                    EXPECT_EQ(some.distances_of(a)[b], all.distances_of(rows[a])[b]);
                }
            }
        }
    }
}

TEST(Recall, IsTheShareOfNeighboursThatAreNoFartherThanTheLastTrueOne) {
    const NeighborLists truth{.size = 2, .indices = {1, 2, 0, 2}, .distances = {0.1F, 0.2F, 0.1F, 0.1F}};
    NeighborLists found{
        .size = 2, .indices = {7, 7, 1, 3, 7, 7, 5, 6}, .distances = {9.0F, 9.0F, 0.1F, 0.3F, 9.0F, 9.0F, 0.1F, 0.1F}};
    const std::vector<Index> rows{1, 3};
    EXPECT_DOUBLE_EQ(recall(found, rows, truth), 0.75);
    EXPECT_DOUBLE_EQ(recall(found, {}, truth), 1.0);
}

}  // namespace
}  // namespace isogon::recall_test
