#include "linalg/block_lanczos.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::block_lanczos_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using support::to_multi_vector;

using Dense = support::DenseOperator;

Dense with_values(Index size, const std::vector<double>& values) {
    return Dense(support::matrix_with_spectrum(size, values, 5));
}

std::vector<double> falling(std::size_t count, double factor) {
    std::vector<double> values(count);
    for (std::size_t k = 0; k < count; ++k) {
        values[k] = std::pow(factor, k);
    }
    return values;
}

void expect_pairs(const Dense& a, const LanczosPairs& pairs, const std::vector<double>& values) {
    const Matrix v = to_matrix(pairs.vectors);
    EXPECT_LT(support::orthonormality_error(v), 1e-13);
    ASSERT_EQ(pairs.values.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        EXPECT_NEAR(pairs.values[k], values[k], 1e-9 * values[k]);
        const double residual = (a.matrix() * v.col(column) - pairs.values[k] * v.col(column)).norm();
        EXPECT_LT(residual, 2e-7 * pairs.values[k]) << k;
        EXPECT_NEAR(residual / pairs.values[k], pairs.residuals[k], 1e-8);  // known without a product
    }
}

TEST(BlockLanczos, FindsTheLargestAcrossRestarts) {
    const std::vector<double> values = falling(600, 0.995);
    const Dense a = with_values(600, values);
    const LanczosPairs pairs =
        block_lanczos(a, MultiVector<double>(600, 0), MultiVector<double>(600, 0), {.rank = 20}, on_threads(2));
    EXPECT_GT(pairs.products, 5);  // more than the basis holds: it was restarted
    expect_pairs(a, pairs, {values.begin(), values.begin() + 20});
}

TEST(BlockLanczos, DoesNotWaitForWhatRoundingHides) {
    const Dense a = with_values(300, {1.0, 0.5, 1e-9, 1e-10});
    const LanczosPairs pairs =
        block_lanczos(a, MultiVector<double>(300, 0), MultiVector<double>(300, 0), {.rank = 4}, {});
    expect_pairs(a, pairs, {1.0, 0.5});
}

TEST(BlockLanczos, StaysInTheComplementOfWhatIsLocked) {
    const Matrix q = support::random_orthonormal(200, 3, 1);
    const Matrix beyond = Matrix::Identity(200, 200) - q * q.transpose();
    const Dense a(beyond * with_values(200, falling(200, 0.9)).matrix() * beyond);
    const LanczosPairs pairs = block_lanczos(a, to_multi_vector(q), MultiVector<double>(200, 0), {.rank = 5}, {});
    EXPECT_LT((q.transpose() * to_matrix(pairs.vectors)).cwiseAbs().maxCoeff(), 1e-13);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_LT(pairs.residuals[k], 1e-7);
    }
}

TEST(BlockLanczos, OfAllOfASmallSpaceIsExact) {
    for (const Index size : {1, 2, 60}) {
        const std::vector<double> values = falling(size, 0.9);
        const Dense a = with_values(size, values);
        expect_pairs(a,
                     block_lanczos(a, MultiVector<double>(size, 0), MultiVector<double>(size, 0), {.rank = size}, {}),
                     values);
    }
}

TEST(BlockLanczos, EndsAndSaysWhatItDidNotReach) {
    const Dense a = with_values(900, falling(900, 0.9999));
    const LanczosPairs pairs =
        block_lanczos(a, MultiVector<double>(900, 0), MultiVector<double>(900, 0), {.rank = 4, .max_products = 3}, {});
    EXPECT_EQ(pairs.products, 3);
    ASSERT_EQ(pairs.residuals.size(), 4U);
    EXPECT_GT(pairs.residuals[3], 1e-6);
}

TEST(BlockLanczos, BeginsAtTheGivenStart) {
    const Dense a = with_values(500, falling(500, 0.99));
    const MultiVector<double> none(500, 0);
    const LanczosPairs cold = block_lanczos(a, none, none, {.rank = 5}, {});
    const LanczosPairs warm = block_lanczos(a, none, cold.vectors, {.rank = 5}, {});
    EXPECT_LT(warm.products, cold.products);
}

TEST(BlockLanczos, TheSameBitsForAnyNumberOfThreadsAndCanBeCancelled) {
    const Dense a = with_values(300, falling(300, 0.97));
    const MultiVector<double> none(300, 0);
    EXPECT_EQ(block_lanczos(a, none, none, {.rank = 5}, on_threads(1)).vectors.values(),
              block_lanczos(a, none, none, {.rank = 5}, on_threads(3)).vectors.values());
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)block_lanczos(a, none, none, {.rank = 5}, context), Interruption);
}

TEST(OrthonormalBeyond, ListsWhatIsNew) {
    const Matrix q = support::random_orthonormal(100, 4, 1);
    Matrix w = support::random_matrix(100, 6, 2);
    w.col(1) = q.col(2) * 1e5;             // explained by the span
    w.col(3) = w.col(0) - 2.0 * w.col(2);  // by those before
    w.col(4) = q.col(0) * 1e7 + w.col(4);  // short beside its part in the span
    w.col(5).setZero();
    const MultiVector<double> span = to_multi_vector(q);
    const OrthonormalColumns columns = orthonormal_beyond({&span}, to_multi_vector(w), {});
    EXPECT_EQ(columns.kept, (std::vector<Index>{0, 2, 4}));
    const Matrix basis = to_matrix(columns.basis);
    EXPECT_LT(support::orthonormality_error(basis), 1e-14);
    EXPECT_LT((q.transpose() * basis).cwiseAbs().maxCoeff(), 1e-14);
    const MultiVector<double> full = filled_up({&span}, columns.basis, 96, {});
    EXPECT_EQ(full.columns(), 96U);
    EXPECT_LT(support::orthonormality_error(to_matrix(full)), 1e-13);
    EXPECT_LT(support::difference(to_matrix(full).leftCols(3), basis), 1e-14);
}

}  // namespace
}  // namespace isogon::block_lanczos_test
