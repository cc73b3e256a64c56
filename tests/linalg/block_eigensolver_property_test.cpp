#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/block_eigensolver.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::block_eigensolver_property_test {
namespace {

using support::Matrix;
using support::MatrixOperator;
using support::to_matrix;

/// A random symmetric matrix, now and then of low rank, with repeated eigenvalues or with zero rows.
Matrix any_symmetric(Index size, std::uint64_t seed) {
    Random random(seed, RandomStream::Test, 1U << 20U);
    const Matrix a = support::random_matrix(size, size, seed);
    switch (random.below(4)) {
        case 0: {
            const Matrix thin = a.leftCols(1 + random.below(size));
            return thin * thin.transpose() * (random.below(2) == 0 ? 1.0 : -1.0);
        }
        case 1: {
            std::vector<double> values(size);
            for (double& value : values) {
                value = static_cast<double>(random.below(5)) - 2.0;
            }
            return support::matrix_with_spectrum(size, values, seed);
        }
        case 2: {
            Matrix b = a + a.transpose();
            const Index zero = random.below(size);
            b.row(zero).setZero();
            b.col(zero).setZero();
            return b;
        }
        default: return a + a.transpose();
    }
}

class AnyMatrix : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Sizes, AnyMatrix, testing::Range(Index{1}, Index{64}, 3));

TEST_P(AnyMatrix, HasTheEigenvaluesThatTheSolverFinds) {
    const Index size = GetParam();
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Random random(seed, RandomStream::Test, 1U << 21U);
        const Index rank = 1 + random.below(size);
        const MatrixOperator matrix(any_symmetric(size, 100 * size + seed));
        const BlockEigenpairs pairs =
            block_eigensolve(matrix, {.rank = rank, .max_products = 400, .seed = seed}, nullptr, {});
        const Eigen::SelfAdjointEigenSolver<Matrix> exact(matrix.matrix());
        const auto values = support::by_magnitude({exact.eigenvalues().data(), exact.eigenvalues().data() + size});
        const double scale = std::abs(values.front());
        SCOPED_TRACE(testing::Message() << "n = " << size << ", rank = " << rank << ", seed " << seed);
        EXPECT_TRUE(pairs.converged);
        ASSERT_GE(pairs.values.size(), rank);
        EXPECT_LT(support::orthonormality_error(to_matrix(pairs.vectors)), 1e-5);
        for (Index k = 0; k < rank; ++k) {
            EXPECT_NEAR(std::abs(pairs.values[k]), std::abs(values[k]), 2e-5 * scale);
            const Eigen::VectorXd q = to_matrix(pairs.vectors).col(k);
            EXPECT_LE((matrix.matrix() * q - pairs.values[k] * q).norm(), 1.5e-5 * scale);
        }
    }
}

}  // namespace
}  // namespace isogon::block_eigensolver_property_test
