#include "neighbors/k_means.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "reference/clustered_data.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::k_means_test {

namespace {

using reference::on_threads;
using reference::random_points;

double squares(const PointsView& points, const Points& centroids) {
    double sum = 0.0;
    const auto nearest = nearest_centroids(points, centroids.view(), on_threads(1));
    for (Index i = 0; i < points.count; ++i) {
        const double distance = reference::distance(points, i, centroids.view(), nearest[i], Metric::Euclidean);
        sum += distance * distance;
    }
    return sum;
}

TEST(KMeans, TheNearestCentroidIsTheNearest) {
    for (const Index clusters : {1U, 5U, 48U, 100U}) {
        const Points points = random_points(300, 7, 1);
        const Points centroids = random_points(clusters, 7, 2);
        const auto nearest = nearest_centroids(points.view(), centroids.view(), on_threads(2));
        ASSERT_EQ(nearest.size(), 300U);
        for (Index i = 0; i < 300; ++i) {
            const double given = reference::distance(points.view(), i, centroids.view(), nearest[i], Metric::Euclidean);
            for (Index c = 0; c < clusters; ++c) {
                ASSERT_LE(given, reference::distance(points.view(), i, centroids.view(), c, Metric::Euclidean) + 1e-5);
            }
        }
    }
}

TEST(KMeans, OfEqualCentroidsTheFirstIsNearest) {
    const Points points = random_points(60, 3, 3);
    const auto nearest = nearest_centroids(points.view(), reference::equal_points(50, 3).view(), on_threads(1));
    EXPECT_EQ(nearest, std::vector<Index>(60, 0));
}

TEST(KMeans, RoundsNeverRaiseTheSumOfSquares) {
    const Points points = reference::sheet_points(500, 10, 3, 4);
    double before = squares(points.view(), k_means(points.view(), 20, 0, 5, on_threads(1)));
    for (int rounds = 1; rounds < 6; ++rounds) {
        const double now = squares(points.view(), k_means(points.view(), 20, rounds, 5, on_threads(1)));
        EXPECT_LE(now, before * (1.0 + 1e-6));
        before = now;
    }
}

TEST(KMeans, GivesTheSameBitsOnAnyNumberOfThreads) {
    const Points points = random_points(2000, 6, 6);
    const Points one = k_means(points.view(), 30, 4, 7, on_threads(1));
    for (const int threads : {2, 3}) {
        const Points more = k_means(points.view(), 30, 4, 7, on_threads(threads));
        EXPECT_TRUE(std::equal(one.values().begin(), one.values().end(), more.values().begin()));
    }
}

TEST(KMeans, AsManyClustersAsPointsAreThePoints) {
    const Points points = random_points(10, 2, 8);
    const Points centroids = k_means(points.view(), 10, 3, 9, on_threads(1));
    EXPECT_TRUE(std::equal(points.values().begin(), points.values().end(), centroids.values().begin()));
}

}  // namespace

}  // namespace isogon::k_means_test
