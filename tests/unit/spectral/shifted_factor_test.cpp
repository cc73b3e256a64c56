#include "spectral/shifted_factor.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::shifted_factor_test {
namespace {

using support::Matrix;
using support::to_matrix;

Matrix dense(const CsrMatrix<double>& matrix) {
    Matrix result = Matrix::Zero(matrix.rows, matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result(i, matrix.row_indices(i)[k]) = matrix.row_values(i)[k];
        }
    }
    return result;
}

void expect_inverse(const ShiftedFactor& factor, const Matrix& matrix, double tolerance) {
    ASSERT_TRUE(factor.solver);
    const Matrix x = support::random_matrix(static_cast<Index>(matrix.rows()), 5, 7);
    WideVectors solution = support::to_wide(matrix * x);
    factor.solver->apply(solution, {.threads = 3});
    EXPECT_LT(support::difference(to_matrix(solution), x), tolerance);
}

TEST(ShiftedFactor, SolvesWhatItFactored) {
    for (const Index size : {1, 47, 49, 500}) {
        const Matrix a = support::ring_laplacian(std::max<Index>(size, 3)) +
                         0.1 * Matrix::Identity(std::max<Index>(size, 3), std::max<Index>(size, 3));
        expect_inverse(sparse_factor(support::wide_sparse(a), 1e9, {}), a, 1e-12);
        expect_inverse(dense_factor(support::wide_sparse(a), {.threads = 3}), a, 1e-3);
    }
}

TEST(ShiftedFactor, IsNotMadeWhereItCostsTooMuchOrCannotBe) {
    const Matrix a = support::random_definite(100, 0.1, 1);
    EXPECT_FALSE(sparse_factor(support::wide_sparse(a), 1000.0, {}).solver);
    EXPECT_FALSE(sparse_factor(support::wide_sparse(-a), 1e9, {}).solver);
    EXPECT_FALSE(dense_factor(support::wide_sparse(-a), {}).solver);
    EXPECT_FALSE(sparse_factor(support::wide_sparse(a), 1e9, {.memory_limit = 1000}).solver);
    EXPECT_FALSE(dense_factor(support::wide_sparse(a), {.memory_limit = 1000}).solver);
}

TEST(ShiftedFactor, ShiftsByTheIdentityOrByB) {
    Matrix a = Matrix::Zero(4, 4);
    a(0, 0) = 2.0;
    a(2, 3) = a(3, 2) = -1.0;
    const Matrix b = support::ring_laplacian(4);
    EXPECT_LT(
        support::difference(dense(shifted(support::wide_sparse(a), nullptr, 0.5)), a + 0.5 * Matrix::Identity(4, 4)),
        1e-15);
    const CsrMatrix<double> wide_b = support::wide_sparse(b);
    const CsrMatrix<double> sum = shifted(support::wide_sparse(a), &wide_b, 0.5);
    validate(sum);
    EXPECT_LT(support::difference(dense(sum), a + 0.5 * b), 1e-15);
}

}  // namespace
}  // namespace isogon::shifted_factor_test
