#include "neighbors/ivf_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::ivf_index_test {
namespace {

using reference::on_threads;
using reference::sheet_points;
using support::says;

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
    for (const double requested : {0.8, 0.97}) {
        const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 10, .recall = requested});
        const NeighborLists lists = index.neighbors(10);
        require_neighbor_lists(lists, 3000, 3000, SelfAllowed::No, "lists");
        const NeighborLists truth = exact_lists_of(x.view(), rows, 10, GetParam(), on_threads(1));
        EXPECT_GE(recall(lists, {rows, truth}), requested - 0.03);
        EXPECT_GT(index.facts().probes, 0U);
        EXPECT_LT(index.facts().probes, index.facts().clusters);
    }
}

TEST_P(IndexOf, ListsAreTheSameBitsOnAnyNumberOfThreads) {
    const Points x = sheet_points(1500, 30, 4, 2);
    const NeighborIndexOptions options{.metric = GetParam(), .neighbors = 5, .seed = 3};
    const NeighborLists one = IvfIndex(x.view(), options, on_threads(1)).neighbors(5, on_threads(1));
    for (const int threads : {2, 3}) {
        const NeighborLists more = IvfIndex(x.view(), options, on_threads(threads)).neighbors(5, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.distances, more.distances);
    }
}

TEST_P(IndexOf, SomePointsHaveTheListsThatTheyHaveAmongAll) {
    const Points x = sheet_points(1500, 30, 4, 6);
    const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 5});
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
    const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 5});
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
    const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 8});
    const NeighborLists truth = exact_neighbors(queries.view(), x.view(), 8, GetParam());
    const NeighborLists lists = index.search(queries.view(), 8);
    require_neighbor_lists(lists, 200, 2000, SelfAllowed::Yes, "lists");
    EXPECT_GE(recall(lists, {every(200, 1), truth}), 0.9);
}

TEST_P(IndexOf, IsRestoredFromAnArchiveAndAnswersWithTheSameBits) {
    const Points x = sheet_points(800, 30, 4, 6);
    const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 6, .recall = 0.9, .seed = 8});
    const IvfIndex again(index.archive());
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
        const IvfIndex index(x.view(), {.metric = GetParam(), .neighbors = 3});
        require_neighbor_lists(index.neighbors(3), x.count(), x.count(), SelfAllowed::No, "lists");
        require_neighbor_lists(index.neighbors(59), x.count(), x.count(), SelfAllowed::No, "lists");
    }
}

TEST(NeighborIndexOf, ImpossibleOptionsAreRefused) {
    const Points x = sheet_points(50, 5, 2, 9);
    EXPECT_THROW(IvfIndex(x.view(), {.neighbors = 0}), InvalidArgument);
    EXPECT_THROW(IvfIndex(x.view(), {.neighbors = 50}), InvalidArgument);
    EXPECT_THROW(IvfIndex(x.view(), {.recall = 1.0}), InvalidArgument);
    EXPECT_THROW(IvfIndex(x.view(), {.recall = 0.0}), InvalidArgument);
    EXPECT_THROW(IvfIndex(x.view(), {.recall = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
    const IvfIndex index(x.view(), {.neighbors = 3});
    EXPECT_THROW((void)index.neighbors(50), InvalidArgument);
    EXPECT_THROW((void)index.search(x.view(), 51), InvalidArgument);
    EXPECT_THROW((void)index.search(Points(3, 4).view(), 1), InvalidArgument);
}

TEST(NeighborIndexOf, MoreThanTheMemoryLimitIsRefused) {
    const Points x = sheet_points(500, 10, 2, 10);
    RunContext context;
    context.memory_limit = 10000;
    EXPECT_THROW(IvfIndex(x.view(), {}, context), LimitExceeded);
    context.memory_limit = IvfIndex::bytes(500, 10);
    EXPECT_NO_THROW(IvfIndex(x.view(), {}, context));
}

TEST(NeighborIndexOf, DamagedArchivesAreRefused) {
    const Points x = sheet_points(100, 5, 2, 11);
    const Archive good = IvfIndex(x.view(), {.neighbors = 3}).archive();
    Archive model = good;
    model.kind = ArchiveKind::Model;
    EXPECT_THROW(IvfIndex{model}, InputError);
    for (const auto& [name, array] : good.arrays) {
        Archive missing = good;
        missing.arrays.erase(name);
        if (name != "directions") {
            EXPECT_THROW(IvfIndex{missing}, InputError) << name;
        }
    }
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1000}}) {
        Archive wrong = good;
        std::get<std::vector<std::uint64_t>>(wrong.arrays.at("effort").values)[0] = value;
        EXPECT_THROW(IvfIndex{wrong}, InputError);
    }
    Archive rank = good;
    std::get<std::vector<std::uint64_t>>(rank.arrays.at("rank").values)[0] = 4;
    EXPECT_THROW(IvfIndex{rank}, InputError);
}

/// The message of the refusal of an index; "" if it is taken.
std::string refusal(Archive archive) {
    archive.source = "i.safetensors";
    return support::message_of<InputError>(
        [&] { (void)IvfIndex(archive).search(sheet_points(3, 64, 5, 13).view(), 3); });
}

