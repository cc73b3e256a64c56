#include "methods/linear.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "methods/linear_projection.hpp"
#include "support/dense_matrices.hpp"
#include "transform/projection_map.hpp"

namespace isogon::linear_projection_test {

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

TEST(Svd, KeepsAllInnerProductsOfPointsInASubspace) {
    const support::Matrix flat = support::random_matrix(40, 3, 1) * support::random_orthonormal(12, 3, 2).transpose();
    const Embedding result = svd(support::to_points(flat).view(), {.dimension = 3});
    const support::Matrix y = support::to_matrix(result.coordinates);
    EXPECT_LT((y * y.transpose() - flat * flat.transpose()).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Svd, IsTheBestApproximationOfTheInnerProducts) {
    const support::Matrix x = support::random_matrix(50, 8, 4);
    const support::Matrix products = x * x.transpose();
    for (const int d : {1, 4, 7}) {
        const Embedding result = svd(support::to_points(x).view(), {.dimension = d});
        const support::Matrix y = support::to_matrix(result.coordinates);
        const support::Matrix best = support::truncated(products, static_cast<Index>(d));
        EXPECT_LT((y * y.transpose() - best).norm(), 1e-4 * products.norm());
    }
}

TEST(Svd, DoesNotCentre) {
    support::Matrix x = support::random_matrix(30, 5, 5);
    x.col(0).array() += 10.0;
    const Embedding result = svd(support::to_points(x).view(), {.dimension = 5});
    EXPECT_GT(std::abs(support::to_matrix(result.coordinates).col(0).mean()), 9.0);
}

Points example() {
    return support::to_points(support::random_matrix(60, 9, 3));
}

TEST(LinearProjection, StatesItsMemoryBeforeItTakesIt) {
    RunContext context;
    context.memory_limit = 1000;
    try {
        (void)svd(example().view(), {.dimension = 3}, context);
        FAIL() << "a limit of 1000 bytes was accepted";
    } catch (const LimitExceeded& error) {
        EXPECT_EQ(error.limit_bytes(), 1000U);
        EXPECT_GT(error.needed_bytes(), 1000U);
    }
}

TEST(LinearProjection, KeepsAllSquaresInAllDimensions) {
    const Embedding result = svd(example().view(), {.dimension = 9}, {});
    EXPECT_NEAR(result.summary.value("share_of_squares_kept"), 1.0, 1e-5);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
}

TEST(LinearProjection, SaysWhatItReached) {
    const Embedding result = pca(example().view(), {.dimension = 3}, {});
    EXPECT_LT(result.summary.value("residual", 1.0), TruncatedSvd::tolerance);
    EXPECT_EQ(result.summary.value("unresolved_directions", 1.0), 0.0);
    EXPECT_TRUE(result.summary.warnings.empty());
    EXPECT_EQ(result.summary.message.find("no extent"), std::string::npos);
}

TEST(LinearProjection, SaysWhatItDidNotReach) {
    TruncatedSvd svd;
    svd.singular_values = {3.0, 2.0, 1.0};
    svd.residuals = {1e-12, 1e-3, 2e-2};
    Summary summary;
    record_accuracy(svd, summary);
    EXPECT_EQ(summary.termination, Termination::IterationLimit);
    EXPECT_EQ(summary.value("unresolved_directions"), 2.0);
    EXPECT_EQ(summary.value("residual"), 2e-2);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_NE(summary.warnings[0].find("2 of 3 directions"), std::string::npos);
    EXPECT_NE(summary.message.find("2 of 3 directions"), std::string::npos);
}

TEST(LinearProjection, SaysAlongHowManyDirectionsThePointsHaveNoExtent) {
    support::Matrix x = support::Matrix::Zero(40, 6);
    x.leftCols(2) = support::random_matrix(40, 2, 4);
    const Embedding result = svd(support::to_points(x).view(), {.dimension = 5}, {});
    EXPECT_NE(result.summary.message.find("no extent along the last 3"), std::string::npos) << result.summary.message;
    EXPECT_TRUE(result.summary.warnings.empty());
}

/// One direction far longer than the others, as brightness is in spectra: coordinates along the others, of the fit
/// and of new points, keep float32's digits of their own length.
TEST(LinearProjection, KeepsTheDigitsOfMinorCoordinates) {
    using support::Matrix;
    const Matrix v = support::random_orthonormal(50, 3, 1);
    Matrix u = support::random_matrix(80, 3, 2);
    u.col(0) *= 1e6;
    const Points x = support::to_points(u * v.transpose());
    const Embedding result = svd(x.view(), {.dimension = 3}, {});
    const auto& map = result.linear_map;
    const auto& stored = std::get<std::vector<double>>(map.at("directions").values);
    TruncatedSvd svd;
    svd.directions = DenseMatrix(50, 3);
    for (std::size_t k = 0; k < stored.size(); ++k) {
        svd.directions(k / 3, k % 3) = stored[k];
    }
    const Matrix exact = support::to_matrix(x) * support::to_matrix(svd.directions);
    const Matrix fitted = support::to_matrix(result.coordinates);
    const Matrix placed = support::to_matrix(project_in_unit(x.view(), svd, 1.0, {}));
    for (Eigen::Index k = 0; k < 3; ++k) {
        EXPECT_LT((fitted.col(k) - exact.col(k)).norm(), 1e-7 * exact.col(k).norm());
        EXPECT_LT((placed.col(k) - exact.col(k)).norm(), 1e-7 * exact.col(k).norm());
    }
}

}  // namespace

}  // namespace isogon::linear_projection_test
