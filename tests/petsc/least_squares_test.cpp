#include "least_squares.hpp"

#include <gtest/gtest.h>

#include "ranks.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::least_squares_test {
namespace {

using ranks::group;
using support::Matrix;

Matrix solution_of(const Matrix& k, const Matrix& b, const LeastSquaresOptions& options, LeastSquares& found) {
    const DistributedMatrix rows = own_rows(support::csr_matrix(k), group());
    const auto own_columns = static_cast<Index>(group().own_part(static_cast<std::size_t>(k.cols())).size());
    found = least_squares({rows, own_columns, own_rows(support::to_multi_vector(b), group())}, options, group(), {});
    return support::to_matrix(whole(found.solution, group()));
}

TEST(LeastSquares, AreThoseOfTheWhole) {
    Matrix k = support::random_sparse(80, 40, 0.3, 1);
    k.col(3) *= 1e3;
    const Matrix b = support::random_matrix(80, 3, 2);
    const Matrix truth = k.colPivHouseholderQr().solve(b);
    for (const bool factor : {false, true}) {
        LeastSquares found;
        const Matrix t = solution_of(k, b, {.tolerance = 1e-10, .factor = factor}, found);
        EXPECT_LT(support::difference(t, truth), 1e-7);
        EXPECT_EQ(found.factored, factor);
        EXPECT_EQ(found.termination, Termination::Converged);
        EXPECT_LT(found.largest_residual(), 1e-9);
        EXPECT_LT(found.iterations, factor ? 5 : 200);
    }
}

TEST(LeastSquares, LeaveColumnsOfZerosAtZero) {
    Matrix k = support::random_sparse(30, 12, 0.4, 3);
    k.col(5).setZero();
    Matrix b = support::random_matrix(30, 2, 4);
    b.col(1).setZero();
    for (const bool factor : {false, true}) {
        LeastSquares found;
        const Matrix t = solution_of(k, b, {.tolerance = 1e-9, .factor = factor}, found);
        EXPECT_EQ(t.row(5).norm(), 0.0);
        EXPECT_EQ(t.col(1).norm(), 0.0);
        EXPECT_LT(support::difference(k.transpose() * k * t, k.transpose() * b), 1e-7);
    }
}

TEST(LeastSquares, EndAtTheLimitAndSaySo) {
    const Matrix k = support::random_sparse(80, 40, 0.3, 1);
    LeastSquares found;
    (void)solution_of(k, support::random_matrix(80, 2, 2), {.tolerance = 1e-10, .iterations = 3}, found);
    EXPECT_EQ(found.termination, Termination::IterationLimit);
    EXPECT_GT(found.largest_residual(), 1e-10);
    EXPECT_EQ(found.iterations, 3);
}

}  // namespace
}  // namespace isogon::least_squares_test
