#include "neighbors/reduced_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/clustered_data.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::reduced_space_test {
namespace {

using reference::on_threads;

class Reduced : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, Reduced, testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

double product(std::span<const float> a, std::span<const float> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// How often of two points the one with the larger key is the nearer one.
double agreement(const MetricSpace& space, const Points& queries, const Points& points) {
    double right = 0.0;
    double all = 0.0;
    for (Index q = 0; q < queries.count(); ++q) {
        for (Index p = 0; p + 1 < points.count(); ++p) {
            const bool larger = product(queries[q], points[p]) > product(queries[q], points[p + 1]);
            right += larger == (space.distance(q, p) < space.distance(q, p + 1)) ? 1.0 : 0.0;
            all += 1.0;
        }
    }
    return right / all;
}

TEST_P(Reduced, KeysOrderPointsAsTheirDistancesDo) {
    const Points x = reference::sheet_points(300, 40, 4, 1);
    const Points q = reference::sheet_points(20, 40, 4, 1);
    const MetricSpace space({q.view(), x.view(), GetParam()});
    const ReducedSpace reduced(space, 0, on_threads(2));
    EXPECT_EQ(reduced.rank(), 16U);
    EXPECT_EQ(reduced.width(), 17U);
    const Points points = reduced.reduce_points(space, on_threads(2));
    const Points queries = reduced.reduce_queries(space, {0, 20}, on_threads(1));
    EXPECT_GT(agreement(space, queries, points), 0.99);
}

TEST_P(Reduced, AllNumbersAreKeptWhereFewWouldNotDo) {
    const Points x = reference::random_points(200, 30, 2);
    const MetricSpace space({x.view(), x.view(), GetParam()});
    const ReducedSpace reduced(space, 0, on_threads(1));
    EXPECT_EQ(reduced.rank(), 30U);
    const Points points = reduced.reduce_points(space, on_threads(1));
    const Points queries = reduced.reduce_queries(space, {0, 200}, on_threads(1));
    EXPECT_GT(agreement(space, queries, points), 0.999);
}

TEST_P(Reduced, AQueryIsReducedTheSameWayAloneAndAmongOthers) {
    const Points x = reference::sheet_points(150, 40, 4, 3);
    const MetricSpace space({x.view(), x.view(), GetParam()});
    const ReducedSpace reduced(space, 0, on_threads(1));
    const Points all = reduced.reduce_queries(space, {0, 150}, on_threads(1));
    const Points alone = reduced.reduce_queries(space, {77, 78}, on_threads(1));
    EXPECT_TRUE(std::equal(alone[0].begin(), alone[0].end(), all[77].begin()));
}

TEST_P(Reduced, IsRestoredFromAnArchive) {
    for (const Points& x : {reference::sheet_points(150, 40, 4, 4), reference::random_points(100, 12, 5)}) {
        const MetricSpace space({x.view(), x.view(), GetParam()});
        const ReducedSpace reduced(space, 0, on_threads(1));
        Archive archive;
        reduced.save(archive);
        const ReducedSpace again(archive);
        const Points before = reduced.reduce_points(space, on_threads(1));
        const Points after = again.reduce_points(space, on_threads(1));
        EXPECT_TRUE(std::equal(before.values().begin(), before.values().end(), after.values().begin()));
    }
}

TEST(ReducedSpaceOf, ZerosAreNumbersToo) {
    const Points x(50, 8);
    for (const Metric metric : {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean}) {
        const MetricSpace space({x.view(), x.view(), metric});
        const ReducedSpace reduced(space, 0, on_threads(1));
        const Points rows = reduced.reduce_points(space, on_threads(1));
        for (const float value : rows.values()) {
            EXPECT_TRUE(std::isfinite(value));
        }
    }
}

}  // namespace
}  // namespace isogon::reduced_space_test
