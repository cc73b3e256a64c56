#include "decomposition/row_cholesky.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/spectral_problems.hpp"

namespace isogon::row_cholesky_test {
namespace {

using support::Matrix;

std::vector<double> rows_of(const Matrix& a) {
    std::vector<double> values;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
        for (Eigen::Index j = 0; j < a.cols(); ++j) {
            values.push_back(a(i, j));
        }
    }
    return values;
}

TEST(RowCholesky, Solves) {
    for (const Index r : {1, 2, 7, 16}) {
        const Matrix half = support::random_matrix(r + 5, r, 1);
        const Matrix a = half.transpose() * half;
        const Matrix x = support::random_matrix(r, 1, 2);
        std::vector<double> factor = rows_of(a);
        std::vector<double> found = rows_of(a * x);
        cholesky_in_place(factor.data(), r);
        cholesky_solve(factor.data(), r, found.data());
        for (Index k = 0; k < r; ++k) {
            EXPECT_NEAR(found[k], x(k, 0), 1e-9) << r << " " << k;
        }
    }
}

TEST(RowCholesky, IsFiniteWhereTheMatrixIsSingular) {
    const Matrix half = support::random_matrix(2, 5, 1);
    for (const Matrix& a : {Matrix(half.transpose() * half), Matrix(Matrix::Zero(5, 5))}) {
        std::vector<double> factor = rows_of(a);
        std::vector<double> found = rows_of(a * support::random_matrix(5, 1, 2));
        cholesky_in_place(factor.data(), 5);
        cholesky_solve(factor.data(), 5, found.data());
        for (const double value : found) {
            EXPECT_TRUE(std::isfinite(value));
        }
    }
}

}  // namespace
}  // namespace isogon::row_cholesky_test
