#include "neighbors/effort_choice.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "neighbors/recall.hpp"
#include "neighbors/reduced_space.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"

namespace isogon::effort_choice_test {
namespace {

using reference::on_threads;

struct Example {
    explicit Example(const Points& points)
        : x(points),
          space(x.view(), x.view(), Metric::Cosine),
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
        ClusterSearch(space, clustered, effort).find(queries.view(), all, SelfAllowed::No, lists);
        return recall(lists, rows, truth);
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
    for (const double wished : {0.5, 0.9, 0.99}) {
        const TunedSearchParameters choice =
            choose_effort(example.space, example.clustered, example.rows, example.truth, wished, on_threads(2));
        EXPECT_GE(choice.recall, wished);
        // What the search finds is at least that: fewer points than all compete for the places of candidates.
        EXPECT_GE(example.recall_of(choice.effort), choice.recall);
        EXPECT_GE(choice.cost_share, cost);
        cost = choice.cost_share;
    }
}

TEST(TunedSearchParameters, IsTheUtmostWhereNothingElseDoes) {
    // In 40 independent numbers no cluster knows of the others' points.
    const Example example(reference::random_points(1500, 40, 2));
    const TunedSearchParameters choice =
        choose_effort(example.space, example.clustered, example.rows, example.truth, 0.9999, on_threads(2));
    EXPECT_EQ(choice.effort.probes, 40U);
    EXPECT_GT(choice.cost_share, 0.5);
}

}  // namespace
}  // namespace isogon::effort_choice_test
