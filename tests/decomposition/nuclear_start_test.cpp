#include "decomposition/relu_start.hpp"

#include <gtest/gtest.h>
#include <Eigen/SVD>
#include <cmath>

#include "decomposition/relu_examples.hpp"
#include "reference/point_sets.hpp"

namespace isogon::nuclear_start_test {

namespace {

using support::Matrix;

/// The published method, by full singular value decompositions; the first step is 1 in units of S.
Matrix slow_nuclear_start(const support::ReluExample& example, const Matrix& random, Index rank, double first_step) {
    Matrix z = support::completed(example, random);
    Eigen::BDCSVD<Matrix> svd(z, Eigen::ComputeThinU | Eigen::ComputeThinV);
    double step = first_step;
    for (int k = 0; k < 3; ++k) {
        const Matrix trial = support::completed(example, z - step * svd.matrixU() * svd.matrixV().transpose());
        const Eigen::BDCSVD<Matrix> next(trial, Eigen::ComputeThinU | Eigen::ComputeThinV);
        const bool fell = next.singularValues().sum() < svd.singularValues().sum();
        if (fell) {
            z = trial;
            svd = next;
        }
        step *= fell ? 1.2 : 0.7;
    }
    return support::best_of_rank(z, rank);
}

TEST(NuclearStart, IsThePublishedOne) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 40}, {60, 50}, {30, 55}}) {
        const support::ReluExample example{"", support::planted_relu(rows, columns, 4, 0.0, 1), {}};
        for (const double unit : {1.0, 0.25}) {
            const support::ReluExample divided{"", example.s / unit, {}};
            const ReluProblem problem = relu_problem(support::csr_matrix(example.s), nullptr, unit);
            const Matrix random = support::product_of(random_start(problem, 4, 7, {}));
            const Matrix wanted = slow_nuclear_start(divided, random, 4, 1.0 / unit);
            const Matrix found = support::product_of(nuclear_start(problem, 4, 7, {}));
            EXPECT_LT((found - wanted).norm(), 1e-3 * wanted.norm()) << rows << " x " << columns << ", " << unit;
        }
    }
}

TEST(NuclearStart, IsNearerThanRandom) {
    const support::ReluExample example{"", support::planted_relu(80, 60, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const auto error = [&](const ReluFactors& factors) {
        return std::sqrt(support::output_squares(example, support::product_of(factors)));
    };
    const ReluFactors nuclear = nuclear_start(problem, 4, 0, {});
    EXPECT_EQ(nuclear.rank(), 4U);
    EXPECT_LT(error(nuclear), 0.7 * error(random_start(problem, 4, 0, {})));
    EXPECT_EQ(nuclear_start(problem, 4, 0, reference::on_threads(3)).left.values(),
              nuclear_start(problem, 4, 0, reference::on_threads(1)).left.values());
}

TEST(NuclearStart, StatesArraysOfBothSides) {
    EXPECT_EQ(nuclear_start_bytes(48, 96), (8 * 2 + 1) * 48 * 48 * sizeof(double));
    EXPECT_EQ(nuclear_start_bytes(96, 48), nuclear_start_bytes(48, 96));
}

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

}  // namespace isogon::nuclear_start_test
