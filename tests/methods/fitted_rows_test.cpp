#include "methods/fitted_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace isogon::fitted_rows_test {

namespace {

constexpr Index nowhere = DistinctPoints::nowhere;

/// Six rows: 1, 3 and 5 are fitted, 2 equals 1, 4 equals 5, and 0 has no direction.
FittedRows three_of_six() {
    return FittedRows(DistinctPoints{.rows = {1, 3, 5}, .place = {nowhere, 0, 0, 1, 2, 2}});
}

/// Of all rows; each lists fitted ones alone.
const NeighborLists lists{
    .size = 2, .indices = {1, 3, 3, 5, 3, 5, 1, 5, 3, 1, 3, 1}, .distances = {1, 1, 1, 2, 1, 2, 1, 3, 3, 4, 3, 4}};

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

TEST(FittedRows, TakeTheirPartOfListsOfAllRows) {
    const FittedRows rows = three_of_six();
    ASSERT_TRUE(rows.tells(lists));
    EXPECT_EQ(rows.among(lists).indices, (std::vector<Index>{1, 2, 0, 2, 1, 0}));
    EXPECT_EQ(rows.among(lists).distances, (std::vector<float>{1, 2, 1, 3, 3, 4}));
}

TEST(FittedRows, AreNotAllOfListsInWhichOthersAre) {
    NeighborLists all = lists;
    all.indices[2] = 4;  // row 1 lists row 4, which was not fitted
    EXPECT_FALSE(three_of_six().tells(all));
    EXPECT_FALSE(three_of_six().tells(three_of_six().among(lists)));
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
