#include "neighbors/shared_neighbors.hpp"

#include <gtest/gtest.h>

#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"

namespace isogon::shared_neighbors_test {
namespace {

using reference::on_threads;

class SharedNeighbors : public testing::TestWithParam<std::tuple<Metric, Index>> {};

INSTANTIATE_TEST_SUITE_P(Metrics, SharedNeighbors,
                         testing::Combine(testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean),
                                          testing::Values(1, 15, 49)));

TEST_P(SharedNeighbors, AreThoseOfOneProcessToTheBit) {
    const auto [metric, k] = GetParam();
    // With ties rows are searched again: on some ranks more than on others.
    for (const Points& x : {reference::random_points(300, 12, 13), reference::whole_points(200, 3, 2, 14),
                            reference::equal_points(120, 4)}) {
        const NeighborLists one = exact_neighbors(x.view(), k, metric, on_threads(1));
        for (const std::size_t size : {1U, 2U, 3U, 9U}) {  // some of 9 have no points
            support::on_ranks(size, x.view(),
                              [&, k = k, metric = metric](const RunContext& context, const DistributedPoints& points) {
                                  const NeighborLists lists =
                                      shared_neighbors(ranks_of(points).of_all(x.view()), k, metric, context);
                                  EXPECT_EQ(lists.indices, one.indices);
                                  EXPECT_EQ(lists.distances, one.distances);
                              });
        }
    }
}

}  // namespace
}  // namespace isogon::shared_neighbors_test