void expect_refused(const Archive& archive, const std::string& array) {
    const std::string message = refusal(archive);
    EXPECT_TRUE(says(message, "i.safetensors"));
    EXPECT_TRUE(says(message, "array " + array));
}

Archive with(Archive archive, const std::string& name, Array array) {
    archive.arrays.insert_or_assign(name, std::move(array));
    return archive;
}

Array count(std::uint64_t value) {
    return {{}, std::vector<std::uint64_t>{value}};
}

/// Points of 64 numbers that are reduced to few, and others of which all numbers are kept.
class CraftedIndex : public testing::TestWithParam<Metric> {
protected:
    CraftedIndex()
        : reduced(IvfIndex(sheet_points(120, 64, 5, 12).view(), {.metric = GetParam(), .neighbors = 3}).archive()),
          whole(IvfIndex(reference::random_points(120, 64, 12).view(), {.metric = GetParam(), .neighbors = 3})
                    .archive()) {}

    Archive reduced;
    Archive whole;
};

INSTANTIATE_TEST_SUITE_P(Metrics, CraftedIndex,
                         testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

TEST_P(CraftedIndex, NeedsTheDirectionsThatItsRankSays) {
    ASSERT_TRUE(reduced.has("directions"));
    ASSERT_FALSE(whole.has("directions"));
    EXPECT_EQ(refusal(reduced), "");
    EXPECT_EQ(refusal(whole), "");
    for (const std::uint64_t rank : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{40},
                                     std::uint64_t{63}, std::uint64_t{65}, (std::uint64_t{1} << 32) - 1,
                                     std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 64, std::uint64_t{1} << 63}) {
        expect_refused(with(whole, "rank", count(rank)), "rank");
    }
    Archive without = reduced;
    without.arrays.erase("directions");
    expect_refused(without, "rank");
    const std::uint64_t rank = reduced.count("rank");
    for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{65}}) {
        expect_refused(with(reduced, "directions", {{rows, rank}, std::vector<double>(rows * rank)}), "directions");
    }
    expect_refused(with(reduced, "directions", {{64, rank}, std::vector<double>(64 * rank, 1e300)}), "directions");
}

TEST_P(CraftedIndex, NeedsPointsThatBelongToIt) {
    expect_refused(with(whole, "points", {{120, 192}, std::vector<float>(std::size_t{120} * 192)}), "rank");
    expect_refused(with(reduced, "points", {{120, 192}, std::vector<float>(std::size_t{120} * 192)}), "directions");
    expect_refused(with(whole, "points", {{0, 64}, std::vector<float>()}), "points");
    expect_refused(with(whole, "points", {{119, 64}, std::vector<float>(std::size_t{119} * 64)}), "cluster_of");
    expect_refused(with(whole, "centroids", {{200, 65}, std::vector<float>(std::size_t{200} * 65)}), "centroids");
    expect_refused(with(whole, "cluster_of", {{120}, std::vector<std::uint32_t>(120, 1000)}), "cluster_of");
    Archive unheard = whole;
    unheard.notes.at("metric") = "hearsay";
    EXPECT_TRUE(says(refusal(unheard), "metric"));
}

TEST_P(CraftedIndex, NeedsAnEffortThatCanBeMade) {
    for (const auto& [place, beyond] : std::vector<std::pair<int, std::uint64_t>>{
             {0, 0}, {0, 1000}, {1, 0}, {1, 121}, {2, 0}, {2, 120}, {2, (std::uint64_t{1} << 32) + 3}}) {
        Archive wrong = whole;
        std::get<std::vector<std::uint64_t>>(wrong.arrays.at("effort").values)[place] = beyond;
        expect_refused(wrong, "effort");
    }
    for (const auto& [place, beyond] :
         std::vector<std::pair<int, double>>{{0, -0.1}, {0, 1.1}, {1, -1.0}, {2, 0.0}, {2, 1.0}, {2, 1e308}}) {
        Archive wrong = whole;
        std::get<std::vector<double>>(wrong.arrays.at("shares").values)[place] = beyond;
        expect_refused(wrong, "shares");
    }
}

TEST_P(CraftedIndex, GivesNoDistanceThatIsNotFinite) {
    Archive far = whole;
    for (float& value : std::get<std::vector<float>>(far.arrays.at("points").values)) {
        value = value < 0.0F ? -3.4e38F : 3.4e38F;
    }
    try {
        const IvfIndex index(far);
        for (const NeighborLists& lists : {index.neighbors(5), index.search(sheet_points(3, 64, 5, 13).view(), 5)}) {
            EXPECT_TRUE(std::all_of(lists.distances.begin(), lists.distances.end(),
                                    [](float distance) { return std::isfinite(distance); }));
        }
    } catch (const InputError& error) {
        EXPECT_TRUE(says(error.what(), "float32"));
    }
}

TEST(NeighborIndexOf, AnArchiveOfMoreThanTheMemoryLimitIsRefused) {
    const Archive archive = IvfIndex(sheet_points(500, 64, 5, 14).view(), {.neighbors = 3}).archive();
    RunContext context;
    context.memory_limit = 20000;
    EXPECT_THROW(IvfIndex(archive, context), LimitExceeded);
    EXPECT_NO_THROW(IvfIndex{archive});
}

}  // namespace
}  // namespace isogon::ivf_index_test
