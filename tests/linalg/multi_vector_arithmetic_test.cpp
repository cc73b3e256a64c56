#include "linalg/multi_vector_arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <type_traits>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::multi_vector_arithmetic_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

class FloatArithmetic : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, FloatArithmetic,
                         testing::Combine(testing::Values(0, 1, 7, 1023, 1024, 1025, 3000),
                                          testing::Values(1, 15, 16, 17, 40)));

TEST_P(FloatArithmetic, IsThatOfVectors) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = support::random_block(rows, columns, 1);
    MultiVector<float> b = support::random_block(rows, columns, 2);
    const Matrix x = to_matrix(a);
    const Matrix y = to_matrix(b);
    const double size = 1.0 + rows * columns;
    EXPECT_NEAR(dot(a, b, on_threads(2)), x.cwiseProduct(y).sum(), 1e-6 * size);
    axpy(-0.75, a, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), y - 0.75 * x), 1e-5);
    scale(3.0, b, on_threads(2));
    EXPECT_LE(support::difference(to_matrix(b), 3.0 * y - 2.25 * x), 1e-5);
    assign(-1.0, a, b, on_threads(2));
    EXPECT_EQ(to_matrix(b), -x);
}

TEST_P(FloatArithmetic, KeepsTheMemoryOfABlockThatFits) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = support::random_block(rows, columns, 3);
    MultiVector<float> b = support::random_block(rows, columns, 4);
    const float* const memory = b.values().data();
    assign(2.0, a, b, {});
    set_shape(b, rows, columns);
    EXPECT_EQ(b.values().data(), memory);
    EXPECT_EQ(to_matrix(b), 2.0 * to_matrix(a));
    set_zero(b, rows, columns);
    EXPECT_EQ(b.values().data(), memory);
    EXPECT_EQ(to_matrix(b), 0.0 * to_matrix(a));
    MultiVector<float> other(rows + 1, columns);
    assign(1.0, a, other, {});
    EXPECT_EQ(to_matrix(other), to_matrix(a));
    const MultiVector<float> taken = std::move(b);
    set_shape(b, rows, columns);  // a moved-from object has its shape, and gets memory again
    EXPECT_EQ(to_matrix(b), 0.0 * to_matrix(a));
}

TEST_P(FloatArithmetic, VisitsAllRowsByTheirNumbers) {
    const auto [rows, columns] = GetParam();
    constexpr Index first = 70;
    MultiVector<float> a(rows, columns);
    a.fill_zero();
    for_each_row_block(a, first, on_threads(3), [](const RowBlock& block) {
        for (std::size_t i = 0; i < block.rows; ++i) {
            float* const row = block.values + i * block.stride;
            std::for_each_n(row, block.columns, [&](float& number) { number += static_cast<float>(block.first + i); });
        }
    });
    for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < columns; ++k) {
            ASSERT_EQ(a.row(i)[k], static_cast<float>(first + i));
        }
    }
}

TEST_P(FloatArithmetic, SumsToTheSameBitsOnAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = support::random_block(rows, columns, 3);
    const MultiVector<float> b = support::random_block(rows, columns, 4);
    const double one = dot(a, b, on_threads(1));
    EXPECT_EQ(one, dot(a, b, on_threads(2)));
    EXPECT_EQ(one, dot(a, b, on_threads(3)));
}

const std::vector<double> factors{2.0, -0.5, 0.0};

Matrix diagonal() {
    return Eigen::Vector3d(factors[0], factors[1], factors[2]).asDiagonal();
}

TEST(ColumnArithmetic, DotsAreTheDiagonalOfTheProduct) {
    const MultiVector<float> a = support::random_block(3000, 3, 1);
    const MultiVector<float> b = support::random_block(3000, 3, 2);
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
    const MultiVector<float> a = support::random_block(1500, 3, 1);
    const MultiVector<float> b = support::random_block(1500, 3, 2);
    MultiVector<float> sum = b;
    axpy(factors, a, sum, {});
    EXPECT_LT(support::difference(to_matrix(sum), to_matrix(b) + to_matrix(a) * diagonal()), 1e-5);
    MultiVector<float> scaled = b;
    aypx(factors, a, scaled, {});
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
    const MultiVector<float> a = random_block(rows, columns, 1);
    const MultiVector<float> b = random_block(rows, 33, 2);
    EXPECT_LT(relative_error(to_matrix(gram(a, b, on_threads(2))), to_matrix(a).transpose(), to_matrix(b)), rounding);
    EXPECT_LT(relative_error(to_matrix(gram(b, a, on_threads(2))), to_matrix(b).transpose(), to_matrix(a)), rounding);
}

