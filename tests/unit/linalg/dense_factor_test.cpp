#include "isogon/linalg/dense_factor.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::dense_factor_test {
namespace {

using support::Matrix;

PanelMatrix to_panels(const Matrix& matrix) {
    PanelMatrix panels(static_cast<Index>(matrix.rows()));
    for (Index i = 0; i < panels.size(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            panels.at(i, j) = static_cast<float>(matrix(i, j));
        }
    }
    return panels;
}

TEST(DenseFactor, SolvesAtEverySize) {
    for (const Index size : {1, 2, 47, 48, 49, 96, 385, 700}) {
        const Matrix a = support::random_definite(size, 0.1, size);
        const auto factor = DenseFactor::make(to_panels(a), {.threads = 3});
        ASSERT_TRUE(factor) << size;
        for (const Index columns : {1, 50}) {
            const Matrix x = support::random_matrix(size, columns, 5);
            WideVectors solution = support::to_wide(a * x);
            factor->solve(solution, {.threads = 3});
            EXPECT_LT(support::difference(support::to_matrix(solution), x), 2e-4) << size;
        }
    }
}

TEST(DenseFactor, HasTheSameBitsOnAnyNumberOfThreads) {
    const Matrix a = support::random_definite(500, 0.01, 1);
    WideVectors one = support::to_wide(support::random_matrix(500, 7, 2));
    WideVectors three = one;
    DenseFactor::make(to_panels(a), {.threads = 1})->solve(one, {.threads = 1});
    DenseFactor::make(to_panels(a), {.threads = 3})->solve(three, {.threads = 3});
    EXPECT_EQ(one.values, three.values);
}

TEST(DenseFactor, SaysWhereAMatrixIsNotPositiveDefinite) {
    Matrix a = support::random_definite(450, 0.1, 3);
    a(440, 440) = -1.0;
    EXPECT_FALSE(DenseFactor::make(to_panels(a), {}));
}

}  // namespace
}  // namespace isogon::dense_factor_test
