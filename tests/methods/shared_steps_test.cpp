#include "methods/shared_steps.hpp"

#include <gtest/gtest.h>

#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::shared_steps_test {
namespace {

/// Exact lists as neighbors_of() gets them, and how often they were searched for.
class Search {
public:
    explicit Search(Points points) : points_(std::move(points)) {}
    NeighborSearch operator()(Index size) {
        sizes.push_back(size);
        NeighborSearch found{exact_neighbors(points_.view(), size, Metric::Euclidean), {}};
        found.summary.count("exact", exact ? 1.0 : 0.0);
        found.summary.measure("recall", exact ? 1.0 : 0.9);
        return found;
    }
    std::vector<Index> sizes{};
    bool exact = true;

private:
    Points points_;
};

void expect_same(const NeighborLists& one, const NeighborLists& other) {
    EXPECT_EQ(one.size, other.size);
    EXPECT_EQ(one.indices, other.indices);
    EXPECT_EQ(one.distances, other.distances);
}

TEST(SharedSteps, ShorterListsAreTheBeginningsOfTheLongest) {
    Search search(reference::random_points(80, 5, 1));
    SharedSteps shared(30);
    for (const Index size : {4U, 30U, 11U, 4U}) {
        expect_same(shared.neighbors(size, {}, std::ref(search)).lists, Search(search)(size).lists);
    }
    EXPECT_EQ(search.sizes, std::vector<Index>{30});
}

TEST(SharedSteps, ListsWithTiesAreWhatASearchGives) {
    Search search(reference::whole_points(300, 2, 3, 1));  // some twenty copies of each point
    SharedSteps shared(60);
    for (const Index size : {1U, 3U, 10U, 19U, 40U, 59U}) {
        expect_same(shared.neighbors(size, {}, std::ref(search)).lists, Search(search)(size).lists);
    }
    EXPECT_GT(search.sizes.size(), 1U);
}

TEST(SharedSteps, ApproximateListsAreSearchedForOneByOne) {
    Search search(reference::random_points(40, 3, 1));
    search.exact = false;
    SharedSteps shared(9);
    for (const Index size : {5U, 5U, 9U}) {
        EXPECT_EQ(shared.neighbors(size, {}, std::ref(search)).summary.value("recall"), 0.9);
    }
    EXPECT_EQ(search.sizes, (std::vector<Index>{9, 5}));
}

TEST(SharedSteps, BeginningsAreTrustedUnlessManyAreEquallyFar) {
    NeighborLists lists{.size = 12, .indices = std::vector<Index>(12), .distances = {}};
    for (int k = 0; k < 12; ++k) {
        lists.distances.push_back(static_cast<float>(k));
    }
    for (const Index size : {1U, 3U, 11U, 12U}) {
        EXPECT_TRUE(begin_alike(lists, size)) << size;
    }
    EXPECT_FALSE(begin_alike(lists, 13));
    std::fill(lists.distances.begin() + 2, lists.distances.begin() + 11, 2.0F);  // places 2 to 10
    EXPECT_FALSE(begin_alike(lists, 3));
    EXPECT_TRUE(begin_alike(lists, 4));
    lists.distances[11] = 2.0F;
    EXPECT_FALSE(begin_alike(lists, 4));
}

TEST(SharedSteps, AStepThatFailsIsTriedAgain) {
    SharedSteps shared(0);
    const auto fail = []() -> std::vector<Index> { throw Interruption{Termination::Cancelled}; };
    EXPECT_THROW(static_cast<void>(shared.landmarks({5}, fail)), Interruption);
    EXPECT_EQ(shared.landmarks({5}, [] { return std::vector<Index>{7}; }).front(), 7U);
}

}  // namespace
}  // namespace isogon::shared_steps_test
