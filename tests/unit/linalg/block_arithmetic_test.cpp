#include "isogon/linalg/block_arithmetic.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <tuple>
#include <vector>

#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::block_arithmetic_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

class BlockArithmetic : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, BlockArithmetic,
                         testing::Combine(testing::Values(0, 1, 7, 1023, 1024, 1025, 3000),
                                          testing::Values(1, 15, 16, 17, 40)));

TEST_P(BlockArithmetic, IsThatOfVectors) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = support::random_block(rows, columns, 1);
    BlockVectors b = support::random_block(rows, columns, 2);
    const Matrix x = to_matrix(a);
    const Matrix y = to_matrix(b);
    const double size = 1.0 + rows * columns;
    EXPECT_NEAR(dot(a, b, on_threads(2)), x.cwiseProduct(y).sum(), 1e-6 * size);
    add_scaled(-0.75, a, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), y - 0.75 * x), 1e-5);
    scale(3.0, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), 3.0 * y - 2.25 * x), 1e-5);
}

TEST_P(BlockArithmetic, SumsToTheSameBitsOnAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = support::random_block(rows, columns, 3);
    const BlockVectors b = support::random_block(rows, columns, 4);
    const double one = dot(a, b, on_threads(1));
    EXPECT_EQ(one, dot(a, b, on_threads(2)));
    EXPECT_EQ(one, dot(a, b, on_threads(3)));
}

const std::vector<double> factors{2.0, -0.5, 0.0};

Matrix diagonal() {
    return Eigen::Vector3d(factors[0], factors[1], factors[2]).asDiagonal();
}

TEST(ColumnArithmetic, DotsAreTheDiagonalOfTheProduct) {
    const BlockVectors a = support::random_block(3000, 3, 1);
    const BlockVectors b = support::random_block(3000, 3, 2);
    const Matrix expected = to_matrix(a).transpose() * to_matrix(b);
    const auto dots = column_dots(a, b, {});
    ASSERT_EQ(dots.size(), 3);
    for (Index k = 0; k < 3; ++k) {
        EXPECT_NEAR(dots[k], expected(k, k), 1e-10);
    }
    EXPECT_EQ(dots, column_dots(a, b, {.threads = 3}));
    EXPECT_EQ(dots, column_dots(a, b, {.threads = 1}));
}

TEST(ColumnArithmetic, EveryColumnHasItsFactor) {
    const BlockVectors a = support::random_block(1500, 3, 1);
    const BlockVectors b = support::random_block(1500, 3, 2);
    BlockVectors sum = b;
    add_scaled_columns(factors, a, sum, {});
    EXPECT_LT(support::difference(to_matrix(sum), to_matrix(b) + to_matrix(a) * diagonal()), 1e-5);
    BlockVectors scaled = b;
    scale_columns_and_add(factors, a, scaled, {});
    EXPECT_LT(support::difference(to_matrix(scaled), to_matrix(a) + to_matrix(b) * diagonal()), 1e-5);
}

using support::random_block;
using support::random_matrix;

// Float32 rounding over the 128 components that the kernel sums at once, as a share of the sum of magnitudes.
constexpr double rounding = 2e-6;

/// Largest error of a product A^T B as a share of what rounding may do to it.
double relative_error(const Matrix& result, const Matrix& at, const Matrix& b) {
    const Matrix exact = at * b;
    const Matrix scale = at.cwiseAbs() * b.cwiseAbs();
    return support::difference(result, exact) == INFINITY
               ? INFINITY
               : ((result - exact).array().abs() / (scale.array() + 1e-30)).maxCoeff();
}

class TallProducts : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, TallProducts,
                         testing::Combine(testing::Values(1, 47, 48, 49, 511, 513, 2000),
                                          testing::Values(1, 15, 16, 17, 47, 48, 49, 97, 130)));

TEST_P(TallProducts, GramIsTheProductInFloat64) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 1);
    const BlockVectors b = random_block(rows, 33, 2);
    EXPECT_LT(relative_error(to_matrix(gram(a, b, on_threads(2))), to_matrix(a).transpose(), to_matrix(b)), rounding);
    EXPECT_LT(relative_error(to_matrix(gram(b, a, on_threads(2))), to_matrix(b).transpose(), to_matrix(a)), rounding);
}

TEST_P(TallProducts, MultiplyIsTheProductInFloat64) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 3);
    const BlockVectors c = random_block(columns, 51, 4);
    const BlockVectors product = multiply(a, support::to_small(to_matrix(c)), on_threads(2));
    EXPECT_LT(relative_error(to_matrix(product), to_matrix(a), to_matrix(c)), rounding);
}

TEST_P(TallProducts, MultiplyAddIsTheSumOfBothProducts) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 5);
    const BlockVectors b = random_block(rows, 21, 6);
    const BlockVectors c = random_block(columns, 50, 7);
    const BlockVectors d = random_block(21, 50, 8);
    const BlockVectors sum = multiply_add(a, support::to_small(to_matrix(c)), b, support::to_small(to_matrix(d)), {});
    Matrix left(rows, columns + 21);
    left << to_matrix(a), to_matrix(b);
    Matrix right(columns + 21, 50);
    right << to_matrix(c), to_matrix(d);
    EXPECT_LT(relative_error(to_matrix(sum), left, right), rounding);
}

TEST_P(TallProducts, ProductsLeaveThePaddingZero) {
    const auto [rows, columns] = GetParam();
    const BlockVectors product =
        multiply(random_block(rows, 5, 9), support::to_small(random_matrix(5, columns, 10)), on_threads(2));
    for (Index i = 0; i < rows; ++i) {
        for (std::size_t k = columns; k < product.stride(); ++k) {
            ASSERT_EQ(product.row(i)[k], 0.0F);
        }
    }
}

