#include "linalg/streamed_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::singular_directions_test {
namespace {

using reference::on_threads;
using support::Matrix;

/// Lengths from 1e7 down to 1, eight of them: more than one stage can tell.
Points graded_points(Index count, Index dimension) {
    Matrix x = support::random_orthonormal(count, 8, 1);
    for (Index k = 0; k < 8; ++k) {
        x.col(k) *= std::pow(10.0, 7.0 - k);
    }
    return support::to_points(x * support::random_orthonormal(dimension, 8, 2).transpose());
}

SingularDirections directions_of(const Points& points, Index rank, int threads) {
    SvdData data{rows_of(points.view(), {}), [&] { return points.view(); }, {}};
    return singular_directions(data, rank, on_threads(threads));
}

class SingularDirectionsOf : public testing::TestWithParam<std::pair<Index, Index>> {};

// By X^T X, and by X X^T.
INSTANTIATE_TEST_SUITE_P(Shapes, SingularDirectionsOf,
                         testing::Values(std::pair<Index, Index>{200, 40}, std::pair<Index, Index>{40, 200}));

TEST_P(SingularDirectionsOf, TakesStagesWhereOneCannotTellAllLengths) {
    const Points points = graded_points(GetParam().first, GetParam().second);
    const SingularDirections found = directions_of(points, 6, 2);
    const Eigen::JacobiSVD<Matrix> exact(support::to_matrix(points), Eigen::ComputeThinV);
    EXPECT_GT(found.stages, 1U);
    ASSERT_EQ(found.squares.size(), 6U);
    for (Index k = 0; k < 6; ++k) {
        const double length = exact.singularValues()[k];
        EXPECT_NEAR(std::sqrt(found.squares[k]), length, 1e-7 * length) << k;
        EXPECT_LT(found.residuals[k], 1e-6) << k;
        double along = 0.0;
        for (Index i = 0; i < points.dimension(); ++i) {
            along += found.vectors.at(i, k) * exact.matrixV()(i, k);
        }
        EXPECT_NEAR(std::abs(along), 1.0, 1e-10) << k;
    }
}

TEST_P(SingularDirectionsOf, AreOrthonormalAlsoWhereThereIsNothingLeftToFind) {
    Points points = graded_points(GetParam().first, GetParam().second);
    for (float& value : points.values()) {
        value = 3.0F;  // rank 1
    }
    const SingularDirections found = directions_of(points, 4, 1);
    const DenseMatrix products = gram(found.vectors, found.vectors, on_threads(1));
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_NEAR(products(i, j), i == j ? 1.0 : 0.0, 1e-12);
        }
        EXPECT_EQ(found.squares[i] > 1.0, i == 0);
    }
}

TEST_P(SingularDirectionsOf, AreTheSameBitsForAnyNumberOfThreads) {
    const Points points = graded_points(GetParam().first, GetParam().second);
    const SingularDirections one = directions_of(points, 6, 1);
    const SingularDirections three = directions_of(points, 6, 3);
    EXPECT_EQ(one.vectors.values(), three.vectors.values());
    EXPECT_EQ(one.squares, three.squares);
}

}  // namespace
}  // namespace isogon::singular_directions_test
