#include "spectral/orthonormal_block.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::orthonormal_block_test {
namespace {

using support::DenseOperator;
using support::Matrix;
using support::to_matrix;

void expect_orthonormal(const BlockWithImage& block, const Matrix& b) {
    const Matrix x = to_matrix(block.vectors);
    EXPECT_LT(support::difference(x.transpose() * b * x, Matrix::Identity(x.cols(), x.cols())), 1e-12);
    EXPECT_LT(support::difference(to_matrix(block.through_b()), b * x), 1e-12);
}

TEST(OrthonormalBlock, IsSoInBAndAgainstOthers) {
    const DenseOperator b(support::random_definite(90, 1e-3, 1));
    const BlockWithImage first = orthonormal_to({}, support::to_wide(support::random_matrix(90, 6, 2)), &b, {});
    const BlockWithImage second = orthonormal_to({&first}, support::to_wide(support::random_matrix(90, 9, 3)), &b, {});
    expect_orthonormal(first, b.matrix());
    expect_orthonormal(second, b.matrix());
    EXPECT_LT((to_matrix(first.vectors).transpose() * to_matrix(second.through_b())).norm(), 1e-12);
}

TEST(OrthonormalBlock, KeepsWhatIsNearlyInTheOthersSpan) {
    const Matrix q = support::random_orthonormal(60, 8, 4);
    const BlockWithImage first = orthonormal_to({}, support::to_wide(q.leftCols(4)), nullptr, {});
    const Matrix w = q.leftCols(4) + 1e-9 * q.rightCols(4);
    const BlockWithImage second = orthonormal_to({&first}, support::to_wide(w), nullptr, {});
    ASSERT_EQ(second.vectors.columns, 4U);
    expect_orthonormal(second, Matrix::Identity(60, 60));
    const Matrix kept = to_matrix(second.vectors);
    EXPECT_LT(support::difference(kept * kept.transpose(), q.rightCols(4) * q.rightCols(4).transpose()), 1e-5);
}

TEST(OrthonormalBlock, DropsZeroesAndRepetitions) {
    Matrix w = support::random_matrix(50, 5, 5);
    w.col(1).setZero();
    w.col(3) = -2.0 * w.col(0);
    const BlockWithImage block = orthonormal_to({}, support::to_wide(w), nullptr, {});
    EXPECT_EQ(block.vectors.columns, 3U);
    expect_orthonormal(block, Matrix::Identity(50, 50));
    EXPECT_EQ(orthonormal_to({&block}, support::to_wide(w), nullptr, {}).vectors.columns, 0U);
}

}  // namespace
}  // namespace isogon::orthonormal_block_test
