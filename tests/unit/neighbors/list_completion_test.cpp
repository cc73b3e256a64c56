#include "neighbors/list_completion.hpp"

#include <gtest/gtest.h>

#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::list_completion_test {
namespace {

using reference::on_threads;
using reference::random_points;

/// Offers every pair with keys that are off by up to `error`.
NearestSelection offered(const MetricSpace& space, Index keep, double error) {
    const Index n = space.points().count;
    NearestSelection selection(n, keep);
    for (Index i = 0; i < n; ++i) {
        Random random(9, RandomStream::Test, i);
        for (Index j = 0; j < n; ++j) {
            if (i != j) {
                const double cosine = 1.0 - double{space.distance(i, j)};
                selection.offer(i, j, static_cast<float>(cosine + error * (random.uniform() - 0.5)));
            }
        }
    }
    return selection;
}

TEST(ListCompletion, PutsCandidatesInTheOrderOfTheirDistances) {
    const Points x = random_points(200, 5, 1);
    const MetricSpace space(x.view(), x.view(), Metric::Cosine);
    NearestSelection selection = offered(space, candidates_for(7), 1e-6);
    const NeighborLists lists = complete_lists(space, selection, 7, SelfAllowed::No, on_threads(2));
    for (Index i = 0; i < 200; ++i) {
        const auto truth = reference::sorted_distances(x.view(), i, x.view(), Metric::Cosine);
        for (Index a = 0; a < 7; ++a) {
            ASSERT_NEAR(double{lists.distances_of(i)[a]}, truth[a], 1e-6);
        }
    }
}

TEST(ListCompletion, SearchesARowAgainWhereRoundingCouldHaveLostANeighbour) {
    // Points so near each other that the rounding of keys, which is real here, says nothing of their order.
    Points x = random_points(150, 4, 2);
    for (float& value : x.values()) {
        value = 1.0F + 1e-4F * value;
    }
    const MetricSpace space(x.view(), x.view(), Metric::Cosine);
    NearestSelection selection = offered(space, candidates_for(5), 1e-6);
    const NeighborLists lists = complete_lists(space, selection, 5, SelfAllowed::No, on_threads(2));
    for (Index i = 0; i < 150; ++i) {
        std::vector<float> all;
        for (Index j = 0; j < 150; ++j) {
            if (i != j) {
                all.push_back(space.distance(i, j));
            }
        }
        std::sort(all.begin(), all.end());
        for (Index a = 0; a < 5; ++a) {
            ASSERT_EQ(lists.distances_of(i)[a], all[a]) << i;
        }
    }
}

TEST(ListCompletion, KeepsMoreCandidatesThanNeighbours) {
    EXPECT_EQ(candidates_for(1), 9U);
    EXPECT_EQ(candidates_for(800), 900U);
}

TEST(ListCompletion, NeighboursAreOrderedByDistanceThenIndex) {
    EXPECT_TRUE((Neighbor{1.0F, 5} < Neighbor{2.0F, 1}));
    EXPECT_TRUE((Neighbor{1.0F, 1} < Neighbor{1.0F, 5}));
    EXPECT_FALSE((Neighbor{1.0F, 5} < Neighbor{1.0F, 5}));
}

}  // namespace
}  // namespace isogon::list_completion_test
