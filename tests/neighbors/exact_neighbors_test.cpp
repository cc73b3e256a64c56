#include "neighbors/exact_neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "isogon/core/error.hpp"
#include "neighbors/metric_space.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::exact_neighbors_test {
namespace {

using reference::awkward_points;
using reference::equal_points;
using reference::on_threads;
using reference::random_points;
using reference::whole_points;

constexpr Metric all_metrics[] = {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean};

/// The error that float32 allows: relative to the distance where it is a length, to the products where it is a product.
double tolerance(const PointsView& x, Index i, const PointsView& y, Index j, Metric metric) {
    const double xx = -reference::distance(x, i, x, i, Metric::InnerProduct);
    const double yy = -reference::distance(y, j, y, j, Metric::InnerProduct);
    switch (metric) {
        case Metric::Cosine: return 1e-6;
        case Metric::InnerProduct: return 1e-6 * std::sqrt(xx * yy) + 1e-37;
        default: return 1e-6 * (std::sqrt(xx) + std::sqrt(yy)) + 1e-37;
    }
}

/// Each list: distinct others in order, each at its true distance, and none left out that is nearer.
void expect_nearest(const NeighborLists& lists, const PointsView& queries, const PointsView& points, Index k,
                    Metric metric) {
    ASSERT_EQ(lists.size, k);
    ASSERT_EQ(lists.count(), queries.count);
    const bool same = queries.data == points.data;
    require_neighbor_lists(lists, queries.count, points.count, same ? SelfAllowed::No : SelfAllowed::Yes, "lists");
    for (Index i = 0; i < queries.count; ++i) {
        const auto truth = reference::sorted_distances(queries, i, points, metric);
        for (Index a = 0; a < k; ++a) {
            const Index j = lists[i][a];
            const double allowed = tolerance(queries, i, points, j, metric);
            const double given = double{lists.distances_of(i)[a]};
            ASSERT_NEAR(given, reference::distance(queries, i, points, j, metric), allowed) << i << ", " << j;
            ASSERT_NEAR(given, truth[a], allowed) << "row " << i << ", neighbour " << a;
        }
    }
}

class ExactNeighbors : public testing::TestWithParam<std::tuple<Metric, Index>> {
protected:
    Metric metric_ = std::get<0>(GetParam());
    Index k_ = std::get<1>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Metrics, ExactNeighbors,
                         testing::Combine(testing::ValuesIn(all_metrics), testing::Values(1, 3, 15, 49)));

TEST_P(ExactNeighbors, AreThoseOfTheDefinition) {
    for (const Index n : {k_ + 1, 50U, 97U, 500U}) {
        for (const Index dimension : {1U, 7U, 130U}) {
            if (k_ < n) {
                const Points x = random_points(n, dimension, 3 + n);
                expect_nearest(exact_neighbors(x.view(), k_, metric_), x.view(), x.view(), k_, metric_);
            }
        }
    }
}

TEST_P(ExactNeighbors, OfAwkwardPointsToo) {
    for (const Points& x : {awkward_points(200, 6, 5), whole_points(150, 3, 2, 6), equal_points(80, 4),
                            random_points(120, 5, 7, 1e4), Points(60, 3)}) {
        expect_nearest(exact_neighbors(x.view(), k_, metric_), x.view(), x.view(), k_, metric_);
    }
}

TEST_P(ExactNeighbors, OfOtherPoints) {
    const Points x = random_points(300, 20, 8);
    for (const Points& queries : {random_points(1, 20, 9), random_points(49, 20, 10), awkward_points(250, 20, 11)}) {
        expect_nearest(exact_neighbors(queries.view(), x.view(), k_, metric_), queries.view(), x.view(), k_, metric_);
    }
}

TEST_P(ExactNeighbors, AreTheSameBitsOnAnyNumberOfThreads) {
    const Points x = random_points(1700, 12, 12);
    const NeighborLists one = exact_neighbors(x.view(), k_, metric_, on_threads(1));
    for (const int threads : {2, 3}) {
        const NeighborLists more = exact_neighbors(x.view(), k_, metric_, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.distances, more.distances);
    }
}

TEST(ExactNeighborsOf, LongerPointsHaveTheSameCosines) {
    const Points x = random_points(300, 9, 14);
    Points longer = x;
    for (Index i = 0; i < 300; ++i) {
        for (float& value : longer[i]) {
            value = std::ldexp(value, static_cast<int>(i % 100) - 50);
        }
    }
    const NeighborLists lists = exact_neighbors(x.view(), 10, Metric::Cosine);
    EXPECT_EQ(exact_neighbors(longer.view(), 10, Metric::Cosine).indices, lists.indices);
}

TEST(ExactNeighborsOf, LengthsAtTheEndsOfFloat32HaveNeighboursToo) {
    for (const float factor : {1e-42F, 1e-30F, 1e18F, 1e37F}) {
        Points x = whole_points(100, 5, 9, 15);
        for (float& value : x.values()) {
            value *= factor;
        }
        for (const Metric metric : {Metric::Cosine, Metric::Euclidean}) {
            const NeighborLists lists = exact_neighbors(x.view(), 5, metric);
            require_neighbor_lists(lists, 100, 100, SelfAllowed::No, "lists");
        }
    }
}

TEST(ExactNeighborsOf, APointFarAwayDoesNotBlurTheOthers) {
    Points x = random_points(200, 4, 16);
    for (float& value : x[77]) {
        value = 1e12F;
    }
    const NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    for (Index i = 0; i < 200; ++i) {
        if (i != 77) {
            const auto truth = reference::sorted_distances(x.view(), i, x.view(), Metric::Euclidean);
            for (Index a = 0; a < 6; ++a) {
                ASSERT_NEAR(double{lists.distances_of(i)[a]}, truth[a], 1e-5) << i;
            }
        }
    }
}

TEST(ExactNeighborsOf, TightClustersFarFromEachOtherAreTornApartByDistancesAlone) {
    // The products of such points are all alike in float32: without the second search the lists would be noise.
    Points x = random_points(160, 3, 17);
    for (Index i = 0; i < 160; ++i) {
        x[i][0] += i % 2 == 0 ? 0.0F : 3e5F;
    }
    const NeighborLists lists = exact_neighbors(x.view(), 4, Metric::Euclidean);
    for (Index i = 0; i < 160; ++i) {
        const auto truth = reference::sorted_distances(x.view(), i, x.view(), Metric::Euclidean);
        for (Index a = 0; a < 4; ++a) {
            ASSERT_NEAR(double{lists.distances_of(i)[a]}, truth[a], 1e-5 * (1.0 + truth[a])) << i;
        }
    }
}

TEST(ExactNeighborsOf, WhateverOtherQueriesThereAreDistancesHaveTheSameBits) {
    const Points points = reference::random_points(60, 5, 1);
    const Points queries = reference::random_points(20, 5, 2);
    Points beside = queries;
    std::fill(beside[0].begin(), beside[0].end(), 1e14F);
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::InnerProduct}) {
        const NeighborLists alone = exact_neighbors(queries.view(), points.view(), 7, metric, {});
        const NeighborLists lists = exact_neighbors(beside.view(), points.view(), 7, metric, {});
        for (Index i = 1; i < 20; ++i) {
            EXPECT_TRUE(std::ranges::equal(lists[i], alone[i]));
            EXPECT_TRUE(std::ranges::equal(lists.distances_of(i), alone.distances_of(i)));
        }
    }
}

