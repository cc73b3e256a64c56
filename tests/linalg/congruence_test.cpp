#include "linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"
#include "support/stated_need.hpp"

namespace isogon::congruence_test {
namespace {

using reference::dense;
using support::Matrix;

CsrMatrix<double> symmetric(Index size, double share) {
    const Matrix half = support::random_sparse(size, size, share, size);
    return support::csr_matrix(half + half.transpose());
}

TEST(Congruence, IsTheDenseProductHoweverItIsMade) {
    for (const Index rows : {1, 40, 2100}) {
        for (const Index columns : {1, 30}) {
            for (const double share : {0.001, 0.2}) {
                const CsrMatrix<double> a = symmetric(rows, share);
                const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(rows, columns, 0.1, 5));
                const CsrMatrix<double> c = congruence(a, z, {.threads = 3});
                validate(c);
                const Matrix truth = dense(z).transpose() * dense(a) * dense(z);
                EXPECT_LT(support::difference(dense(c), truth), 1e-10 * rows) << rows << " x " << columns;
                EXPECT_EQ(dense(c), dense(c).transpose());
            }
        }
    }
}

TEST(Congruence, OfADiagonalIsTheDenseProduct) {
    for (const Index rows : {1, 40, 700}) {
        for (const Index columns : {1, 30, 900}) {
            const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(rows, columns, 0.05, 5));
            std::vector<double> diagonal(rows);
            for (Index i = 0; i < rows; ++i) {
                diagonal[i] = 0.5 + i;
            }
            const Matrix d = Eigen::Map<const Eigen::VectorXd>(diagonal.data(), rows).asDiagonal();
            const CsrMatrix<double> c = congruence(diagonal, z, reference::on_threads(3));
            validate(c);
            EXPECT_LT(support::difference(dense(c), dense(z).transpose() * d * dense(z)), 1e-10 * rows);
            EXPECT_EQ(dense(c), dense(c).transpose());
            EXPECT_EQ(congruence(diagonal, z, reference::on_threads(1)).values, c.values);
            const Matrix own = dense(z).transpose() * dense(z);
            EXPECT_LT(support::difference(dense(congruence(std::vector<double>{}, z, {})), own), 1e-12 * rows);
        }
    }
}

TEST(Congruence, StatesItsMemory) {
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(2100, 50, 0.1, 5));
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)congruence(symmetric(2100, 0.2), z, little), LimitExceeded);
}

TEST(Congruence, OfDenseSumsStatesItsResultToo) {
    const CsrMatrix<double> a = symmetric(2100, 0.2);
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(2100, 50, 0.1, 5));
    ASSERT_TRUE(congruence_is_dense(a, z));
    CsrMatrix<double> c;
    const std::uint64_t need = support::stated_need([&](const RunContext& context) { c = congruence(a, z, context); });
    const std::uint64_t in_order = z.bytes() + 2 * 2100 * sizeof(Index);
    constexpr std::uint64_t sums = 50 * 56 * sizeof(double);
    EXPECT_GE(need, in_order + z.bytes() + sums + c.bytes());
    const std::uint64_t of_diagonal = support::stated_need(
        [&](const RunContext& context) { c = congruence(std::vector<double>(2100, 2.0), z, context); });
    EXPECT_GE(of_diagonal, z.bytes() + sums + c.bytes());
}

TEST(Congruence, BySparseProductsStatesWhatIsThereAtOnce) {
    const CsrMatrix<double> a = support::csr_matrix(support::ring_laplacian(2100));
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(2100, 500, 0.004, 5));
    ASSERT_FALSE(congruence_is_dense(a, z));
    constexpr std::uint64_t twice = 2 * (sizeof(Index) + sizeof(double));  // in parts, and as a whole
    CsrMatrix<double> c;
    const std::uint64_t need = support::stated_need([&](const RunContext& context) { c = congruence(a, z, context); });
    EXPECT_GE(need, product(a, z, {}).bytes() + z.bytes() + twice * c.entries());
    const std::uint64_t of_diagonal = support::stated_need(
        [&](const RunContext& context) { c = congruence(std::vector<double>(2100, 2.0), z, context); });
    EXPECT_GE(of_diagonal, 2 * z.bytes() + twice * c.entries());
    const std::uint64_t of_identity =
        support::stated_need([&](const RunContext& context) { c = congruence(std::vector<double>{}, z, context); });
    EXPECT_EQ(of_identity, of_diagonal - z.bytes());
}

TEST(Congruence, TakesBothWays) {
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(2100, 50, 0.1, 5));
    EXPECT_TRUE(congruence_is_dense(symmetric(2100, 0.2), z));
    EXPECT_FALSE(congruence_is_dense(symmetric(2100, 0.0), z));
}

TEST(Congruence, HasTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<double> a = symmetric(2100, 0.05);
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(2100, 30, 0.2, 9));
    ASSERT_TRUE(congruence_is_dense(a, z));
    const CsrMatrix<double> one = congruence(a, z, reference::on_threads(1));
    const CsrMatrix<double> three = congruence(a, z, reference::on_threads(3));
    EXPECT_EQ(one.indices, three.indices);
    EXPECT_EQ(one.values, three.values);
}

TEST(Congruence, RefusesWhatDoesNotFitAndCanBeCancelled) {
    const CsrMatrix<double> a = symmetric(20, 0.5);
    EXPECT_THROW((void)congruence(a, support::csr_matrix(Matrix::Ones(21, 3)), {}), InvalidArgument);
    EXPECT_THROW((void)congruence(support::csr_matrix(Matrix::Ones(2, 3)), a, {}), InvalidArgument);
    EXPECT_THROW((void)congruence(std::vector<double>(19, 1.0), a, {}), InvalidArgument);
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)congruence(a, support::csr_matrix(Matrix::Ones(20, 3)), context), Interruption);
}

}  // namespace
}  // namespace isogon::congruence_test
