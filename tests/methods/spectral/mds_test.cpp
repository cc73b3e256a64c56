#include "methods/spectral.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "methods/linear.hpp"
#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::mds_test {
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
    const Embedding result = classical_scaling(points.view(), {.dimension = 3, .metric = MdsMetric::Cosine});
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), directions), 1e-5);
}

TEST(Mds, OnLandmarksByNystromIsExactWhereTheySpanTheData) {
    const Points points = reference::random_points(200, 4, 3);
    const LandmarkOptions landmarks{.landmarks = 30, .extension = LandmarkExtension::Nystrom};
    const Embedding result = classical_scaling(points.view(), {.dimension = 4}, {}, {}, &landmarks);
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), support::to_matrix(points)), 1e-4);
    // The formula gives landmarks what they have: rows around them are of the same map.
    const BarycentricMap& map = *result.barycentric_map;
    for (Index l = 0; l < 30; ++l) {
        EXPECT_TRUE(std::ranges::equal(result.coordinates[map.landmarks[l]], map.coordinates[l])) << l;
    }
}

/// All Euclidean distances of the points, as a table.
Points table_of(const Points& points, double unit = 1.0) {
    const Matrix x = support::to_matrix(points);
    Points table(points.count(), points.count());
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = 0; j < points.count(); ++j) {
            table[i][j] = static_cast<float>(unit * (x.row(i) - x.row(j)).norm());
        }
    }
    return table;
}

TEST(Mds, OfATableOfDistancesIsThatOfThePoints) {
    const Points points = reference::random_points(90, 4, 5);
    for (const double unit : {1.0, 1e-20, 1e15}) {
        const Points table = table_of(points, unit);
        const MdsOptions options{.dimension = 4, .metric = MdsMetric::Precomputed};
        const Embedding result = classical_scaling(table.view(), options);
        const Matrix expected = unit * support::to_matrix(points);
        EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), expected), 1e-4);
        EXPECT_FALSE(result.barycentric_map);
        const LandmarkOptions landmarks{.landmarks = 30, .extension = LandmarkExtension::Nystrom};
        const Embedding some = classical_scaling(table.view(), options, {}, {}, &landmarks);
        EXPECT_LT(support::procrustes_error(support::to_matrix(some.coordinates), expected), 1e-3);
        const Matrix again =
            support::to_matrix(classical_scaling(table.view(), options, reference::on_threads(1)).coordinates);
        EXPECT_EQ(support::to_matrix(classical_scaling(table.view(), options, reference::on_threads(3)).coordinates),
                  again);
    }
}

TEST(Mds, OfATableNeedsNoPointsAndTakesNoWayThatDoes) {
    const Points table = table_of(reference::random_points(30, 3, 5));
    const MdsOptions options{.dimension = 3, .metric = MdsMetric::Precomputed};
    for (const LandmarkExtension extension : {LandmarkExtension::Auto, LandmarkExtension::Weights}) {
        const LandmarkOptions landmarks{.landmarks = 10, .extension = extension};
        EXPECT_THROW((void)classical_scaling(table.view(), options, {}, {}, &landmarks), InvalidArgument);
    }
    const LandmarkOptions spread{
        .landmarks = 10, .selection = LandmarkSelection::Farthest, .extension = LandmarkExtension::Nystrom};
    EXPECT_THROW((void)classical_scaling(table.view(), options, {}, {}, &spread), InvalidArgument);
    const Embedding result = classical_scaling(table.view(), options);
    EXPECT_THROW((void)make_model("mds", table.view(), result), InvalidArgument);
}

/// Eigenvalues are squares of lengths: what is reported of short directions beside long ones is right, or there is a
/// warning.
TEST(Mds, IsRightOrSaysSoBesideADominantDirection) {
    for (const double length : {1e3, 1e4, 1e5, 1e6, 1e7}) {
        Matrix data = support::random_matrix(120, 3, 1);
        data.col(0) *= length;
        const Points points = support::to_points(data * support::random_orthonormal(20, 3, 2).transpose());
        const Embedding ours = classical_scaling(points.view(), {.dimension = 3});
        const Embedding truth = pca(points.view(), {.dimension = 3});
        const Matrix y = support::to_matrix(ours.coordinates);
        const Matrix exact = support::to_matrix(truth.coordinates);
        const double error = (y.col(2).cwiseAbs() - exact.col(2).cwiseAbs()).norm() / exact.col(2).norm();
        const bool said = ours.summary.value("unresolved_directions") > 0.0 && !ours.summary.warnings.empty();
        EXPECT_TRUE(said || error < 1e-3) << length << ": " << error;
        EXPECT_EQ(said, length > 3e6) << length;
    }
}

}  // namespace
}  // namespace isogon::mds_test
