#include "isogon/methods/mds.hpp"

#include <gtest/gtest.h>

#include "isogon/methods/pca.hpp"
#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"

namespace isogon {
namespace {

using support::Matrix;

TEST(Mds, OfEuclideanDistancesIsPca) {
    const Points points = reference::random_points(300, 12, 1, 3.0);
    const Embedding ours = classical_scaling(points.view(), {.dimension = 5});
    const Embedding other = pca(points.view(), {.dimension = 5});
    EXPECT_LT(support::procrustes_error(support::to_matrix(ours.coordinates), support::to_matrix(other.coordinates)),
              1e-4);
}

TEST(Mds, OfChordsKeepsThem) {
    const Points points = reference::random_points(100, 3, 2);
    const Matrix directions = support::to_matrix(points).rowwise().normalized();
    const Embedding result = classical_scaling(points.view(), {.dimension = 3, .metric = Metric::Cosine});
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), directions), 1e-5);
}

TEST(Mds, OnLandmarksByNystromIsExactWhereTheySpanTheData) {
    const Points points = reference::random_points(200, 4, 3);
    const LandmarkOptions landmarks{.landmarks = 30, .extension = LandmarkExtension::Nystrom};
    const Embedding result = classical_scaling(points.view(), {.dimension = 4}, {}, {}, &landmarks);
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), support::to_matrix(points)), 1e-4);
}

}  // namespace
}  // namespace isogon
