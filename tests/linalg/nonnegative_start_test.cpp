#include "linalg/nonnegative_factorization.hpp"

#include <gtest/gtest.h>

#include "reference/nonnegative.hpp"
#include "reference/point_sets.hpp"

namespace isogon::nonnegative_start_test {
namespace {

using reference::on_threads;
using support::Matrix;

void expect_parts(const Matrix& parts) {
    EXPECT_TRUE(parts.allFinite());
    EXPECT_GE(parts.minCoeff(), 0.0);
    for (Eigen::Index k = 0; k < parts.cols(); ++k) {
        EXPECT_NEAR(parts.col(k).norm(), 1.0, 1e-5) << k;
    }
}

TEST(NonnegativeStart, IsTheBetterHalfOfEachSingularDirection) {
    const Matrix x = reference::uniform_matrix(40, 9, 1);
    const Matrix parts = support::to_matrix(nonnegative_svd_start(support::to_points(x).view(), 5, 0, {}));
    expect_parts(parts);
    const Eigen::JacobiSVD<Matrix> svd(x, Eigen::ComputeThinU | Eigen::ComputeThinV);
    for (Eigen::Index k = 0; k < 5; ++k) {
        const Eigen::VectorXd v = svd.matrixV().col(k);
        const Eigen::VectorXd u = svd.matrixU().col(k);
        const double positive = v.cwiseMax(0.0).norm() * u.cwiseMax(0.0).norm();
        const double negative = (-v).cwiseMax(0.0).norm() * (-u).cwiseMax(0.0).norm();
        const Eigen::VectorXd half = (positive >= negative ? v : -v).cwiseMax(0.0).normalized();
        EXPECT_LT((parts.col(k) - half).norm(), 1e-3) << k;
    }
}

TEST(NonnegativeStart, FillsUpAtRandomWhereThereAreNoDirections) {
    const Matrix flat = reference::uniform_matrix(40, 2, 1) * reference::uniform_matrix(2, 9, 2);
    const Points x = support::to_points(flat);
    const Matrix parts = support::to_matrix(nonnegative_svd_start(x.view(), 5, 1, {}));
    expect_parts(parts);
    const Matrix others = support::to_matrix(nonnegative_svd_start(x.view(), 5, 2, {}));
    EXPECT_EQ(parts.leftCols(2), others.leftCols(2));
    EXPECT_GT((parts.rightCols(3) - others.rightCols(3)).norm(), 0.1);
}

TEST(NonnegativeStart, IsRandomWhenAsked) {
    const Matrix parts = support::to_matrix(nonnegative_random_start(50, 4, 7));
    expect_parts(parts);
    EXPECT_GT(parts.minCoeff(), 0.0);
    EXPECT_EQ(parts, support::to_matrix(nonnegative_random_start(50, 4, 7)));
    EXPECT_GT((parts - support::to_matrix(nonnegative_random_start(50, 4, 8))).norm(), 0.5);
    EXPECT_GT((parts.col(0) - parts.col(1)).norm(), 0.1);
}

TEST(NonnegativeStart, SameBitsForAnyNumberOfThreads) {
    const Points x = support::to_points(reference::uniform_matrix(1100, 20, 3));
    const Matrix one = support::to_matrix(nonnegative_svd_start(x.view(), 6, 0, on_threads(1)));
    for (const int threads : {2, 3}) {
        EXPECT_EQ(one, support::to_matrix(nonnegative_svd_start(x.view(), 6, 0, on_threads(threads))));
    }
}

TEST(NonnegativeStart, StatesWhatItNeeds) {
    EXPECT_GT(nonnegative_svd_start_bytes(1000, 100, 8), 1000U * 8 * 4 + 100U * 100 * 8);
    // Beyond some dimension nothing of D x D is taken.
    EXPECT_LT(nonnegative_svd_start_bytes(1000, 100000, 8), 1000000000U);
}

}  // namespace
}  // namespace isogon::nonnegative_start_test
