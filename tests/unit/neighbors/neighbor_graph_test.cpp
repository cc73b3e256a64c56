#include "isogon/neighbors/neighbor_graph.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::neighbor_graph_test {
namespace {

TEST(NeighborGraph, ComesBackFromAnArchive) {
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
}  // namespace isogon::neighbor_graph_test