TEST_P(TallProducts, MultiplyIsTheProductInFloat64) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = random_block(rows, columns, 3);
    const MultiVector<float> c = random_block(columns, 51, 4);
    const MultiVector<float> product = multiply(a, support::to_small(to_matrix(c)), on_threads(2));
    EXPECT_LT(relative_error(to_matrix(product), to_matrix(a), to_matrix(c)), rounding);
}

TEST_P(TallProducts, MultiplyAddIsTheSumOfBothProducts) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = random_block(rows, columns, 5);
    const MultiVector<float> b = random_block(rows, 21, 6);
    const MultiVector<float> c = random_block(columns, 50, 7);
    const MultiVector<float> d = random_block(21, 50, 8);
    const MultiVector<float> sum =
        multiply_add(a, support::to_small(to_matrix(c)), b, support::to_small(to_matrix(d)), {});
    Matrix left(rows, columns + 21);
    left << to_matrix(a), to_matrix(b);
    Matrix right(columns + 21, 50);
    right << to_matrix(c), to_matrix(d);
    EXPECT_LT(relative_error(to_matrix(sum), left, right), rounding);
}

TEST_P(TallProducts, ProductsLeaveThePaddingZero) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> product =
        multiply(random_block(rows, 5, 9), support::to_small(random_matrix(5, columns, 10)), on_threads(2));
    for (Index i = 0; i < rows; ++i) {
        for (std::size_t k = columns; k < product.stride(); ++k) {
            ASSERT_EQ(product.row(i)[k], 0.0F);
        }
    }
}

TEST_P(TallProducts, AreTheSameBitsForAnyNumberOfThreads) {
    const auto [rows, columns] = GetParam();
    const MultiVector<float> a = random_block(rows, columns, 13);
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
        const MultiVector<float> a = random_block(rows, 3, 16);
        const DenseMatrix product = gram(a, a, on_threads(1));
        EXPECT_LT(relative_error(to_matrix(product), to_matrix(a).transpose(), to_matrix(a)), rounding);
        EXPECT_EQ(product.values, gram(a, a, on_threads(3)).values);
    }
}

TEST(TallProducts, OfNothingAreEmptyOrZero) {
    EXPECT_EQ(to_matrix(gram(MultiVector<float>(0, 3), MultiVector<float>(0, 2), {})), Matrix::Zero(3, 2));
    EXPECT_EQ(gram(MultiVector<float>(5, 0), random_block(5, 2, 18), {}).values.size(), 0U);
    EXPECT_EQ(to_matrix(multiply(random_block(5, 2, 18), DenseMatrix(2, 0), {})), Matrix(5, 0));
    EXPECT_EQ(to_matrix(multiply(MultiVector<float>(5, 0), DenseMatrix(0, 3), {})), Matrix::Zero(5, 3));
}

TEST(DoubleArithmetic, IsThatOfMatrices) {
    for (const Index rows : {1, 511, 1300}) {
        const Matrix u = support::random_matrix(rows, 5, 1);
        const Matrix v = support::random_matrix(rows, 3, 2);
        const Matrix c = support::random_matrix(5, 3, 3);
        EXPECT_LT(support::difference(to_matrix(gram(support::to_multi_vector(u), support::to_multi_vector(v), {})),
                                      u.transpose() * v),
                  1e-11);
        EXPECT_LT(
            support::difference(to_matrix(multiply(support::to_multi_vector(u), support::to_small(c), {})), u * c),
            1e-12);
        MultiVector<double> out = support::to_multi_vector(v);
        subtract_product(support::to_multi_vector(u), support::to_small(c), out, {});
        EXPECT_LT(support::difference(to_matrix(out), v - u * c), 1e-12);
        const std::vector<double> lengths = column_norms(support::to_multi_vector(u), {});
        for (Index j = 0; j < 5; ++j) {
            EXPECT_NEAR(lengths[j], u.col(j).norm(), 1e-11);
        }
    }
}

TEST(DoubleArithmetic, RemovesMeans) {
    const Matrix x = support::random_matrix(30, 4, 1);
    MultiVector<double> wide = support::to_multi_vector(x);
    remove_means(wide);
    EXPECT_LT(support::difference(to_matrix(wide), x.rowwise() - x.colwise().mean()), 1e-14);
}

TEST(DoubleArithmetic, HasTheSameBitsOnAnyNumberOfThreads) {
    const MultiVector<double> u = support::to_multi_vector(support::random_matrix(3000, 5, 1));
    EXPECT_EQ(gram(u, u, {.threads = 1}).values, gram(u, u, {.threads = 3}).values);
    EXPECT_EQ(column_norms(u, {.threads = 1}), column_norms(u, {.threads = 3}));
}

}  // namespace
}  // namespace isogon::multi_vector_arithmetic_test
