#include "linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "support/sparse_matrices.hpp"

namespace isogon::sparse_product_test {
namespace {

using support::Matrix;
using support::to_matrix;

TEST(SparseProduct, IsTheDenseOne) {
    for (const Index columns : {1, 15, 16, 17, 64, 100}) {
        const Matrix a = support::random_sparse(300, 90, 0.2, columns);
        const MultiVector<float> in = support::random_block(90, columns, 3);
        MultiVector<float> out = support::random_block(300, columns, 4);
        multiply(support::to_sparse(a), in, out, {});
        EXPECT_LT(support::difference(to_matrix(out), a * to_matrix(in)), 1e-4);
    }
}

TEST(SparseProduct, OfAnEmptyRowIsZero) {
    MultiVector<float> out = support::random_block(3, 5, 4);
    multiply(support::to_sparse(Matrix::Zero(3, 2)), support::random_block(2, 5, 3), out, {});
    EXPECT_EQ(to_matrix(out), Matrix::Zero(3, 5));
}

TEST(SparseProduct, HasTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<float> a = support::to_sparse(support::random_sparse(700, 50, 0.3, 1));
    const MultiVector<float> in = support::random_block(50, 20, 3);
    MultiVector<float> one(700, 20);
    MultiVector<float> three(700, 20);
    multiply(a, in, one, {.threads = 1});
    multiply(a, in, three, {.threads = 3});
    EXPECT_EQ(to_matrix(one), to_matrix(three));
}

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
    Random random(seed, RandomStream::Test, 0);
    std::vector<double> numbers(count);
    for (double& number : numbers) {
        number = random.normal();
    }
    return numbers;
}

TEST(AddedRows, AreTheWeightedSumOfThoseNamed) {
    for (const std::size_t stride : {8U, 64U, 72U, 136U}) {
        const std::vector<double> in = random_numbers(20 * stride, 1);
        std::vector<double> out = random_numbers(stride, 2);
        std::vector<double> expected = out;
        const std::vector<Index> rows{103, 100, 119, 103};
        const std::vector<double> weights{0.5, -2.0, 1e-3, 7.0};
        for (std::size_t c = 0; c < stride; ++c) {
            for (std::size_t k = 0; k < rows.size(); ++k) {
                expected[c] += weights[k] * in[(rows[k] - 100) * stride + c];
            }
        }
        add_rows(rows, weights, {in.data(), stride, 100}, out.data());
        for (std::size_t c = 0; c < stride; ++c) {
            EXPECT_NEAR(out[c], expected[c], 1e-13);
        }
    }
}

TEST(AddedRows, OfNoneChangeNothing) {
    std::vector<double> out = random_numbers(16, 3);
    const std::vector<double> before = out;
    add_rows({}, {}, {nullptr, 16}, out.data());
    EXPECT_EQ(out, before);
}

// A sum that is cut into two calls has the same bits: batches change nothing but what is in memory.
TEST(AddedRows, HaveTheSameBitsInSeveralCalls) {
    const std::vector<double> in = random_numbers(9 * 80, 4);
    const std::vector<Index> rows{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<double> weights = random_numbers(9, 5);
    std::vector<double> once(80);
    add_rows(rows, weights, {in.data(), 80}, once.data());
    std::vector<double> twice(80);
    add_rows(std::span(rows).first(4), std::span(weights).first(4), {in.data(), 80}, twice.data());
    add_rows(std::span(rows).subspan(4), std::span(weights).subspan(4), {in.data(), 80}, twice.data());
    EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace isogon::sparse_product_test
