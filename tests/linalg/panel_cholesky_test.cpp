#include "linalg/dense_cholesky.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::panel_cholesky_test {

namespace {

using support::Matrix;

/// The lower triangle of a dense matrix; the identity past its size, nonsense above the diagonal.
PanelMatrix to_panels(const Matrix& matrix) {
    PanelMatrix panels(static_cast<Index>(matrix.rows()));
    const auto padded = static_cast<Index>(panels.panels() * panel_width);
    for (Index i = 0; i < padded; ++i) {
        for (Index j = 0; j <= i; ++j) {
            panels.at(i, j) = i < panels.size() ? static_cast<float>(matrix(i, j)) : (i == j ? 1.0F : 0.0F);
        }
        for (Index j = i + 1; j < padded && j / panel_width == i / panel_width; ++j) {
            panels.at(i, j) = 99.0F;
        }
    }
    return panels;
}

Matrix lower(const PanelMatrix& panels) {
    Matrix result = Matrix::Zero(panels.size(), panels.size());
    for (Index i = 0; i < panels.size(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            result(i, j) = double{panels.at(i, j)};
        }
    }
    return result;
}

Matrix positive_definite(Index size, double ridge) {
    const Matrix a = support::random_matrix(size, size + 3, size);
    Matrix product = a * a.transpose() / size;
    product.diagonal().array() += ridge;
    return product;
}

class PanelCholesky : public testing::TestWithParam<Index> {};

TEST_P(PanelCholesky, TimesItsTransposeIsTheMatrixWhateverIsAboveTheDiagonal) {
    const Matrix a = positive_definite(GetParam(), 0.1);
    PanelMatrix factor(GetParam());
    ASSERT_TRUE(factor_cholesky(to_panels(a), factor));
    const Matrix l = lower(factor);
    EXPECT_LT(support::difference(l * l.transpose(), a), 1e-5);
}

TEST_P(PanelCholesky, SolvesTheEquation) {
    const Index size = GetParam();
    const Matrix a = positive_definite(size, 0.1);
    PanelMatrix factor(size);
    ASSERT_TRUE(factor_cholesky(to_panels(a), factor));
    const Matrix b = support::random_matrix(size, 1, 5);
    std::vector<float> x(factor.panels() * panel_width);
    for (Index i = 0; i < size; ++i) {
        x[i] = static_cast<float>(b(i, 0));
    }
    solve_cholesky(factor, x);
    Matrix solution(size, 1);
    for (Index i = 0; i < size; ++i) {
        solution(i, 0) = double{x[i]};
    }
    EXPECT_LT((a * solution - b).norm(), 1e-4 * b.norm());
    EXPECT_TRUE(std::all_of(x.begin() + size, x.end(), [](float value) { return value == 0.0F; }));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PanelCholesky, testing::Values(1, 2, 47, 48, 49, 96, 130, 200));

TEST(PanelMatrix, OfAHundredThousandRowsIsCountedInFull) {
    EXPECT_GE(PanelMatrix::bytes(100000), std::uint64_t{20000000000});
}

TEST(PanelCholesky, RefusesWhatIsNotPositiveDefinite) {
    Matrix a = positive_definite(100, 0.1);
    a(70, 70) = -1.0;
    PanelMatrix factor(100);
    EXPECT_FALSE(factor_cholesky(to_panels(a), factor));
    EXPECT_FALSE(factor_cholesky(to_panels(Matrix::Zero(3, 3)), factor));
    EXPECT_FALSE(factor_cholesky(to_panels(Matrix::Constant(2, 2, NAN)), factor));
}

CholeskyTile<float> to_tile(const Matrix& matrix) {
    CholeskyTile<float> tile{};
    for (std::size_t j = 0; j < panel_width; ++j) {
        for (std::size_t i = 0; i < panel_width; ++i) {
            tile[j * panel_width + i] = static_cast<float>(matrix(i, j));
        }
    }
    return tile;
}

/// Its lower triangle.
Matrix lower(const CholeskyTile<float>& tile) {
    Matrix result = Matrix::Zero(panel_width, panel_width);
    for (std::size_t j = 0; j < panel_width; ++j) {
        for (std::size_t i = j; i < panel_width; ++i) {
            result(i, j) = double{tile[j * panel_width + i]};
        }
    }
    return result;
}

TEST(CholeskyTile, TimesItsTransposeIsTheMatrixAndTimesItsInverseTheIdentity) {
    const Matrix g = support::random_matrix(panel_width, panel_width + 10, 1);
    const Matrix a = g * g.transpose() / panel_width + 0.1 * Matrix::Identity(panel_width, panel_width);
    CholeskyTile<float> tile = to_tile(a);
    ASSERT_TRUE(factor_tile(tile.data()));
    const Matrix l = lower(tile);
    EXPECT_LT(support::difference(l * l.transpose(), a), 1e-5);
    CholeskyTile<float> inverse;
    invert_tile(tile.data(), inverse);
    EXPECT_LT(support::difference(lower(inverse) * l, Matrix::Identity(panel_width, panel_width)), 1e-5);
}

TEST(CholeskyTile, RefusesAPivotThatIsNotPositive) {
    Matrix a = Matrix::Identity(panel_width, panel_width);
    a(30, 30) = 0.0;
    CholeskyTile<float> tile = to_tile(a);
    EXPECT_FALSE(factor_tile(tile.data()));
}

/// The lower triangle alone: rows past the size stay zero.
PanelMatrix to_lower_panels(const Matrix& matrix) {
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
        const auto factor = DenseFactor::make(to_lower_panels(a), {.threads = 3});
        ASSERT_TRUE(factor) << size;
        for (const Index columns : {1, 50}) {
            const Matrix x = support::random_matrix(size, columns, 5);
            MultiVector<double> solution = support::to_multi_vector(a * x);
            factor->solve(solution, {.threads = 3});
            EXPECT_LT(support::difference(support::to_matrix(solution), x), 2e-4) << size;
        }
    }
}

TEST(DenseFactor, HasTheSameBitsOnAnyNumberOfThreads) {
    const Matrix a = support::random_definite(500, 0.01, 1);
    MultiVector<double> one = support::to_multi_vector(support::random_matrix(500, 7, 2));
    MultiVector<double> three = one;
    DenseFactor::make(to_lower_panels(a), {.threads = 1})->solve(one, {.threads = 1});
    DenseFactor::make(to_lower_panels(a), {.threads = 3})->solve(three, {.threads = 3});
    EXPECT_EQ(one.values(), three.values());
}

TEST(DenseFactor, SaysWhereAMatrixIsNotPositiveDefinite) {
    Matrix a = support::random_definite(450, 0.1, 3);
    a(440, 440) = -1.0;
    EXPECT_FALSE(DenseFactor::make(to_lower_panels(a), {}));
}

}  // namespace

}  // namespace isogon::panel_cholesky_test
