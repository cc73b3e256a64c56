#include "isogon/linalg/wide_vectors.hpp"

#include <gtest/gtest.h>
#include <array>

#include "support/spectral_problems.hpp"

namespace isogon::wide_vectors_test {

namespace {

using support::Matrix;
using support::to_matrix;
using support::to_wide;

TEST(WideArithmetic, IsThatOfMatrices) {
    for (const Index rows : {1, 511, 1300}) {
        const Matrix u = support::random_matrix(rows, 5, 1);
        const Matrix v = support::random_matrix(rows, 3, 2);
        const Matrix c = support::random_matrix(5, 3, 3);
        EXPECT_LT(support::difference(to_matrix(cross_product(to_wide(u), to_wide(v), {})), u.transpose() * v), 1e-11);
        EXPECT_LT(support::difference(to_matrix(combination(to_wide(u), support::to_small(c), {})), u * c), 1e-12);
        WideVectors out = to_wide(v);
        subtract_combination(to_wide(u), support::to_small(c), out, {});
        EXPECT_LT(support::difference(to_matrix(out), v - u * c), 1e-12);
        const std::vector<double> lengths = column_lengths(to_wide(u), {});
        for (Index j = 0; j < 5; ++j) {
            EXPECT_NEAR(lengths[j], u.col(j).norm(), 1e-11);
        }
    }
}

TEST(WideArithmetic, ChoosesAndJoinsColumns) {
    const Matrix u = support::random_matrix(20, 4, 1);
    const WideVectors wide = to_wide(u);
    const std::array<Index, 2> chosen{3, 1};
    Matrix expected(20, 2);
    expected << u.col(3), u.col(1);
    const WideVectors columns = chosen_columns(wide, chosen);
    EXPECT_EQ(to_matrix(columns), expected);
    const WideVectors none;
    Matrix joined(20, 6);
    joined << u, expected;
    EXPECT_EQ(to_matrix(side_by_side(std::array<const WideVectors*, 3>{&wide, &none, &columns})), joined);
}

TEST(WideArithmetic, HasTheSameBitsOnAnyNumberOfThreads) {
    const WideVectors u = to_wide(support::random_matrix(3000, 5, 1));
    EXPECT_EQ(cross_product(u, u, {.threads = 1}).values, cross_product(u, u, {.threads = 3}).values);
    EXPECT_EQ(column_lengths(u, {.threads = 1}), column_lengths(u, {.threads = 3}));
}

}  // namespace

}  // namespace isogon::wide_vectors_test
