#include "linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "support/spectral_problems.hpp"

namespace isogon::sparse_factor_test {
namespace {

using support::Matrix;

Matrix ring(Index size) {
    return support::ring_laplacian(size) + 0.1 * Matrix::Identity(size, size);
}

TEST(SparseFactor, SolvesEveryColumn) {
    for (const Index size : {3, 50, 400}) {
        const Matrix a = ring(size);
        SparseFactor factor(support::csr_matrix(a));
        ASSERT_TRUE(factor.compute());
        const Matrix truth = support::random_matrix(size, 7, size);
        MultiVector<double> x = support::to_multi_vector(a * truth);
        factor.solve(x, {.threads = 3});
        EXPECT_LT(support::difference(support::to_matrix(x), truth), 1e-12);
    }
}

TEST(SparseFactor, AColumnIsTheSameAloneAndOnAnyNumberOfThreads) {
    SparseFactor factor(support::csr_matrix(ring(200)));
    ASSERT_TRUE(factor.compute());
    const Matrix b = support::random_matrix(200, 5, 1);
    MultiVector<double> together = support::to_multi_vector(b);
    factor.solve(together, {.threads = 3});
    MultiVector<double> again = support::to_multi_vector(b);
    factor.solve(again, {.threads = 1});
    EXPECT_EQ(together.values(), again.values());
    MultiVector<double> alone = support::to_multi_vector(b.col(3));
    factor.solve(alone, {.threads = 1});
    for (Index i = 0; i < 200; ++i) {
        EXPECT_EQ(alone.at(i, 0), together.at(i, 3));
    }
}

TEST(SparseFactor, StatesItsCostBeforehand) {
    // Dense: column j of L has n - 1 - j entries below the diagonal, whatever the order.
    constexpr Index size = 60;
    double squares = 0.0;
    for (Index j = 0; j < size; ++j) {
        squares += static_cast<double>(j) * j;
    }
    const SparseFactor dense(support::csr_matrix(support::random_definite(size, 0.1, 1)));
    EXPECT_EQ(dense.operations(), squares);
    EXPECT_GE(dense.bytes(), size * size / 2 * sizeof(double));
    // A ring's fill is that of a path: a few entries a column.
    const SparseFactor sparse(support::csr_matrix(ring(1000)));
    EXPECT_LT(sparse.operations(), 10.0 * 1000);
    EXPECT_LT(sparse.bytes(), 1000U * 250);
}

TEST(SparseFactor, SolvesWithFillAndParts) {
    // A grid with long-range links, and a row that nothing touches.
    constexpr Index size = 300;
    Matrix a = 5.0 * Matrix::Identity(size, size);
    for (Index i = 0; i + 17 < size - 1; ++i) {
        a(i, i + 1) = a(i + 1, i) = -1.0;
        a(i, i + 17) = a(i + 17, i) = -0.7;
    }
    SparseFactor factor(support::csr_matrix(a));
    ASSERT_TRUE(factor.compute());
    const Matrix truth = support::random_matrix(size, 3, 2);
    MultiVector<double> x = support::to_multi_vector(a * truth);
    factor.solve(x, {});
    EXPECT_LT(support::difference(support::to_matrix(x), truth), 1e-12);
}

TEST(SparseFactor, CanBeCancelled) {
    std::stop_source stop;
    stop.request_stop();
    // Half a billion operations: enough for a check of cancellation.
    const Matrix a = support::random_definite(1500, 0.1, 1);
    SparseFactor factor(support::csr_matrix(a));
    ASSERT_GT(factor.operations(), 3e8);
    EXPECT_THROW((void)factor.compute({.stop = stop.get_token()}), Interruption);
}

TEST(SparseFactor, RefusesWhatIsNotPositiveDefinite) {
    EXPECT_FALSE(SparseFactor(support::csr_matrix(-ring(10))).compute());
    Matrix singular = ring(10);
    singular.row(4).setZero();
    singular.col(4).setZero();
    EXPECT_FALSE(SparseFactor(support::csr_matrix(singular)).compute());
    EXPECT_THROW(SparseFactor{support::csr_matrix(Matrix::Ones(2, 3))}, InvalidArgument);
}

}  // namespace
}  // namespace isogon::sparse_factor_test
