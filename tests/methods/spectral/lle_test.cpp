#include "methods/spectral.hpp"

#include <gtest/gtest.h>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::lle_test {
namespace {

using support::Matrix;

TEST(Lle, EqualsTheDefinition) {
    const Points points = reference::random_points(250, 5, 1);
    const Matrix w = reference::dense(barycentric_weights(points.view(), reference::euclidean_lists(points, 9), 1e-3));
    const Matrix r = Matrix::Identity(250, 250) - w;
    const Matrix truth = support::eigenvectors(r.transpose() * r, Matrix::Identity(250, 250), 1, 3, false);
    const Embedding result =
        locally_linear_embedding(points.view(), {.dimension = 3, .neighbors = 9, .tolerance = 1e-10});
    const Matrix x = support::to_matrix(result.coordinates);
    EXPECT_LT(support::span_error(x, truth), 1e-5);
    EXPECT_LT(support::difference(x.transpose() * x, Matrix::Identity(3, 3)), 1e-5);
    EXPECT_LT(x.colwise().sum().norm(), 1e-4);
}

TEST(Lle, UnrollsASheet) {
    const support::Sheet sheet = support::sheet(600, true);
    const Embedding result = locally_linear_embedding(sheet.points.view(), {.dimension = 2, .neighbors = 12});
    EXPECT_LT(support::span_error(support::to_matrix(result.coordinates), sheet.truth), 0.2);
}

TEST(Lle, WarnsOfMoreDimensionsThanNeighbours) {
    const Points points = reference::random_points(100, 9, 2);
    const Embedding result = locally_linear_embedding(points.view(), {.dimension = 6, .neighbors = 5});
    ASSERT_FALSE(result.summary.warnings.empty());
    EXPECT_NE(result.summary.warnings.back().find("neighbours"), std::string::npos);
}

TEST(Lle, EmbedsTheLargestComponentAndMixesTheRest) {
    Points points = reference::random_points(130, 3, 3);
    for (Index i = 100; i < 130; ++i) {
        points[i][0] += 1000.0F;
    }
    const LleOptions options{.dimension = 2, .neighbors = 8};
    LleOptions refusing = options;
    refusing.components = ComponentPolicy::Error;
    EXPECT_THROW((void)locally_linear_embedding(points.view(), refusing), InputError);
    EXPECT_EQ(to_text(locally_linear_embedding(points.view(), options).options.at("components")), "largest");
    const LandmarkOptions landmarks{.landmarks = 40};
    EXPECT_EQ(to_text(locally_linear_embedding(points.view(), options, {}, {}, &landmarks).options.at("components")),
              "separate");
    LleOptions largest = options;
    largest.components = ComponentPolicy::Largest;
    const Embedding result = locally_linear_embedding(points.view(), largest);
    EXPECT_EQ(result.summary.value("left_out"), 30.0);
    EXPECT_EQ(result.coordinates.count(), 130U);
    // The part that is kept is embedded as if there were nothing else.
    const PointsView first{points.view().data, 100, 3, points.view().stride};
    const Embedding alone = locally_linear_embedding(first, options);
    const Matrix kept = support::to_matrix(result.coordinates).topRows(100);
    EXPECT_LT(support::difference(kept, support::to_matrix(alone.coordinates)), 1e-5);
}

TEST(Lle, DuplicatesMakeNoNan) {
    const Points points = reference::whole_points(150, 2, 4, 4);
    const Embedding result = locally_linear_embedding(
        points.view(), {.dimension = 1, .neighbors = 20, .components = ComponentPolicy::Separate});
    for (const float value : result.coordinates.values()) {
        EXPECT_TRUE(std::isfinite(value));
    }
}

}  // namespace
}  // namespace isogon::lle_test
