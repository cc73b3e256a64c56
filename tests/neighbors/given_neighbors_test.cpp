#include "neighbors/given_neighbors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "support/messages.hpp"

namespace isogon::given_neighbors_test {

namespace {

using support::says;

std::string refusal(const NeighborLists& lists, Index points = 4) {
    return support::message_of<InputError>([&] { (void)neighbor_lists_from(lists, points, "graph.npy"); });
}

/// Four points in a square: two sides, then the diagonal.
NeighborLists square() {
    return {.size = 3,
            .indices = {1, 2, 3, 0, 3, 2, 0, 3, 1, 1, 2, 0},
            .distances = {1, 1, 1.5, 1, 1, 1.5, 1, 1, 1.5, 1, 1, 1.5}};
}

TEST(GivenNeighbors, GoodOnesStayWhatTheyAre) {
    const NeighborLists lists = neighbor_lists_from(square(), 4, "graph");
    EXPECT_EQ(lists.indices, square().indices);
    EXPECT_EQ(lists.distances, square().distances);
    EXPECT_EQ(shortest_list(lists), 3U);
}

TEST(GivenNeighbors, APointIsTakenOutOfItsOwnList) {
    const NeighborLists without = square();
    NeighborLists with_self{.size = 4};
    for (Index i = 0; i < 4; ++i) {
        with_self.indices.push_back(i);
        with_self.distances.push_back(0.0F);
        with_self.indices.insert(with_self.indices.end(), without[i].begin(), without[i].end());
        with_self.distances.insert(with_self.distances.end(), without.distances_of(i).begin(),
                                   without.distances_of(i).end());
    }
    const NeighborLists lists = neighbor_lists_from(with_self, 4, "graph");
    EXPECT_EQ(lists.size, 3U);
    EXPECT_EQ(lists.indices, square().indices);
    EXPECT_EQ(lists.distances, square().distances);
    with_self.distances.clear();
    EXPECT_EQ(neighbor_lists_from(with_self, 4, "graph").indices, square().indices);
}

TEST(GivenNeighbors, ListsMayBeOfUnequalLengths) {
    NeighborLists lists = square();
    lists.indices[3] = 1;  // row 1 has itself first
    lists = neighbor_lists_from(lists, 4, "graph");
    EXPECT_EQ(lists.size, 3U);
    EXPECT_EQ(std::vector<Index>(lists[1].begin(), lists[1].end()), (std::vector<Index>{3, 2, 1}));
    EXPECT_EQ(lists.distances_of(1)[2], 1.5F);
    EXPECT_EQ(filled_places(lists, 1, 1), 2U);
    EXPECT_EQ(filled_places(lists, 0, 0), 3U);
    EXPECT_EQ(shortest_list(lists), 2U);
    EXPECT_NO_THROW(require_equal_lengths(square(), "graph"));
    EXPECT_THROW(require_equal_lengths(lists, "graph"), InputError);
    EXPECT_NO_THROW(require_lists_of_points(lists, "graph"));
    EXPECT_THROW(require_neighbor_lists(lists, 4, 4, SelfAllowed::No, "graph"), InputError);
    NeighborLists shorter = lists;
    shorter.indices[4] = 1;  // two empty places
    EXPECT_NO_THROW(require_lists_of_points(shorter, "graph"));
    EXPECT_THROW(require_neighbor_lists(shorter, 4, 4, SelfAllowed::Yes, "graph"), InputError);
}

TEST(GivenNeighbors, RoundingIsPutRight) {
    NeighborLists lists = square();
    lists.distances[1] = 0.99999994F;
    lists.distances[3] = -1e-8F;
    lists = neighbor_lists_from(lists, 4, "graph");
    EXPECT_EQ(lists[0][0], 2U);
    EXPECT_EQ(lists.distances_of(0)[0], 0.99999994F);
    EXPECT_EQ(lists.distances_of(0)[1], 1.0F);
    EXPECT_EQ(lists.distances_of(1)[0], 0.0F);
}

TEST(GivenNeighbors, MoreThanRoundingIsRefusedByRow) {
    NeighborLists lists = square();
    lists.distances[1] = 0.999F;
    EXPECT_TRUE(says(refusal(lists), "row 0: distances must ascend, nearest first: distance 1 is 0.999 after 1"));
    lists = square();
    lists.indices[3] = lists.indices[4] = lists.indices[5] = 1;
    EXPECT_TRUE(says(refusal(lists), "row 1: holds no neighbour but the point itself"));
    lists = square();
    lists.indices[3] = 2;
    EXPECT_TRUE(says(refusal(lists), "row 1: neighbour 2 stands there twice"));
    EXPECT_NE(refusal(square(), 5), "");
    EXPECT_NE(refusal({}), "");
    lists = square();
    lists.distances.pop_back();
    EXPECT_TRUE(says(refusal(lists), "11 distances for 12"));
}

}  // namespace

}  // namespace isogon::given_neighbors_test