TEST(ExactNeighborsOf, EqualPointsAreListedByIndex) {
    const Points x = equal_points(60, 3);
    for (const Metric metric : all_metrics) {
        const NeighborLists lists = exact_neighbors(x.view(), 3, metric);
        EXPECT_EQ(lists[0][0], 1U);
        EXPECT_EQ(lists[50][0], 0U);
        EXPECT_EQ(lists[50][2], 2U);
    }
}

/// The definition: distances of the pairs as the metric has them, equal ones by index.
void expect_smallest_indices(const Points& x, Index k, Metric metric) {
    const MetricSpace space({x.view(), x.view(), metric});
    const NeighborLists lists = exact_neighbors(x.view(), k, metric, on_threads(2));
    for (Index i = 0; i < x.count(); ++i) {
        std::vector<std::pair<float, Index>> others;
        for (Index j = 0; j < x.count(); ++j) {
            if (j != i) {
                others.emplace_back(space.distance(i, j), j);
            }
        }
        std::sort(others.begin(), others.end());
        for (Index a = 0; a < k; ++a) {
            ASSERT_EQ(lists[i][a], others[a].second) << "row " << i << ", neighbour " << a;
            ASSERT_EQ(lists.distances_of(i)[a], others[a].first) << "row " << i << ", neighbour " << a;
        }
    }
}

