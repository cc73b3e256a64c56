#include "methods/weighted_points.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"

namespace isogon::weighted_points_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

Points example() {
    Points x = reference::random_points(301, 7, 1);
    std::fill(x[5].begin(), x[5].end(), 0.0F);
    for (float& value : x[9]) {
        value *= 1e-20F;
    }
    for (float& value : x[12]) {
        value *= 1e3F;
    }
    return x;
}

TEST(WeightedPoints, AreOfLengthOneWhenEveryPairCountsAlike) {
    const Points x = example();
    const WeightedPoints weighted = weighted_points(x.view(), true, {});
    Matrix wanted = to_matrix(x).rowwise().normalized();
    wanted.row(5).setZero();
    EXPECT_LT(support::difference(to_matrix(weighted.points), wanted), 1e-7);
    for (Index i = 0; i < x.count(); ++i) {
        EXPECT_EQ(weighted.lengths[i], i == 5 ? 0.0F : 1.0F);
    }
}

TEST(WeightedPoints, KeepTheirProportionsWithAMeanSquareOfOneElse) {
    const Points x = example();
    const WeightedPoints weighted = weighted_points(x.view(), false, {});
    const Matrix points = to_matrix(x);
    const double unit = points.norm() / std::sqrt(x.count());
    EXPECT_LT(support::difference(to_matrix(weighted.points), points / unit),
              1e-6 * points.cwiseAbs().maxCoeff() / unit);
    double squares = 0.0;
    for (Index i = 0; i < x.count(); ++i) {
        const double length = double{weighted.lengths[i]};
        EXPECT_NEAR(length, points.row(i).norm() / unit, 1e-6 * length);
        squares += length * length;
    }
    EXPECT_NEAR(squares / x.count(), 1.0, 1e-5);
}

TEST(WeightedPoints, OfZeroVectorsAloneAreZero) {
    for (const bool unit : {true, false}) {
        const WeightedPoints weighted = weighted_points(Points(3, 2).view(), unit, {});
        EXPECT_EQ(to_matrix(weighted.points), Matrix::Zero(3, 2));
        EXPECT_EQ(weighted.lengths, (std::vector<float>{0.0F, 0.0F, 0.0F}));
    }
}

TEST(WeightedPoints, ReadRowsThatAreNotDense) {
    const Points x = example();
    const PointsView every_other(x.view().data, 150, 5, std::size_t{2} * x.dimension());
    const WeightedPoints weighted = weighted_points(every_other, true, {});
    Points dense(150, 5);
    for (Index i = 0; i < 150; ++i) {
        std::copy_n(x[2 * i].begin(), 5, dense[i].begin());
    }
    EXPECT_EQ(to_matrix(weighted.points), to_matrix(weighted_points(dense.view(), true, {}).points));
}

TEST(WeightedPoints, AreTheSameBitsForAnyNumberOfThreads) {
    const Points x = example();
    for (const bool unit : {true, false}) {
        const WeightedPoints one = weighted_points(x.view(), unit, on_threads(1));
        for (const int threads : {2, 3}) {
            const WeightedPoints more = weighted_points(x.view(), unit, on_threads(threads));
            EXPECT_EQ(to_matrix(one.points), to_matrix(more.points));
            EXPECT_EQ(one.lengths, more.lengths);
        }
    }
}

TEST(WeightedPoints, OfARankAreItsOwnWithTheLengthsOfAll) {
    Points x = reference::random_points(300, 4, 5);
    std::fill(x[120].begin(), x[120].end(), 0.0F);
    for (const bool unit : {true, false}) {
        const WeightedPoints whole = weighted_points(x.view(), unit, {});
        support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            const WeightedPoints own = weighted_points(points, unit, context);
            EXPECT_EQ(own.lengths, whole.lengths);
            EXPECT_EQ(own.points.count(), points.local_range().size());
            for (Index i = 0; i < own.points.count(); ++i) {
                const auto row = whole.points[static_cast<Index>(points.local_range().begin + i)];
                EXPECT_TRUE(std::equal(row.begin(), row.end(), std::as_const(own.points)[i].begin()));
            }
        });
    }
}

}  // namespace
}  // namespace isogon::weighted_points_test