TEST_P(TallProducts, AreTheSameBitsForAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const BlockVectors a = random_block(rows, columns, 13);
    const DenseMatrix c = support::to_small(random_matrix(columns, 19, 14));
    const auto all = [&](int threads) {
        const RunContext context = on_threads(threads);
        const Matrix sum = to_matrix(multiply_add(a, c, a, c, context));
        return std::tuple(gram(a, a, context).values, Matrix(to_matrix(multiply(a, c, context))), sum);
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(TallProducts, CutTheRowsOfVeryTallBlocksToo) {
    for (const Index rows : {8191, 8192, 8193, 20000}) {
        const BlockVectors a = random_block(rows, 3, 16);
        const DenseMatrix product = gram(a, a, on_threads(1));
        EXPECT_LT(relative_error(to_matrix(product), to_matrix(a).transpose(), to_matrix(a)), rounding);
        EXPECT_EQ(product.values, gram(a, a, on_threads(3)).values);
    }
}

TEST(TallProducts, OfNothingAreEmptyOrZero) {
    EXPECT_EQ(to_matrix(gram(BlockVectors(0, 3), BlockVectors(0, 2), {})), Matrix::Zero(3, 2));
    EXPECT_EQ(gram(BlockVectors(5, 0), random_block(5, 2, 18), {}).values.size(), 0U);
    EXPECT_EQ(to_matrix(multiply(random_block(5, 2, 18), DenseMatrix(2, 0), {})), Matrix(5, 0));
    EXPECT_EQ(to_matrix(multiply(BlockVectors(5, 0), DenseMatrix(0, 3), {})), Matrix::Zero(5, 3));
}

using support::orthonormality_error;
using support::to_block;

constexpr double orthonormal_to = 1e-5;

/// |W - basis factor| over |W|, both as largest magnitudes.
double reconstruction_error(const Orthonormal& result, const BlockVectors& w) {
    const double scale = to_matrix(w).cwiseAbs().maxCoeff();
    return support::difference(to_matrix(result.basis) * to_matrix(result.factor), to_matrix(w)) / scale;
}

class OrthonormalOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, OrthonormalOf,
                         testing::Combine(testing::Values(130, 512, 3000), testing::Values(1, 8, 24, 49, 120)));

TEST_P(OrthonormalOf, SpansRandomVectors) {
    const auto [rows, columns] = GetParam();
    const BlockVectors w = random_block(rows, columns, 1);
    const Orthonormal result = orthonormalize(w, on_threads(2));
    EXPECT_EQ(result.basis.columns(), columns);
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 1e-5);
}

TEST_P(OrthonormalOf, SpansDependentVectors) {
    const auto [rows, columns] = GetParam();
    const Index rank = (columns + 1) / 3 + 1;
    const BlockVectors w = to_block(random_matrix(rows, rank, 2) * random_matrix(rank, columns, 3));
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
    const BlockVectors w = to_block(graded * random_matrix(columns, columns, 5));
    const Orthonormal result = orthonormalize(w, on_threads(2));
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 5e-4);
}

TEST_P(OrthonormalOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const BlockVectors w = random_block(rows, columns, 6);
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
    const Orthonormal result = orthonormalize(BlockVectors(50, 4), {});
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
        const BlockVectors w = to_block(scale * random_matrix(60, 6, 11));
        const Orthonormal result = orthonormalize(w, {});
        EXPECT_EQ(result.basis.columns(), 6U);
        EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
        EXPECT_LT(reconstruction_error(result, w), 1e-5);
    }
}

TEST(Orthonormal, TakesAtMostAsManyColumnsAsThereAreRows) {
    const BlockVectors w = random_block(5, 12, 12);
    const Orthonormal result = orthonormalize(w, {});
    EXPECT_LT(orthonormality_error(to_matrix(result.basis)), orthonormal_to);
    EXPECT_LT(reconstruction_error(result, w), 1e-4);
    EXPECT_EQ(result.basis.columns(), 5U);
}

TEST(RemoveComponents, LeavesWhatIsAtRightAnglesAndSaysWhatItTook) {
    const Matrix q = support::random_orthonormal(400, 12, 13);
    const Matrix w = q * random_matrix(12, 7, 14) + 1e-3 * random_matrix(400, 7, 15);
    BlockVectors rest = to_block(w);
    DenseMatrix coefficients;
    remove_components(to_block(q), rest, coefficients, on_threads(2));
    EXPECT_LT((q.transpose() * to_matrix(rest)).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT(support::difference(to_matrix(coefficients), q.transpose() * w), 1e-5);
    EXPECT_LT(support::difference(q * to_matrix(coefficients) + to_matrix(rest), w), 1e-5);
}

TEST(RemoveComponents, LeavesNothingOfWhatLiesInTheSpan) {
    const Matrix q = support::random_orthonormal(100, 5, 16);
    BlockVectors rest = to_block(q * random_matrix(5, 3, 17));
    DenseMatrix coefficients;
    remove_components(to_block(q), rest, coefficients, {});
    EXPECT_LT(to_matrix(rest).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(RemoveComponents, OfAnEmptyBasisChangesNothing) {
    const Matrix w = random_matrix(10, 2, 18);
    BlockVectors rest = to_block(w);
    DenseMatrix coefficients;
    remove_components(BlockVectors(10, 0), rest, coefficients, {});
    EXPECT_EQ(to_matrix(rest), to_matrix(to_block(w)));
    EXPECT_EQ(coefficients.values.size(), 0U);
}

}  // namespace

}  // namespace isogon::block_arithmetic_test
