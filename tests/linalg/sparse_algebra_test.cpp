#include "linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "reference/graphs.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"
#include "support/stated_need.hpp"

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

TEST(SparseAlgebra, ProductStatesTheSumsOfARow) {
    // One entry, but a sum for every column.
    const CsrMatrix<double> a{.rows = 1, .columns = 1, .offsets = {0, 1}, .indices = {0}, .values = {1.0}};
    const CsrMatrix<double> b{.rows = 1, .columns = 5000, .offsets = {0, 1}, .indices = {4999}, .values = {2.0}};
    const std::uint64_t need = support::stated_need([&](const RunContext& context) { (void)product(a, b, context); });
    EXPECT_GE(need, 5000 * (sizeof(double) + sizeof(char) + sizeof(Index)));
    EXPECT_LT(need, 5000U * 24U);
    EXPECT_THROW((void)product(a, b, {.memory_limit = need - 1}), LimitExceeded);
    EXPECT_EQ(product(a, b, {.threads = 1, .memory_limit = need}).values, std::vector<double>{2.0});
}

TEST(SparseAlgebra, ProductAsksNoOtherRankAndCanBeCancelled) {
    const CsrMatrix<double> a = support::csr_matrix(support::random_sparse(700, 700, 0.01, 1));
    RunContext context;
    std::atomic<int> questions = 0;
    context.agree_on_stop = [&](std::optional<Termination> own) {
        ++questions;
        return own;
    };
    (void)product(a, a, context);
    EXPECT_EQ(questions, 0);
    context.agree_on_stop = nullptr;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)product(a, a, context), Interruption);
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