TEST(ExactNeighborsOf, OfEqualDistancesThoseOfTheSmallestIndicesAreListed) {
    // Each of some points many times, in an order that says nothing; and whole numbers, of which many distances are
    // equal without being those of copies.
    Points copies(400, 5);
    const Points originals = random_points(12, 5, 31);
    for (Index i = 0; i < copies.count(); ++i) {
        std::ranges::copy(originals[(i * 7U + i / 5U) % 12U], copies[i].begin());
    }
    const Points whole = whole_points(400, 3, 2, 32);
    for (const Index k : {1U, 5U, 20U, 40U}) {
        expect_smallest_indices(copies, k, Metric::Euclidean);
        expect_smallest_indices(whole, k, Metric::Euclidean);
        expect_smallest_indices(copies, k, Metric::Cosine);
    }
}

TEST(ExactNeighborsOf, MorePointsThanArePackedAtATimeAreAllLookedAt) {
    const Points x = random_points(26000, 3, 21);
    const Points queries = random_points(20, 3, 22);
    expect_nearest(exact_neighbors(queries.view(), x.view(), 7, Metric::Euclidean), queries.view(), x.view(), 7,
                   Metric::Euclidean);
    RunContext context;
    context.memory_limit = exact_search_bytes(20, 26000, 3, 7);
    EXPECT_NO_THROW((void)exact_neighbors(queries.view(), x.view(), 7, Metric::Euclidean, context));
    context.memory_limit = *context.memory_limit - 1;
    EXPECT_THROW((void)exact_neighbors(queries.view(), x.view(), 7, Metric::Euclidean, context), LimitExceeded);
}

TEST(ExactNeighborsOf, ImpossibleNumbersAreRefused) {
    const Points x = random_points(10, 2, 18);
    EXPECT_THROW((void)exact_neighbors(x.view(), 0, Metric::Cosine), InvalidArgument);
    EXPECT_THROW((void)exact_neighbors(x.view(), 10, Metric::Cosine), InvalidArgument);
    EXPECT_NO_THROW((void)exact_neighbors(x.view(), 9, Metric::Cosine));
    EXPECT_THROW((void)exact_neighbors(Points().view(), 1, Metric::Cosine), InvalidArgument);
    EXPECT_THROW((void)exact_neighbors(x.view(), random_points(5, 2, 1).view(), 6, Metric::Cosine), InvalidArgument);
    EXPECT_THROW((void)exact_neighbors(x.view(), random_points(5, 3, 1).view(), 2, Metric::Cosine), InvalidArgument);
}

TEST(ExactNeighborsOf, NotANumberIsRefused) {
    Points x = random_points(10, 2, 19);
    x[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)exact_neighbors(x.view(), 2, Metric::Cosine), InputError);
}

