#include "neighbors/cluster_search.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "isogon/neighbors/exact_neighbors.hpp"
#include "neighbors/reduced_space.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"

namespace isogon::cluster_search_test {
namespace {

using reference::on_threads;

class Search : public testing::TestWithParam<Metric> {
protected:
    Search()
        : x_(reference::sheet_points(600, 40, 4, 1)),
          space_(x_.view(), x_.view(), GetParam()),
          reduced_(space_, 0, on_threads(1)),
          clustered_(space_, reduced_.reduce_points(space_, on_threads(1)).view(), 12, 0, on_threads(1)),
          queries_(reduced_.reduce_queries(space_, {0, 600}, on_threads(1))),
          rows_(600) {
        std::iota(rows_.begin(), rows_.end(), Index{0});
    }

    NeighborLists find(SearchEffort effort, Index k, SelfAllowed self = SelfAllowed::No) const {
        NeighborLists lists = empty_lists(600, k);
        ClusterSearch(space_, clustered_, effort).find(queries_.view(), rows_, self, lists);
        return lists;
    }

    Points x_;
    MetricSpace space_;
    ReducedSpace reduced_;
    ClusteredPoints clustered_;
    Points queries_;
    std::vector<Index> rows_;
};

INSTANTIATE_TEST_SUITE_P(Metrics, Search, testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

TEST_P(Search, OfAllClustersAndCandidatesIsExact) {
    const NeighborLists truth = exact_neighbors(x_.view(), 9, GetParam());
    const NeighborLists lists = find({12, 599}, 9);
    EXPECT_EQ(lists.indices, truth.indices);
    EXPECT_EQ(lists.distances, truth.distances);
}

TEST_P(Search, AQueryFindsTheSameAloneAndAmongOthers) {
    const NeighborLists together = find({3, 20}, 9);
    const ClusterSearch search(space_, clustered_, {3, 20});
    for (const Index row : {0U, 77U, 599U}) {
        NeighborLists alone = empty_lists(600, 9);
        search.find(PointsView(queries_[row].data(), 1, queries_.dimension()), std::vector<Index>{row}, SelfAllowed::No,
                    alone);
        EXPECT_TRUE(std::equal(alone[row].begin(), alone[row].end(), together[row].begin()));
    }
}

TEST_P(Search, OfClustersWithTooFewPointsLooksAtAll) {
    const NeighborLists truth = exact_neighbors(x_.view(), 500, GetParam());
    EXPECT_EQ(find({1, 599}, 500).distances, truth.distances);
}

TEST_P(Search, AQueryIsItsOwnNeighbourOnlyWhereAllowed) {
    require_neighbor_lists(find({4, 30}, 9), 600, 600, SelfAllowed::No, "lists");
    if (GetParam() != Metric::InnerProduct) {
        const NeighborLists with_self = find({4, 30}, 9, SelfAllowed::Yes);
        for (Index i = 0; i < 600; ++i) {
            EXPECT_EQ(with_self.distances_of(i)[0], 0.0F);
        }
    }
}

}  // namespace
}  // namespace isogon::cluster_search_test
