#include "linalg/direct_solution.hpp"

#include <gtest/gtest.h>

#include "linalg/dense_cholesky.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::direct_solution_test {
namespace {

using support::Matrix;

TEST(DensePencil, IsSolvedAsByEigen) {
    for (const Index size : {1, 2, 30, 90}) {
        const Matrix a = support::random_definite(size, 1e-2, 3) - 0.1 * Matrix::Identity(size, size);
        const Matrix b = support::random_definite(size, 0.1, 4);
        const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> truth(a, b);
        const Index count = (size + 1) / 2;
        const auto solution = solve_pencil(support::csr_matrix(a), support::csr_matrix(b), {}, count);
        ASSERT_TRUE(solution);
        EXPECT_NEAR(solution->largest, truth.eigenvalues().cwiseAbs().maxCoeff(), 1e-10);
        const Matrix x = support::to_matrix(solution->vectors);
        EXPECT_LT(support::difference(x.transpose() * b * x, Matrix::Identity(count, count)), 1e-10);
        for (Index j = 0; j < count; ++j) {
            EXPECT_NEAR(solution->values[j], truth.eigenvalues()[j], 1e-10);
            EXPECT_LT((a * x.col(j) - solution->values[j] * b * x.col(j)).norm(), 1e-10);
        }
    }
}

// The constant vector of a graph's Laplacian, and one more.
TEST(DensePencil, LeavesOutWhatIsKnown) {
    constexpr Index size = 60;
    const Matrix a = support::ring_laplacian(size);
    const Matrix b = support::random_definite(size, 0.1, 4);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> truth(a, b);
    for (const Index known : {1, 2}) {
        const Matrix out = 7.0 * truth.eigenvectors().leftCols(known);
        const auto solution =
            solve_pencil(support::csr_matrix(a), support::csr_matrix(b), support::to_multi_vector(out), 10);
        ASSERT_TRUE(solution);
        EXPECT_NEAR(solution->largest, truth.eigenvalues().maxCoeff(), 1e-10);
        EXPECT_LT((out.transpose() * b * support::to_matrix(solution->vectors)).norm(), 1e-9);
        for (Index j = 0; j < 10; ++j) {
            EXPECT_NEAR(solution->values[j], truth.eigenvalues()[known + j], 1e-10);
        }
    }
}

TEST(DensePencil, HasNothingToSayWhereBIsSingular) {
    const CsrMatrix<double> a = support::csr_matrix(support::ring_laplacian(20));
    Matrix b = Matrix::Identity(20, 20);
    b(7, 7) = 0.0;
    EXPECT_FALSE(solve_pencil(a, support::csr_matrix(b), {}, 3));
    b(7, 7) = 1e-14;
    EXPECT_FALSE(solve_pencil(a, support::csr_matrix(b), {}, 3));
    b(7, 7) = -1.0;
    EXPECT_FALSE(solve_pencil(a, support::csr_matrix(b), {}, 3));
}

TEST(DensePencil, OfZeroesHasZeroes) {
    const auto solution =
        solve_pencil(support::csr_matrix(Matrix::Zero(9, 9)), support::csr_matrix(Matrix::Identity(9, 9)),
                     support::to_multi_vector(Matrix::Ones(9, 1)), 4);
    ASSERT_TRUE(solution);
    EXPECT_NEAR(solution->largest, 0.0, 1e-15);
    for (const double value : solution->values) {
        EXPECT_NEAR(value, 0.0, 1e-15);
    }
}

using support::to_matrix;

void expect_inverse(const ShiftedFactor& factor, const Matrix& matrix, double tolerance) {
    ASSERT_TRUE(factor.solver);
    const Matrix x = support::random_matrix(static_cast<Index>(matrix.rows()), 5, 7);
    MultiVector<double> solution = support::to_multi_vector(matrix * x);
    factor.solver(solution, {.threads = 3});
    EXPECT_LT(support::difference(to_matrix(solution), x), tolerance);
}

TEST(ShiftedFactor, SolvesWhatItFactored) {
    for (const Index size : {1, 47, 49, 500}) {
        const Matrix a = support::ring_laplacian(std::max<Index>(size, 3)) +
                         0.1 * Matrix::Identity(std::max<Index>(size, 3), std::max<Index>(size, 3));
        expect_inverse(sparse_factor(support::csr_matrix(a), 1e9, {}), a, 1e-12);
        expect_inverse(dense_factor(support::csr_matrix(a), {.threads = 3}), a, 1e-3);
    }
}

TEST(ShiftedFactor, IsNotMadeWhereItCostsTooMuchOrCannotBe) {
    const Matrix a = support::random_definite(100, 0.1, 1);
    EXPECT_FALSE(sparse_factor(support::csr_matrix(a), 1000.0, {}).solver);
    EXPECT_FALSE(sparse_factor(support::csr_matrix(-a), 1e9, {}).solver);
    EXPECT_FALSE(dense_factor(support::csr_matrix(-a), {}).solver);
    EXPECT_FALSE(sparse_factor(support::csr_matrix(a), 1e9, {.memory_limit = 1000}).solver);
    EXPECT_FALSE(dense_factor(support::csr_matrix(a), {.memory_limit = 1000}).solver);
}

TEST(ShiftedFactor, StatesTheRightHandSidesBesideADenseFactor) {
    const CsrMatrix<double> a = support::csr_matrix(support::random_definite(100, 0.1, 1));
    EXPECT_EQ(DenseFactor::bytes(100), PanelMatrix::bytes(100) + MultiVector<float>::bytes(3, panel_tile_size));
    EXPECT_TRUE(dense_factor(a, {.memory_limit = DenseFactor::bytes(100)}).solver);
    EXPECT_FALSE(dense_factor(a, {.memory_limit = DenseFactor::bytes(100) - 1}).solver);
}

}  // namespace
}  // namespace isogon::direct_solution_test
