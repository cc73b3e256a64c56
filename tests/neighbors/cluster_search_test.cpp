#include "neighbors/cluster_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/reduced_space.hpp"
#include "reference/clustered_data.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::cluster_search_test {

namespace {

using reference::on_threads;
using reference::random_points;

struct Example {
    explicit Example(Metric metric, Index count = 700)
        : x(reference::sheet_points(count, 40, 4, 1)),
          space({x.view(), x.view(), metric}),
          reduced(space, 0, on_threads(1)),
          rows(reduced.reduce_points(space, on_threads(1))) {}

    Points x;
    MetricSpace space;
    ReducedSpace reduced;
    Points rows;
};

class Clustered : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, Clustered, testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

TEST_P(Clustered, EveryPointLiesInOneClusterWithItsNumbers) {
    const Example example(GetParam());
    const ClusteredPoints clustered(example.space, example.rows.view(), 9, 0, on_threads(2));
    EXPECT_EQ(clustered.clusters(), 9U);
    EXPECT_EQ(clustered.width(), example.reduced.width());
    std::vector<Index> seen;
    Index position = 0;
    for (Index c = 0; c < clustered.clusters(); ++c) {
        Index in_panels = 0;
        for (Index p = 0; p < clustered.panels(c); ++p) {
            const auto rows = clustered.rows_of_panel(c, p);
            in_panels += static_cast<Index>(rows.size());
            for (std::size_t j = 0; j < rows.size(); ++j, ++position) {
                EXPECT_EQ(clustered.rows()[position], rows[j]);
                seen.push_back(rows[j]);
                std::vector<float> query(clustered.width());
                clustered.copy_as_query(position, query);
                for (Index k = 0; k < clustered.width(); ++k) {
                    ASSERT_EQ(clustered.panel(c, p).data[k * panel_width + j], example.rows[rows[j]][k]);
                    ASSERT_EQ(query[k], k + 1 < clustered.width() ? example.rows[rows[j]][k] : 1.0F);
                }
            }
        }
        EXPECT_EQ(in_panels, clustered.size(c));
    }
    std::sort(seen.begin(), seen.end());
    std::vector<Index> all(700);
    std::iota(all.begin(), all.end(), Index{0});
    EXPECT_EQ(seen, all);
}

TEST_P(Clustered, IsRestoredFromAnArchive) {
    const Example example(GetParam());
    const ClusteredPoints clustered(example.space, example.rows.view(), 9, 0, on_threads(1));
    Archive archive;
    clustered.save(archive);
    const ClusteredPoints again(archive, example.rows.view());
    EXPECT_TRUE(std::equal(clustered.rows().begin(), clustered.rows().end(), again.rows().begin()));
    for (Index c = 0; c < 9; ++c) {
        EXPECT_EQ(clustered.size(c), again.size(c));
        for (Index k = 0; k < clustered.width(); ++k) {
            EXPECT_EQ(clustered.packed_centroids().at(c, k), again.packed_centroids().at(c, k));
        }
    }
}

TEST(ClusteredPointsOf, AnArchiveThatDoesNotFitIsRefused) {
    const Example example(Metric::Cosine);
    const ClusteredPoints clustered(example.space, example.rows.view(), 9, 0, on_threads(1));
    Archive archive;
    clustered.save(archive);
    ArchiveSchema schema;
    ClusteredPoints::describe(schema);
    const std::uint64_t rank = example.rows.dimension() - 1;
    EXPECT_NO_THROW(schema.require(archive, {{"n", 700}, {"rank", rank}}));
    EXPECT_THROW(schema.require(archive, {{"n", 699}, {"rank", rank}}), InputError);
    EXPECT_THROW(schema.require(archive, {{"n", 700}, {"rank", rank + 1}}), InputError);
    std::get<std::vector<std::uint32_t>>(archive.arrays.at("cluster_of").values)[5] = 9;
    EXPECT_THROW(schema.require(archive, {{"n", 700}, {"rank", rank}}), InputError);
}

class Search : public testing::TestWithParam<Metric> {
protected:
    Search()
        : x_(reference::sheet_points(600, 40, 4, 1)),
          space_({x_.view(), x_.view(), GetParam()}),
          reduced_(space_, 0, on_threads(1)),
          clustered_(space_, reduced_.reduce_points(space_, on_threads(1)).view(), 12, 0, on_threads(1)),
          queries_(reduced_.reduce_queries(space_, {0, 600}, on_threads(1))),
          rows_(600) {
        std::iota(rows_.begin(), rows_.end(), Index{0});
    }

    NeighborLists find(SearchEffort effort, Index k) const { return find(space_, effort, k); }
    NeighborLists find(const MetricSpace& space, SearchEffort effort, Index k) const {
        NeighborLists lists = empty_lists(600, k);
        ClusterSearch(space, clustered_, effort).find(queries_.view(), rows_, lists);
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

TEST_P(Search, OfClustersWithTooFewPointsLooksAtAll) {
    const NeighborLists truth = exact_neighbors(x_.view(), 500, GetParam());
    EXPECT_EQ(find({1, 599}, 500).distances, truth.distances);
}

TEST_P(Search, AQueryIsItsOwnNeighbourOnlyAmongOthers) {
    require_neighbor_lists(find({4, 30}, 9), 600, 600, SelfAllowed::No, "lists");
    if (GetParam() != Metric::InnerProduct) {
        const NeighborLists with_self = find(MetricSpace(x_.view(), space_), {4, 30}, 9);
        for (Index i = 0; i < 600; ++i) {
            EXPECT_EQ(with_self.distances_of(i)[0], 0.0F);
        }
    }
}

}  // namespace

}  // namespace isogon::cluster_search_test
