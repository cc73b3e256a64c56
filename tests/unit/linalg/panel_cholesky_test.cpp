#include "isogon/linalg/panel_cholesky.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrices.hpp"

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

}  // namespace
}  // namespace isogon::panel_cholesky_test
