#include "linalg/dense_cholesky.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/spectral_problems.hpp"

namespace isogon::dense_cholesky_test {
namespace {

using support::Matrix;

/// Rows that are a little longer than the matrix, with a number in between that must stay.
struct Rows {
    explicit Rows(const Matrix& a) : size(static_cast<std::size_t>(a.rows())), values(size * (size + 3), untouched) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                values[i * (size + 3) + j] = a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            }
        }
    }
    LowerTriangle triangle() { return {values.data(), size, size + 3}; }
    [[nodiscard]] Matrix lower() const {
        Matrix result = Matrix::Zero(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size + 3; ++j) {
                const double value = values[i * (size + 3) + j];
                if (j <= i) {
                    result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
                } else {
                    EXPECT_EQ(value, untouched);
                }
            }
        }
        return result;
    }

    static constexpr double untouched = 7.0;
    std::size_t size;
    std::vector<double> values;
};

TEST(DenseCholesky, FactorsAndInvertsAtEverySize) {
    for (const Index size : {1, 2, 47, 48, 49, 96, 97, 300}) {
        const Matrix a = support::random_definite(size, 0.1, size);
        Rows rows(a);
        ASSERT_TRUE(factor_cholesky(rows.triangle(), {.threads = 3})) << size;
        const Matrix l = rows.lower();
        EXPECT_LT((l * l.transpose() - a).norm(), 1e-12 * a.norm()) << size;
        invert_from_cholesky(rows.triangle(), {.threads = 3});
        const Matrix inverse = rows.lower().selfadjointView<Eigen::Lower>();
        EXPECT_LT((inverse * a - Matrix::Identity(size, size)).norm(), 1e-9 * size) << size;
    }
}

TEST(DenseCholesky, HasTheSameBitsOnAnyNumberOfThreads) {
    const Matrix a = support::random_definite(260, 0.01, 1);
    Rows one(a);
    Rows three(a);
    ASSERT_TRUE(factor_cholesky(one.triangle(), {.threads = 1}));
    ASSERT_TRUE(factor_cholesky(three.triangle(), {.threads = 3}));
    EXPECT_EQ(one.values, three.values);
    invert_from_cholesky(one.triangle(), {.threads = 1});
    invert_from_cholesky(three.triangle(), {.threads = 3});
    EXPECT_EQ(one.values, three.values);
}

TEST(DenseCholesky, LeavesAMatrixThatIsNotPositiveDefinite) {
    Matrix a = support::random_definite(150, 0.1, 3);
    a(140, 140) = -1.0;
    Rows rows(a);
    const std::vector<double> before = rows.values;
    EXPECT_FALSE(factor_cholesky(rows.triangle(), {}));
    EXPECT_EQ(rows.values, before);
}

TEST(DenseCholesky, CanBeCancelled) {
    Rows rows(support::random_definite(100, 0.1, 4));
    const std::vector<double> before = rows.values;
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW(static_cast<void>(factor_cholesky(rows.triangle(), context)), Interruption);
    EXPECT_EQ(rows.values, before);
    EXPECT_THROW(invert_from_cholesky(rows.triangle(), context), Interruption);
}

TEST(DenseCholesky, TakesAMatrixWithoutRows) {
    Rows rows(Matrix(0, 0));
    EXPECT_TRUE(factor_cholesky(rows.triangle(), {}));
    invert_from_cholesky(rows.triangle(), {});
}

}  // namespace
}  // namespace isogon::dense_cholesky_test
