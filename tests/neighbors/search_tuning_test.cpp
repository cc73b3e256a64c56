#include "neighbors/cluster_search.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "neighbors/exact_neighbors.hpp"
#include "neighbors/reduced_space.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"

namespace isogon::search_tuning_test {
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
    EXPECT_DOUBLE_EQ(recall(found, {rows, truth}), 0.75);
    EXPECT_DOUBLE_EQ(recall(found, {{}, truth}), 1.0);
}

struct Example {
    explicit Example(const Points& points)
        : x(points),
          space({x.view(), x.view(), Metric::Cosine}),
          reduced(space, 0, on_threads(1)),
          clustered(space, reduced.reduce_points(space, on_threads(1)).view(), 40, 0, on_threads(1)) {
        for (Index i = 0; i < x.count(); i += 9) {
            rows.push_back(i);
        }
        truth = exact_lists_of(x.view(), rows, 10, Metric::Cosine, on_threads(1));
    }

    [[nodiscard]] double recall_of(SearchEffort effort) const {
        const Points queries = reduced.reduce_queries(space, {0, x.count()}, on_threads(1));
        std::vector<Index> all(x.count());
        std::iota(all.begin(), all.end(), Index{0});
        NeighborLists lists = empty_lists(x.count(), 10);
        ClusterSearch(space, clustered, effort).find(queries.view(), all, lists);
        return recall(lists, {rows, truth});
    }

    Points x;
    MetricSpace space;
    ReducedSpace reduced;
    ClusteredPoints clustered;
    std::vector<Index> rows;
    NeighborLists truth;
};

TEST(TunedSearchParameters, FindsWhatItPromisesOnItsSample) {
    const Example example(reference::sheet_points(2000, 60, 6, 1));
    double cost = 0.0;
    for (const double requested : {0.5, 0.9, 0.99}) {
        const TunedSearchParameters choice =
            choose_effort(example.space, example.clustered, {example.rows, example.truth}, requested, on_threads(2));
        EXPECT_GE(choice.recall, requested);
        // The search finds at least that share: fewer points than all compete for the places of candidates.
        EXPECT_GE(example.recall_of(choice.effort), choice.recall);
        EXPECT_GE(choice.cost_share, cost);
        cost = choice.cost_share;
    }
}

TEST(TunedSearchParameters, IsTheUtmostWhereNothingElseDoes) {
    // In 40 independent dimensions clusters have no structure.
    const Example example(reference::random_points(1500, 40, 2));
    const TunedSearchParameters choice =
        choose_effort(example.space, example.clustered, {example.rows, example.truth}, 0.9999, on_threads(2));
    EXPECT_EQ(choice.effort.probes, 40U);
    EXPECT_GT(choice.cost_share, 0.5);
}

}  // namespace
}  // namespace isogon::search_tuning_test
