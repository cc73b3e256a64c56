#include "decomposition/polar_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::polar_factor_test {
namespace {

using support::Matrix;

TileArray tiles_of(const Matrix& matrix) {
    TileArray result(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
            constexpr auto width = static_cast<Eigen::Index>(panel_width);
            double* tile = result.tile(static_cast<Index>(i / width), static_cast<Index>(j / width));
            tile[j % width * width + i % width] = matrix(i, j);
        }
    }
    return result;
}

Matrix matrix_of(const TileArray& tiles, Eigen::Index rows, Eigen::Index columns) {
    Matrix result(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index j = 0; j < columns; ++j) {
            constexpr auto width = static_cast<Eigen::Index>(panel_width);
            const double* tile = tiles.tile(static_cast<Index>(i / width), static_cast<Index>(j / width));
            result(i, j) = tile[j % width * width + i % width];
        }
    }
    return result;
}

/// U V^T with sigma in place of 1 for every singular value.
Matrix with_singular_values(Eigen::Index rows, Eigen::Index columns, const Eigen::VectorXd& sigma) {
    const Eigen::JacobiSVD<Matrix> svd(support::random_matrix(static_cast<Index>(rows), static_cast<Index>(columns), 3),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
    return svd.matrixU() * sigma.asDiagonal() * svd.matrixV().transpose();
}

TEST(PolarFactor, SendsEverySingularValueInReachToOne) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 5}, {50, 49}, {30, 97}}) {
        const auto count = static_cast<Eigen::Index>(std::min(rows, columns));
        // From 3 down by four orders of magnitude: well within reach of the bound, which is a little above the largest.
        const Eigen::VectorXd sigma =
            3.0 * (-4.0 * Eigen::VectorXd::LinSpaced(count, 0.0, 1.0) * std::log(10.0)).array().exp();
        const PolarFactor found = polar_factor(tiles_of(with_singular_values(rows, columns, sigma)), {});
        const Matrix wanted = with_singular_values(rows, columns, Eigen::VectorXd::Ones(count));
        EXPECT_LT((matrix_of(found.unitary, rows, columns) - wanted).norm(), 1e-6) << rows << " x " << columns;
        EXPECT_NEAR(found.nuclear_norm, sigma.sum(), 2.0 * polar_tolerance * sigma.sum()) << rows << " x " << columns;
        EXPECT_LE(found.steps, 20);
    }
}

TEST(PolarFactor, LeavesWhatIsTooSmallBetweenZeroAndOne) {
    Eigen::VectorXd sigma = Eigen::VectorXd::Zero(20);
    sigma.head(8) << 5.0, 4.0, 1.0, 1e-2, 1e-7, 1e-9, 1e-14, 1e-20;
    const Matrix z = with_singular_values(60, 20, sigma);
    const PolarFactor found = polar_factor(tiles_of(z), {});
    const Matrix unitary = matrix_of(found.unitary, 60, 20);
    ASSERT_TRUE(unitary.allFinite());
    EXPECT_LE(Eigen::JacobiSVD<Matrix>(unitary).singularValues()[0], 1.0 + 1e-12);
    EXPECT_NEAR(found.nuclear_norm, sigma.sum(), 16 * least_polar_share * 6.0);
}

TEST(PolarFactor, OfNothingIsNothing) {
    const PolarFactor found = polar_factor(tiles_of(Matrix::Zero(10, 60)), {});
    EXPECT_EQ(found.nuclear_norm, 0.0);
    EXPECT_EQ(matrix_of(found.unitary, 10, 60), Matrix::Zero(10, 60));
}

TEST(PolarFactor, GivesTheSameBitsOnAnyNumberOfThreads) {
    const TileArray z = tiles_of(support::random_matrix(110, 100, 5));
    const PolarFactor one = polar_factor(z, reference::on_threads(1));
    const PolarFactor three = polar_factor(z, reference::on_threads(3));
    EXPECT_EQ(matrix_of(one.unitary, 110, 100), matrix_of(three.unitary, 110, 100));
    EXPECT_EQ(one.nuclear_norm, three.nuclear_norm);
}

TEST(PolarFactor, CanBeStopped) {
    RunContext context;
    std::stop_source source;
    source.request_stop();
    context.stop = source.get_token();
    EXPECT_THROW(static_cast<void>(polar_factor(tiles_of(Matrix::Ones(50, 50)), context)), Interruption);
}

}  // namespace
}  // namespace isogon::polar_factor_test
