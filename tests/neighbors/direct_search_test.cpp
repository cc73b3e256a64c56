#include "neighbors/direct_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::direct_search_test {
namespace {

using reference::awkward_points;
using reference::equal_points;
using reference::on_threads;
using reference::random_points;
using reference::whole_points;
using support::says;

bool is_binary(Metric metric) {
    return metric == Metric::Hamming || metric == Metric::Jaccard;
}

/// Rows that the metric is of: zeros and ones, else anything.
Points rows_for(Metric metric, Index count, Index dimension, std::uint64_t seed) {
    return is_binary(metric) ? whole_points(count, dimension, 1, seed) : random_points(count, dimension, seed);
}

double sum_of(std::span<const float> row) {
    double sum = 0.0;
    for (const float value : row) {
        sum += std::abs(double{value});
    }
    return sum;
}

double tolerance(std::span<const float> x, std::span<const float> y, Metric metric) {
    return metric == Metric::Manhattan ? 1e-6 * (sum_of(x) + sum_of(y)) : metric == Metric::Correlation ? 2e-6 : 1e-7;
}

/// Each list: distinct others in order, each at its true distance, and none left out that is nearer.
void expect_nearest(const Points& queries, const Points& points, Index k, Metric metric) {
    const bool same = queries.view().data == points.view().data;
    const NeighborLists lists =
        same ? exact_neighbors(points.view(), k, metric) : exact_neighbors(queries.view(), points.view(), k, metric);
    ASSERT_EQ(lists.size, k);
    ASSERT_EQ(lists.count(), queries.count());
    require_neighbor_lists(lists, queries.count(), points.count(), same ? SelfAllowed::No : SelfAllowed::Yes, "lists");
    for (Index i = 0; i < queries.count(); ++i) {
        const auto truth = reference::sorted_distances(queries.view(), i, points.view(), metric);
        for (Index a = 0; a < k; ++a) {
            const Index j = lists[i][a];
            const double allowed = tolerance(queries[i], points[j], metric);
            const double given = double{lists.distances_of(i)[a]};
            ASSERT_NEAR(given, reference::distance(queries.view(), i, points.view(), j, metric), allowed);
            ASSERT_NEAR(given, truth[a], allowed) << "row " << i << ", neighbour " << a;
        }
    }
}

class DirectSearch : public testing::TestWithParam<std::tuple<Metric, Index>> {
protected:
    Metric metric_ = std::get<0>(GetParam());
    Index k_ = std::get<1>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Metrics, DirectSearch,
                         testing::Combine(testing::Values(Metric::Manhattan, Metric::Correlation, Metric::Hamming,
                                                          Metric::Jaccard),
                                          testing::Values(1, 3, 49)));

TEST_P(DirectSearch, FindsTheNearestOfTheDefinition) {
    for (const Index n : {k_ + 1, 50U, 97U, 300U}) {
        for (const Index dimension : {1U, 2U, 7U, 130U}) {
            if (k_ < n) {
                const Points x = rows_for(metric_, n, dimension, 3 + n);
                expect_nearest(x, x, k_, metric_);
            }
        }
    }
}

TEST_P(DirectSearch, OfAwkwardRowsToo) {
    const Points one(60, 3);
    expect_nearest(one, one, k_, metric_);
    if (!is_binary(metric_)) {
        for (const Points& x : {awkward_points(200, 6, 5), whole_points(150, 3, 2, 6), equal_points(80, 4),
                                random_points(120, 5, 7, 1e4)}) {
            expect_nearest(x, x, k_, metric_);
        }
    }
}

TEST_P(DirectSearch, OfOtherRowsMayFindARowItself) {
    const Points x = rows_for(metric_, 150, 20, 8);
    expect_nearest(rows_for(metric_, 49, 20, 9), x, k_, metric_);
    const Points copy = x;
    const NeighborLists own = exact_neighbors(copy.view(), x.view(), 1, metric_);
    for (Index i = 0; i < 150; ++i) {
        EXPECT_NEAR(own.distances_of(i)[0], 0.0, 1e-6);
    }
}

TEST_P(DirectSearch, GivesTheSameBitsOnAnyNumberOfThreads) {
    const Points x = rows_for(metric_, 1300, 12, 12);
    const NeighborLists one = exact_neighbors(x.view(), k_, metric_, on_threads(1));
    for (const int threads : {2, 3}) {
        const NeighborLists more = exact_neighbors(x.view(), k_, metric_, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.distances, more.distances);
    }
}

TEST(DirectSearchOf, EqualDistancesAreListedByIndex) {
    const Points x = whole_points(200, 4, 1, 3);
    const NeighborLists lists = exact_neighbors(x.view(), 60, Metric::Hamming);
    for (Index i = 0; i < 200; ++i) {
        for (Index a = 1; a < 60; ++a) {
            ASSERT_LT(std::pair(lists.distances_of(i)[a - 1], lists[i][a - 1]),
                      std::pair(lists.distances_of(i)[a], lists[i][a]));
        }
    }
}

TEST(DirectSearchOf, CorrelationIsTheCosineOfRowsLessTheirMeans) {
    Points x = random_points(90, 8, 4);
    Points shifted = x;
    for (Index i = 0; i < 90; ++i) {
        for (float& value : shifted[i]) {
            value = 4.0F * value + 0.5F * static_cast<float>(i);
        }
    }
    const NeighborLists lists = exact_neighbors(x.view(), 5, Metric::Correlation);
    EXPECT_EQ(exact_neighbors(shifted.view(), 5, Metric::Correlation).indices, lists.indices);
}

TEST(DirectSearchOf, RowsThatTheMetricIsNotOfAreNamed) {
    Points x = whole_points(20, 4, 1, 1);
    x[7][2] = 0.5F;
    for (const Metric metric : {Metric::Hamming, Metric::Jaccard}) {
        const std::string text = support::message_of<InputError>([&] { (void)exact_neighbors(x.view(), 3, metric); });
        EXPECT_TRUE(says(text, "row 7, column 2"));
        EXPECT_TRUE(says(text, name(metric)));
        EXPECT_THROW((void)exact_neighbors(x.view(), whole_points(5, 4, 1, 2).view(), 3, metric), InputError);
    }
}

TEST(DirectSearchOf, DistancesThatAreGivenAreNoMetricOfPoints) {
    const Points x = random_points(20, 6, 1);
    EXPECT_THROW((void)exact_neighbors(x.view(), 3, Metric::Precomputed), InvalidArgument);
    EXPECT_THROW((void)exact_neighbors(x.view(), x.view(), 3, Metric::Precomputed), InvalidArgument);
}

TEST(DirectSearchOf, StopsAndKeepsWithinItsMemory) {
    const Points x = random_points(400, 6, 1);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)exact_neighbors(x.view(), 3, Metric::Manhattan, stopped), Interruption);
    EXPECT_THROW((void)exact_neighbors(x.view(), 3, Metric::Manhattan, {.memory_limit = 1000}), LimitExceeded);
    EXPECT_THROW((void)exact_neighbors(x.view(), 3, Metric::Correlation, {.memory_limit = 1000}), LimitExceeded);
    EXPECT_GT(direct_search_bytes(400, 400, 20), direct_search_bytes(400, 400, 3));
}

}  // namespace
}  // namespace isogon::direct_search_test
