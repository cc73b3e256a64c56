#include "linalg/shifted_factor.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::shifted_factor_test {
namespace {

using support::Matrix;
using support::to_matrix;

void expect_inverse(const ShiftedFactor& factor, const Matrix& matrix, double tolerance) {
    ASSERT_TRUE(factor.solver);
    const Matrix x = support::random_matrix(static_cast<Index>(matrix.rows()), 5, 7);
    MultiVector<double> solution = support::to_multi_vector(matrix * x);
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

}  // namespace
}  // namespace isogon::shifted_factor_test