TEST(ExactNeighborsOf, MoreThanTheMemoryLimitIsRefused) {
    const Points x = random_points(500, 10, 20);
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW((void)exact_neighbors(x.view(), 2, Metric::Cosine, context), LimitExceeded);
    context.memory_limit = exact_neighbors_bytes(500, 10, 2);
    EXPECT_NO_THROW((void)exact_neighbors(x.view(), 2, Metric::Cosine, context));
}

TEST(ExactNeighbors, OfQueriesThatAreSomeOfThePointsInMemory) {
    const Points all = reference::random_points(200, 5, 21);
    const PointsView view = all.view();
    const auto copy_of = [](const PointsView& rows) {
        Points copy(rows.count, rows.dimension);
        for (Index i = 0; i < rows.count; ++i) {
            std::ranges::copy(rows[i], copy[i].begin());
        }
        return copy;
    };
    const PointsView first_rows(view.data, 60, 5);
    const PointsView every_other(view.data, 100, 5, 10);
    for (const auto& [queries, points] : {std::pair{view, first_rows}, {first_rows, view}, {every_other, view}}) {
        const Points apart = copy_of(queries);
        const NeighborLists together = exact_neighbors(queries, points, 4, Metric::Cosine);
        const NeighborLists wanted = exact_neighbors(apart.view(), points, 4, Metric::Cosine);
        EXPECT_EQ(together.indices, wanted.indices);
        EXPECT_EQ(together.distances, wanted.distances);
    }
}

void expect_pairs(const Points& x, double cosine) {
    const CsrMatrix<float> upper = pairs_above(x.view(), cosine, on_threads(2));
    validate(upper);
    for (Index i = 0; i < x.count(); ++i) {
        std::size_t at = 0;
        const auto columns = upper.row_indices(i);
        for (Index j = i + 1; j < x.count(); ++j) {
            const double truth = 1.0 - reference::distance(x.view(), i, x.view(), j, Metric::Cosine);
            const bool listed = at < columns.size() && columns[at] == j;
            if (std::abs(truth - cosine) > 1e-6) {
                ASSERT_EQ(listed, truth > cosine) << i << ", " << j;
            }
            if (listed) {
                EXPECT_NEAR(double{upper.row_values(i)[at]}, truth, 2e-6);
                ++at;
            }
        }
        ASSERT_EQ(at, columns.size());
    }
}

TEST(PairsAbove, AreThoseOfTheDefinition) {
    for (const double cosine : {0.05, 0.5, 0.99}) {
        expect_pairs(reference::random_points(150, 4, 1), cosine);
        expect_pairs(reference::awkward_points(100, 3, 2), cosine);
        expect_pairs(reference::whole_points(90, 3, 2, 3), cosine);
    }
}

TEST(PairsAbove, OfFewOrZeroPointsAreNone) {
    EXPECT_EQ(pairs_above(Points().view(), 0.5).entries(), 0U);
    EXPECT_EQ(pairs_above(reference::random_points(1, 3, 4).view(), 0.5).entries(), 0U);
    EXPECT_EQ(pairs_above(Points(60, 3).view(), 0.5).entries(), 0U);
}

TEST(PairsAbove, AreTheSameBitsOnAnyNumberOfThreads) {
    const Points x = reference::random_points(1600, 5, 5);
    const CsrMatrix<float> one = pairs_above(x.view(), 0.8, on_threads(1));
    for (const int threads : {2, 3}) {
        const CsrMatrix<float> more = pairs_above(x.view(), 0.8, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.values, more.values);
    }
}

TEST(PairsAbove, BadCosinesAndTooLittleMemoryAreRefused) {
    const Points x = reference::equal_points(2000, 3);
    for (const double cosine : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW((void)pairs_above(x.view(), cosine), InvalidArgument);
    }
    RunContext context;
    context.memory_limit = 1000000;  // the points fit, their two million pairs do not
    EXPECT_THROW((void)pairs_above(x.view(), 0.5, context), LimitExceeded);
}

}  // namespace
}  // namespace isogon::exact_neighbors_test
