#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "methods/forces.hpp"
#include "methods/linear.hpp"
#include "reference/point_sets.hpp"

namespace isogon::fit_distances_test {
namespace {

Archive model_of(const Points& points) {
    return make_model("umap", points.view(), umap(points.view(), {.iterations = 2}));
}

double distance(const Points& a, Index i, const Points& b, Index j) {
    return std::sqrt(squared_distance(a[i].data(), b[j].data(), a.dimension()));
}

TEST(FitDistances, AreThoseToTheNearestFittedPointAndInItsRadii) {
    const Points points = reference::random_points(80, 4, 1);
    const Points rows = reference::random_points(30, 4, 2);
    const Archive model = model_of(points);
    FitDistances distances(model);
    const Points found = distances.of(rows.view(), {});
    for (Index i = 0; i < 30; ++i) {
        Index nearest = 0;
        for (Index j = 1; j < 80; ++j) {
            nearest = distance(rows, i, points, j) < distance(rows, i, points, nearest) ? j : nearest;
        }
        std::vector<double> own;
        for (Index j = 0; j < 80; ++j) {
            own.push_back(distance(points, nearest, points, j));
        }
        std::ranges::sort(own);
        EXPECT_NEAR(found[i][0], distance(rows, i, points, nearest), 1e-5);
        EXPECT_NEAR(found[i][1], distance(rows, i, points, nearest) / own[10], 1e-4);
    }
    EXPECT_EQ(distances.of(points.view(), {}).values(), Points(80, 2).values());
    EXPECT_TRUE(std::ranges::equal(distances.of(rows.view(), {.threads = 3}).values(), found.values()));
}

TEST(FitDistances, AreNumbersBesideCopiesAndFarAway) {
    Points points = reference::random_points(40, 3, 1);
    for (Index i = 0; i < 20; ++i) {
        std::ranges::fill(points[i], 5.0F);
    }
    const Archive model = model_of(points);
    FitDistances distances(model);
    Points rows(2, 3);
    std::ranges::fill(rows[0], 5.001F);
    std::ranges::fill(rows[1], 1e18F);
    const Points found = distances.of(rows.view(), {});
    EXPECT_EQ(found[0][1], std::numeric_limits<float>::max());
    EXPECT_TRUE(std::ranges::all_of(found.values(), [](float value) { return std::isfinite(value); }));
}

TEST(FitDistances, NeedFittedPoints) {
    const Points points = reference::random_points(40, 3, 1);
    const Archive linear = make_model("pca", points.view(), pca(points.view(), {.dimension = 2}));
    EXPECT_THROW(FitDistances{linear}, InvalidArgument);
    const Archive model = model_of(points);
    FitDistances distances(model);
    EXPECT_THROW((void)distances.of(reference::random_points(5, 4, 1).view(), {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::fit_distances_test
