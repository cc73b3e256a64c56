#include "isogon/neighbors/neighbor_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "neighbors/recall.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"

namespace isogon::neighbor_index_test {
namespace {

using reference::on_threads;
using reference::sheet_points;

std::vector<Index> every(Index count, Index step) {
    std::vector<Index> rows;
    for (Index i = 0; i < count; i += step) {
        rows.push_back(i);
    }
    return rows;
}

class IndexOf : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, IndexOf, testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

TEST_P(IndexOf, FindsTheShareOfNeighboursThatWasWishedFor) {
    const Points x = sheet_points(3000, 50, 5, 1);
    const auto rows = every(3000, 7);
    for (const double wished : {0.8, 0.97}) {
        const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 10, .recall = wished});
        const NeighborLists lists = index.neighbors(10);
        require_neighbor_lists(lists, 3000, 3000, SelfAllowed::No, "lists");
        EXPECT_GE(recall(lists, rows, exact_lists_of(x.view(), rows, 10, GetParam(), on_threads(1))), wished - 0.03);
        EXPECT_GT(index.facts().probes, 0U);
        EXPECT_LT(index.facts().probes, index.facts().clusters);
    }
}

TEST_P(IndexOf, ListsAreTheSameBitsOnAnyNumberOfThreads) {
    const Points x = sheet_points(1500, 30, 4, 2);
    const NeighborIndexOptions options{.metric = GetParam(), .neighbors = 5, .seed = 3};
    const NeighborLists one = NeighborIndex(x.view(), options, on_threads(1)).neighbors(5, on_threads(1));
    for (const int threads : {2, 3}) {
        const NeighborLists more =
            NeighborIndex(x.view(), options, on_threads(threads)).neighbors(5, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.distances, more.distances);
    }
}

TEST_P(IndexOf, SomePointsHaveTheListsThatTheyHaveAmongAll) {
    const Points x = sheet_points(1500, 30, 4, 6);
    const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 5});
    const NeighborLists all = index.neighbors(5);
    const std::vector<Index> rows{1499, 3, 700};
    const NeighborLists some = index.neighbors_of(rows, 5, on_threads(2));
    ASSERT_EQ(some.count(), 3U);
    for (Index a = 0; a < 3; ++a) {
        EXPECT_TRUE(std::ranges::equal(some[a], all[rows[a]]));
        EXPECT_TRUE(std::ranges::equal(some.distances_of(a), all.distances_of(rows[a])));
    }
}

TEST_P(IndexOf, AQueryFindsTheSameAloneAndAmongOthers) {
    const Points x = sheet_points(1500, 30, 4, 4);
    const Points queries = sheet_points(1100, 30, 4, 4);
    const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 5});
    const NeighborLists together = index.search(queries.view(), 5, on_threads(3));
    for (const Index row : {0U, 500U, 1099U}) {
        const NeighborLists alone = index.search(PointsView(queries[row].data(), 1, 30), 5);
        EXPECT_TRUE(std::equal(alone.indices.begin(), alone.indices.end(), together[row].begin()));
        EXPECT_TRUE(std::equal(alone.distances.begin(), alone.distances.end(), together.distances_of(row).begin()));
    }
}

TEST_P(IndexOf, QueriesFindTheirNearestPoints) {
    const Points x = sheet_points(2000, 30, 4, 5);
    Points queries = sheet_points(200, 30, 4, 5);
    for (float& value : queries[3]) {
        value *= 1e12F;  // far beyond all points
    }
    const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 8});
    const NeighborLists truth = exact_neighbors(queries.view(), x.view(), 8, GetParam());
    const NeighborLists lists = index.search(queries.view(), 8);
    require_neighbor_lists(lists, 200, 2000, SelfAllowed::Yes, "lists");
    EXPECT_GE(recall(lists, every(200, 1), truth), 0.9);
}

