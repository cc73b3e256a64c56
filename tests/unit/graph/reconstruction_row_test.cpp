#include "graph/reconstruction_row.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "reference/reconstruction.hpp"

namespace isogon::reconstruction_row_test {
namespace {

using support::Matrix;

Matrix solved(double ridge, Index neighbors, const Points& points) {
    ReconstructionRow row(neighbors, points.dimension(), ridge);
    const std::vector<double> lengths = norms(points.view());
    std::vector<Index> near(neighbors);
    Matrix weights(points.count(), neighbors);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < neighbors; ++k) {
            near[k] = (i + k + 1) % points.count();
        }
        const auto solution = row.solve(points[i], lengths[i], points.view(), lengths, near);
        weights.row(i) = Eigen::Map<const Eigen::RowVectorXd>(solution.data(), neighbors);
    }
    return weights;
}

// The two ways meet at the ridge that divides them.
TEST(ReconstructionRow, HasTwoWaysThatAgree) {
    const Points points = reference::random_points(80, 15, 3, 0.5);
    const Matrix fast = solved(1.0000001e-5, 60, points);
    const Matrix exact = solved(0.9999999e-5, 60, points);
    EXPECT_LT((fast - exact).norm(), 2e-3 * exact.norm());
    EXPECT_NE(fast, exact);
}

TEST(ReconstructionRow, ServesOneRowAfterTheOther) {
    const Points points = reference::random_points(60, 9, 3, 0.5);
    const Points zero(60, 9);
    EXPECT_EQ(solved(1e-3, 50, points), solved(1e-3, 50, points));
    EXPECT_EQ(solved(1e-3, 50, zero).norm(), 0.0);
    EXPECT_GT(ReconstructionRow::bytes(50, 9), std::uint64_t{51} * 9 * sizeof(float));
}

}  // namespace
}  // namespace isogon::reconstruction_row_test
