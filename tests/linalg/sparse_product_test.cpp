#include "linalg/sparse_algebra.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace isogon::sparse_product_test
