#include "methods/fitted_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph/affinities.hpp"

namespace isogon::fitted_rows_test {

namespace {

constexpr Index nowhere = DistinctPoints::nowhere;

/// Six rows: 1, 3 and 5 are fitted, 2 equals 1, 4 equals 5, and 0 has no direction.
FittedRows three_of_six() {
    return FittedRows(DistinctPoints{.rows = {1, 3, 5}, .place = {nowhere, 0, 0, 1, 2, 2}});
}

const NeighborLists lists{.size = 2, .indices = {1, 2, 0, 2, 1, 0}, .distances = {1.0F, 2.0F, 1.0F, 3.0F, 3.0F, 4.0F}};

/// 0 - 1 of weight 0.5, 1 - 2 of weight 0.25.
const CsrMatrix<double> weights{3, 3, {0, 1, 3, 4}, {1, 0, 2, 1}, {0.5, 0.5, 0.25, 0.25}};

TEST(FittedRows, GiveAllRowsWhatTheirEqualsHave) {
    Points fitted(3, 2);
    for (Index i = 0; i < 3; ++i) {
        fitted[i][0] = 1.0F + static_cast<float>(i);
    }
    const Points all = three_of_six().to_all(fitted);
    std::vector<float> first;
    for (Index i = 0; i < 6; ++i) {
        first.push_back(all[i][0]);
    }
    EXPECT_EQ(first, (std::vector<float>{0, 1, 1, 2, 3, 3}));
    EXPECT_EQ(three_of_six().count(), 3U);
    EXPECT_FALSE(three_of_six().has_place(0));
}

TEST(FittedRows, GiveSharesOfKeptNeighborsToEquals) {
    const KeptNeighbors all =
        three_of_six().to_all(KeptNeighbors{.neighbors = 0.5, .rows = {0, 2}, .shares = {0.25F, 0.75F}});
    EXPECT_EQ(all.rows, (std::vector<Index>{1, 2, 4, 5}));
    EXPECT_EQ(all.shares, (std::vector<float>{0.25F, 0.25F, 0.75F, 0.75F}));
    EXPECT_EQ(all.neighbors, 0.5);
}

TEST(FittedRows, GiveListsAndWeightsToAllAndTakeThemBack) {
    const FittedRows rows = three_of_six();
    const NeighborLists all = rows.to_all(lists);
    require_neighbor_lists(all, 6, 6, SelfAllowed::No, "lists");
    EXPECT_TRUE(std::ranges::equal(all[2], std::vector<Index>{3, 5}));
    EXPECT_TRUE(std::ranges::equal(all[4], std::vector<Index>{3, 1}));
    EXPECT_TRUE(std::ranges::equal(all.distances_of(0), std::vector<float>{1.0F, 1.0F}));
    ASSERT_TRUE(rows.tells(all));
    EXPECT_EQ(rows.among(all).indices, lists.indices);
    EXPECT_EQ(rows.among(all).distances, lists.distances);

    const CsrMatrix<double> graph = rows.to_all(weights);
    require_affinities(graph, 6, "weights");
    EXPECT_TRUE(std::ranges::equal(graph.row_indices(1), std::vector<Index>{0, 2, 3}));
    EXPECT_TRUE(std::ranges::equal(graph.row_values(4), std::vector<double>{0.5}));
    ASSERT_TRUE(rows.tells(graph));
    EXPECT_EQ(rows.among(graph).offsets, weights.offsets);
    EXPECT_EQ(rows.among(graph).indices, weights.indices);
    EXPECT_EQ(rows.among(graph).values, weights.values);
}

TEST(FittedRows, AreNotAllOfAGraphInWhichOthersCount) {
    const FittedRows rows = three_of_six();
    NeighborLists all = rows.to_all(lists);
    all.indices[2] = 4;  // row 1 lists row 4, which was not fitted
    EXPECT_FALSE(rows.tells(all));
    CsrMatrix<double> graph = rows.to_all(weights);
    graph.indices[0] = 3;  // row 0 hangs on another row
    EXPECT_FALSE(rows.tells(graph));
    EXPECT_FALSE(rows.tells(weights));
    EXPECT_FALSE(rows.tells(lists));
}

TEST(FittedRows, MayBeAllThatHaveADirection) {
    const FittedRows rows = FittedRows::directed({.rows = {1}, .place = {nowhere, 0, 0, nowhere}});
    EXPECT_EQ(rows.rows(), (std::vector<Index>{1, 2}));
    EXPECT_FALSE(rows.has_place(3));
    Points table(4, 4);
    table[1][2] = 7.0F;
    EXPECT_EQ(rows.table_of(table.view())[0][1], 7.0F);
}

}  // namespace

}  // namespace isogon::fitted_rows_test
