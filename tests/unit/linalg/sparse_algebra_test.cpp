#include "isogon/linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::sparse_algebra_test {
namespace {

using reference::dense;
using support::Matrix;

TEST(SparseAlgebra, ProductIsTheDenseOne) {
    for (const Index rows : {1, 255, 700}) {
        const Matrix a = support::random_sparse(rows, 40, 0.1, rows);
        const Matrix b = support::random_sparse(40, 60, 0.2, 7);
        const CsrMatrix<double> c = product(support::csr_matrix(a), support::csr_matrix(b), {.threads = 3});
        validate(c);
        EXPECT_LT(support::difference(dense(c), a * b), 1e-12);
    }
}

TEST(SparseAlgebra, ProductKeepsEntriesThatCancel) {
    const CsrMatrix<double> a{.rows = 1, .columns = 2, .offsets = {0, 2}, .indices = {0, 1}, .values = {1.0, -1.0}};
    const CsrMatrix<double> b{.rows = 2, .columns = 1, .offsets = {0, 1, 2}, .indices = {0, 0}, .values = {3.0, 3.0}};
    const CsrMatrix<double> c = product(a, b, {});
    EXPECT_EQ(c.entries(), 1U);
    EXPECT_EQ(c.values[0], 0.0);
}

TEST(SparseAlgebra, RefusesFactorsThatDoNotFit) {
    const CsrMatrix<double> a = support::csr_matrix(Matrix::Ones(2, 3));
    EXPECT_THROW((void)product(a, a, {}), InvalidArgument);
}

TEST(SparseAlgebra, SymmetriseTakesTheMean) {
    Matrix a = support::random_sparse(30, 30, 0.2, 3);
    const Matrix pattern = (a.array() != 0.0 || a.transpose().array() != 0.0).cast<double>();
    a = (a + 1e-3 * support::random_matrix(30, 30, 4)).cwiseProduct(pattern);
    CsrMatrix<double> wide = support::csr_matrix(a);
    symmetrise(wide);
    EXPECT_EQ(dense(wide), dense(wide).transpose());
    EXPECT_LT(support::difference(dense(wide), (a + a.transpose()) / 2.0), 1e-15);
}

TEST(SparseAlgebra, IdentityMinusPutsTheDiagonalInItsPlace) {
    for (const Index size : {1, 2, 30}) {
        Matrix w = support::random_sparse(size, size, 0.3, size);
        w.diagonal().setZero();
        const CsrMatrix<double> made = identity_minus(support::csr_matrix(w));
        validate(made);
        EXPECT_EQ(dense(made), Matrix(Matrix::Identity(size, size) - w));
    }
    EXPECT_THROW((void)identity_minus(support::csr_matrix(Matrix::Ones(2, 3))), InvalidArgument);
}

TEST(SparseAlgebra, ShiftsByTheIdentityOrByB) {
    Matrix a = Matrix::Zero(4, 4);
    a(0, 0) = 2.0;
    a(2, 3) = a(3, 2) = -1.0;
    const Matrix b = support::ring_laplacian(4);
    EXPECT_LT(
        support::difference(dense(shifted(support::csr_matrix(a), nullptr, 0.5)), a + 0.5 * Matrix::Identity(4, 4)),
        1e-15);
    const CsrMatrix<double> sparse_b = support::csr_matrix(b);
    const CsrMatrix<double> sum = shifted(support::csr_matrix(a), &sparse_b, 0.5);
    validate(sum);
    EXPECT_LT(support::difference(dense(sum), a + 0.5 * b), 1e-15);
}

}  // namespace
}  // namespace isogon::sparse_algebra_test
