#include "linalg/multi_vector_arithmetic.hpp"

#include <gtest/gtest.h>
#include <tuple>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::orthonormalize_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::orthonormality_error;
using support::random_block;
using support::random_matrix;
using support::to_block;
using support::to_matrix;

constexpr double orthonormal_to = 1e-5;

/// |W - basis factor| over |W|, both as largest magnitudes.
double reconstruction_error(const Orthonormal& result, const MultiVector<float>& w) {
    const double scale = to_matrix(w).cwiseAbs().maxCoeff();
    return support::difference(to_matrix(result.basis) * to_matrix(result.factor), to_matrix(w)) / scale;
}

class OrthonormalOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, OrthonormalOf,
                         testing::Combine(testing::Values(130, 512, 3000), testing::Values(1, 8, 24, 49, 120)));

TEST_P(OrthonormalOf, SpansRandomVectors) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> w = random_block(rows, columns, 1);
    const Orthonormal result = orthonormalize(w, on_threads(2));
    EXPECT_EQ(result.basis.columns(), columns);
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 1e-5);
}

TEST_P(OrthonormalOf, SpansDependentVectors) {
    const auto [rows, columns] = GetParam();
    const Index rank = (columns + 1) / 3 + 1;
    const MultiVector<float> w = to_block(random_matrix(rows, rank, 2) * random_matrix(rank, columns, 3));
    const Orthonormal result = orthonormalize(w, on_threads(2));
    EXPECT_GE(result.basis.columns(), std::min(rank, columns));
    EXPECT_LE(result.basis.columns(), columns);
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 1e-5);
}

TEST_P(OrthonormalOf, SpansVectorsOfVeryDifferentLengths) {
    const auto [rows, columns] = GetParam();
    Matrix graded = random_matrix(rows, columns, 4);
    for (Index j = 0; j < columns; ++j) {
        graded.col(j) *= std::pow(10.0, -6.0 * j / columns);
    }
    const MultiVector<float> w = to_block(graded * random_matrix(columns, columns, 5));
    const Orthonormal result = orthonormalize(w, on_threads(2));
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 5e-4);
}

TEST_P(OrthonormalOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> w = random_block(rows, columns, 6);
    const Matrix one = to_matrix(orthonormalize(w, on_threads(1)).basis);
    EXPECT_EQ(one, to_matrix(orthonormalize(w, on_threads(2)).basis));
    EXPECT_EQ(one, to_matrix(orthonormalize(w, on_threads(3)).basis));
}

TEST(Orthonormal, DropsWhatIsShorterThanAskedFor) {
    Matrix w = support::random_orthonormal(200, 3, 7);
    w.col(1) *= 0.3;
    w.col(2) *= 0.01;
    EXPECT_EQ(orthonormalize(to_block(w), {}, 0.5).basis.columns(), 1U);
    EXPECT_EQ(orthonormalize(to_block(w), {}, 0.1).basis.columns(), 2U);
    EXPECT_EQ(orthonormalize(to_block(w), {}, 1e-3).basis.columns(), 3U);
}

TEST(Orthonormal, HasOneColumnForCopiesOfOneVector) {
    const Matrix one = random_matrix(300, 1, 8);
    const Orthonormal result = orthonormalize(to_block(one.replicate(1, 20)), {});
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, to_block(one.replicate(1, 20))), 1e-5);
    EXPECT_GE(result.basis.columns(), 1U);
}

TEST(Orthonormal, OfZeroIsEmpty) {
    const Orthonormal result = orthonormalize(MultiVector<float>(50, 4), {});
    EXPECT_EQ(result.basis.rows(), 50U);
    EXPECT_EQ(result.basis.columns(), 0U);
    EXPECT_EQ(to_matrix(result.factor), Matrix(0, 4));
}

TEST(Orthonormal, IgnoresZeroColumns) {
    Matrix w = Matrix::Zero(80, 5);
    w.col(1) = random_matrix(80, 1, 9);
    w.col(4) = random_matrix(80, 1, 10);
    const Orthonormal result = orthonormalize(to_block(w), {});
    EXPECT_EQ(result.basis.columns(), 2U);
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, to_block(w)), 1e-5);
}

TEST(Orthonormal, DoesNotCareForScale) {
    for (const double scale : {1e-15, 1e15}) {
        const MultiVector<float> w = to_block(scale * random_matrix(60, 6, 11));
        const Orthonormal result = orthonormalize(w, {});
        EXPECT_EQ(result.basis.columns(), 6U);
        EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
        EXPECT_LT(reconstruction_error(result, w), 1e-5);
    }
}

TEST(Orthonormal, TakesAtMostAsManyColumnsAsThereAreRows) {
    const MultiVector<float> w = random_block(5, 12, 12);
    const Orthonormal result = orthonormalize(w, {});
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 1e-4);
    EXPECT_EQ(result.basis.columns(), 5U);
}

TEST(RemoveComponents, LeavesWhatIsAtRightAnglesAndSaysWhatItTook) {
    const Matrix q = support::random_orthonormal(400, 12, 13);
    const Matrix w = q * random_matrix(12, 7, 14) + 1e-3 * random_matrix(400, 7, 15);
    MultiVector<float> rest = to_block(w);
    DenseMatrix coefficients;
    remove_components(to_block(q), rest, coefficients, on_threads(2));
    EXPECT_LT((q.transpose() * to_matrix(rest)).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT(support::difference(to_matrix(coefficients), q.transpose() * w), 1e-5);
    EXPECT_LT(support::difference(q * to_matrix(coefficients) + to_matrix(rest), w), 1e-5);
}

TEST(RemoveComponents, OfAnEmptyBasisChangesNothing) {
    const Matrix w = random_matrix(10, 2, 18);
    MultiVector<float> rest = to_block(w);
    DenseMatrix coefficients;
    remove_components(MultiVector<float>(10, 0), rest, coefficients, {});
    EXPECT_EQ(to_matrix(rest), to_matrix(to_block(w)));
    EXPECT_EQ(coefficients.values.size(), 0U);
}

}  // namespace

}  // namespace isogon::orthonormalize_test