TEST_P(IndexOf, ComesBackFromAnArchiveAndAnswersWithTheSameBits) {
    const Points x = sheet_points(800, 30, 4, 6);
    const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 6, .recall = 0.9, .seed = 8});
    const NeighborIndex again(index.archive());
    EXPECT_EQ(again.count(), 800U);
    EXPECT_EQ(again.dimension(), 30U);
    EXPECT_EQ(again.options().metric, GetParam());
    EXPECT_EQ(again.options().seed, 8U);
    EXPECT_EQ(again.facts().probes, index.facts().probes);
    const NeighborLists before = index.neighbors(6);
    const NeighborLists after = again.neighbors(6);
    EXPECT_EQ(before.indices, after.indices);
    EXPECT_EQ(before.distances, after.distances);
}

TEST_P(IndexOf, OfAwkwardPointsAnswersToo) {
    for (const Points& x : {reference::awkward_points(200, 6, 7), reference::equal_points(120, 3), Points(60, 4),
                            reference::whole_points(150, 2, 1, 8)}) {
        const NeighborIndex index(x.view(), {.metric = GetParam(), .neighbors = 3});
        require_neighbor_lists(index.neighbors(3), x.count(), x.count(), SelfAllowed::No, "lists");
        require_neighbor_lists(index.neighbors(59), x.count(), x.count(), SelfAllowed::No, "lists");
    }
}

TEST(NeighborIndexOf, ImpossibleOptionsAreRefused) {
    const Points x = sheet_points(50, 5, 2, 9);
    EXPECT_THROW(NeighborIndex(x.view(), {.neighbors = 0}), InvalidArgument);
    EXPECT_THROW(NeighborIndex(x.view(), {.neighbors = 50}), InvalidArgument);
    EXPECT_THROW(NeighborIndex(x.view(), {.recall = 1.0}), InvalidArgument);
    EXPECT_THROW(NeighborIndex(x.view(), {.recall = 0.0}), InvalidArgument);
    EXPECT_THROW(NeighborIndex(x.view(), {.recall = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
    const NeighborIndex index(x.view(), {.neighbors = 3});
    EXPECT_THROW((void)index.neighbors(50), InvalidArgument);
    EXPECT_THROW((void)index.search(x.view(), 51), InvalidArgument);
    EXPECT_THROW((void)index.search(Points(3, 4).view(), 1), InvalidArgument);
}

TEST(NeighborIndexOf, MoreThanTheMemoryLimitIsRefused) {
    const Points x = sheet_points(500, 10, 2, 10);
    RunContext context;
    context.memory_limit = 10000;
    EXPECT_THROW(NeighborIndex(x.view(), {}, context), LimitExceeded);
    context.memory_limit = NeighborIndex::bytes(500, 10);
    EXPECT_NO_THROW(NeighborIndex(x.view(), {}, context));
}

TEST(NeighborIndexOf, DamagedArchivesAreRefused) {
    const Points x = sheet_points(100, 5, 2, 11);
    const Archive good = NeighborIndex(x.view(), {.neighbors = 3}).archive();
    Archive model = good;
    model.kind = ArchiveKind::Model;
    EXPECT_THROW(NeighborIndex{model}, InputError);
    for (const auto& [name, array] : good.arrays) {
        Archive missing = good;
        missing.arrays.erase(name);
        if (name != "directions") {
            EXPECT_THROW(NeighborIndex{missing}, InputError) << name;
        }
    }
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1000}}) {
        Archive wrong = good;
        std::get<std::vector<std::uint64_t>>(wrong.arrays.at("effort").values)[0] = value;
        EXPECT_THROW(NeighborIndex{wrong}, InputError);
    }
    Archive rank = good;
    std::get<std::vector<std::uint64_t>>(rank.arrays.at("rank").values)[0] = 4;
    EXPECT_THROW(NeighborIndex{rank}, InputError);
}

}  // namespace
}  // namespace isogon::neighbor_index_test
