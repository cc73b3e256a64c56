#include "isogon/methods/pca.hpp"

#include <gtest/gtest.h>

#include "isogon/methods/svd.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::pca_test {
namespace {

support::Matrix shifted_example() {
    support::Matrix x = support::random_matrix(70, 6, 8);
    x.rowwise() += support::random_matrix(1, 6, 9).row(0) * 5.0;
    return x;
}

support::Matrix squared_distances(const support::Matrix& x) {
    const Eigen::VectorXd squares = x.rowwise().squaredNorm();
    const auto ones = Eigen::VectorXd::Ones(x.rows());
    return squares * ones.transpose() + ones * squares.transpose() - 2.0 * x * x.transpose();
}

TEST(Pca, KeepsAllDistancesInAllDimensions) {
    const support::Matrix x = shifted_example();
    const Embedding result = pca(support::to_points(x).view(), {.dimension = 6});
    const support::Matrix y = support::to_matrix(result.coordinates);
    EXPECT_LT((squared_distances(y) - squared_distances(x)).cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_LT(y.colwise().mean().norm(), 1e-5);
}

TEST(Pca, EqualsSvdOfCentredPoints) {
    support::Matrix x = shifted_example();
    const Embedding ours = pca(support::to_points(x).view(), {.dimension = 3});
    x.rowwise() -= x.colwise().mean().eval();
    const Embedding other = svd(support::to_points(x).view(), {.dimension = 3});
    EXPECT_LT((support::to_matrix(ours.coordinates) - support::to_matrix(other.coordinates)).norm(), 1e-3);
}

TEST(Pca, ReportsTheVariancesOfItsCoordinates) {
    const Embedding result = pca(support::to_points(shifted_example()).view(), {.dimension = 4});
    const support::Matrix y = support::to_matrix(result.coordinates);
    for (int a = 0; a < 4; ++a) {
        const double variance = y.col(a).squaredNorm() / 69.0;
        EXPECT_NEAR(result.summary.value("variance_" + std::to_string(a)), variance, 1e-4 * variance);
        EXPECT_TRUE(a == 0 || variance <= y.col(a - 1).squaredNorm() / 69.0);
    }
}

}  // namespace
}  // namespace isogon::pca_test
