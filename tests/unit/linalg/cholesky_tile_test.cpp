#include "linalg/cholesky_tile.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrices.hpp"

namespace isogon::cholesky_tile_test {
namespace {

using support::Matrix;

CholeskyTile to_tile(const Matrix& matrix) {
    CholeskyTile tile{};
    for (std::size_t j = 0; j < panel_width; ++j) {
        for (std::size_t i = 0; i < panel_width; ++i) {
            tile[j * panel_width + i] = static_cast<float>(matrix(i, j));
        }
    }
    return tile;
}

/// Its lower triangle.
Matrix lower(const CholeskyTile& tile) {
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
    CholeskyTile tile = to_tile(a);
    ASSERT_TRUE(factor_tile(tile.data()));
    const Matrix l = lower(tile);
    EXPECT_LT(support::difference(l * l.transpose(), a), 1e-5);
    CholeskyTile inverse;
    invert_tile(tile.data(), inverse);
    EXPECT_LT(support::difference(lower(inverse) * l, Matrix::Identity(panel_width, panel_width)), 1e-5);
}

TEST(CholeskyTile, RefusesAPivotThatIsNotPositive) {
    Matrix a = Matrix::Identity(panel_width, panel_width);
    a(30, 30) = 0.0;
    CholeskyTile tile = to_tile(a);
    EXPECT_FALSE(factor_tile(tile.data()));
}

}  // namespace
}  // namespace isogon::cholesky_tile_test
