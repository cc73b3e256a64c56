#include "isogon/neighbors/neighbor_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "isogon/core/error.hpp"
#include "support/messages.hpp"

namespace isogon::neighbor_lists_test {
namespace {

using support::says;

TEST(Metric, IsFoundByItsName) {
    ASSERT_EQ(metric_names().size(), 7U);
    for (const auto& text : metric_names()) {
        EXPECT_EQ(name(find_metric(text)), text);
    }
    ASSERT_EQ(product_metric_names().size(), 3U);
    for (const auto& text : product_metric_names()) {
        EXPECT_EQ(find_product_metric(text), find_metric(text));
        EXPECT_TRUE(is_of_products(find_metric(text)));
    }
    EXPECT_EQ(find_metric("euclidean"), Metric::Euclidean);
    EXPECT_EQ(find_metric("jaccard"), Metric::Jaccard);
    EXPECT_FALSE(is_of_products(Metric::Manhattan));
    EXPECT_TRUE(has_unit(Metric::Manhattan));
    EXPECT_FALSE(has_unit(Metric::Correlation));
}

TEST(Metric, AnotherNameIsRefusedWithThoseThereAre) {
    const std::string message = support::message_of<InvalidArgument>([&] { (void)find_metric("chebyshev"); });
    EXPECT_TRUE(says(message, "inner-product"));
    EXPECT_TRUE(says(message, "hamming or jaccard"));
    EXPECT_THROW((void)find_metric("precomputed"), InvalidArgument);
    EXPECT_THROW((void)find_product_metric("manhattan"), InvalidArgument);
}

NeighborLists good() {
    return {.size = 2, .indices = {1, 2, 0, 2, 1, 0}, .distances = {0.1F, 0.5F, 0.1F, 0.4F, 0.4F, 0.5F}};
}

std::string fault(const NeighborLists& lists, SelfAllowed self = SelfAllowed::No) {
    return support::message_of<InputError>([&] { require_neighbor_lists(lists, 3, 3, self, "graph.npy"); });
}

void expect_fault(const NeighborLists& lists, const std::string& row, const std::string& why) {
    const std::string text = fault(lists);
    EXPECT_TRUE(says(text, "graph.npy"));
    EXPECT_TRUE(says(text, row));
    EXPECT_TRUE(says(text, why));
}

TEST(NeighborLists, GoodOnesPass) {
    EXPECT_EQ(fault(good()), "");
    NeighborLists bare = good();
    bare.distances.clear();
    EXPECT_EQ(fault(bare), "");
}

TEST(NeighborLists, RowsAreReadBack) {
    const NeighborLists lists = good();
    EXPECT_EQ(lists.count(), 3U);
    EXPECT_EQ(lists[2][0], 1U);
    EXPECT_EQ(lists.distances_of(1)[1], 0.4F);
    EXPECT_EQ(NeighborLists{}.count(), 0U);
}

TEST(NeighborLists, AnIndexBeyondThePointsIsRefused) {
    NeighborLists lists = good();
    lists.indices[3] = 3;
    expect_fault(lists, "row 1", "neighbour 3 does not exist");
}

TEST(NeighborLists, APointInItsOwnListIsRefusedUnlessAllowed) {
    NeighborLists lists = good();
    lists.indices[4] = 2;
    expect_fault(lists, "row 2", "own list");
    EXPECT_EQ(fault(lists, SelfAllowed::Yes), "");
}

TEST(NeighborLists, TheSameNeighbourTwiceIsRefused) {
    NeighborLists lists = good();
    lists.indices[1] = 1;
    expect_fault(lists, "row 0", "twice");
}

// However many points there are for so few lists, and wherever the row is.
TEST(NeighborLists, TheSameNeighbourTwiceIsRefusedAmongManyPoints) {
    NeighborLists lists{.size = 3, .indices = {7, 5, 6, 100, 200, 100}};
    const std::string message =
        support::message_of<InputError>([&] { require_neighbor_lists(lists, 2, 1000, SelfAllowed::Yes, "queries"); });
    EXPECT_TRUE(says(message, "neighbour 100 stands there twice"));
    lists.indices[5] = 300;
    EXPECT_NO_THROW(require_neighbor_lists(lists, 2, 1000, SelfAllowed::Yes, "queries"));
}

TEST(NeighborLists, DistancesMustBeNumbersThatAscend) {
    NeighborLists lists = good();
    lists.distances[3] = 0.05F;
    expect_fault(lists, "row 1", "ascend");
    lists = good();
    lists.distances[2] = std::numeric_limits<float>::quiet_NaN();
    expect_fault(lists, "row 1", "nan");
    lists = good();
    lists.distances[5] = std::numeric_limits<float>::infinity();
    expect_fault(lists, "row 2", "inf");
}

TEST(NeighborLists, AnotherNumberOfRowsOrDistancesIsRefused) {
    NeighborLists lists = good();
    lists.indices.resize(4);
    expect_fault(lists, "2 rows", "3 rows");
    lists = good();
    lists.distances.resize(5);
    expect_fault(lists, "5 distances", "6 neighbours");
    expect_fault(NeighborLists{}, "0 rows", "at least one");
}

TEST(NeighborLists, ShorterListsAreTheFirstOfEachRow) {
    const NeighborLists one = nearest_of(good(), 1);
    EXPECT_EQ(one.indices, (std::vector<Index>{1, 0, 1}));
    EXPECT_EQ(one.distances, (std::vector<float>{0.1F, 0.1F, 0.4F}));
    EXPECT_THROW((void)nearest_of(good(), 3), InvalidArgument);
    EXPECT_THROW((void)nearest_of(good(), 0), InvalidArgument);
}

TEST(NeighborLists, SomeRowsKeepTheirLists) {
    NeighborLists lists = good();
    const NeighborLists last = rows_of(lists, {1, 3});
    EXPECT_EQ(last.count(), 2U);
    EXPECT_TRUE(std::ranges::equal(last[0], lists[1]));
    EXPECT_TRUE(std::ranges::equal(last.distances_of(1), lists.distances_of(2)));
    EXPECT_EQ(rows_of(lists, {2, 2}).count(), 0U);
    lists.distances.clear();
    EXPECT_TRUE(rows_of(lists, {1, 3}).distances.empty());
}

TEST(NeighborGraph, IsRestoredFromAnArchive) {
    NeighborLists lists{.size = 2, .indices = {1, 2, 0, 2, 1, 0}, .distances = {0.1F, 0.5F, 0.1F, 0.4F, 0.4F, 0.5F}};
    for (int round = 0; round < 2; ++round) {
        const Archive archive = make_neighbor_graph(lists, Metric::Euclidean);
        EXPECT_EQ(archive.note("metric"), "euclidean");
        const NeighborLists again = lists_in(archive);
        EXPECT_EQ(again.size, 2U);
        EXPECT_EQ(again.indices, lists.indices);
        EXPECT_EQ(again.distances, lists.distances);
        lists.distances.clear();
    }
}

TEST(NeighborGraph, OtherArchivesAreRefused) {
    const NeighborLists lists{.size = 1, .indices = {1, 0}, .distances = {0.1F, 0.1F}};
    Archive archive = make_neighbor_graph(lists, Metric::Cosine);
    archive.arrays.at("distances").shape = {1, 2};
    EXPECT_THROW((void)lists_in(archive), InputError);
    archive.arrays.erase("indices");
    EXPECT_THROW((void)lists_in(archive), InputError);
    archive.kind = ArchiveKind::Model;
    EXPECT_THROW((void)lists_in(archive), InputError);
    EXPECT_THROW((void)make_neighbor_graph({}, Metric::Cosine), InvalidArgument);
}

}  // namespace
}  // namespace isogon::neighbor_lists_test
