#include "spectral/centring.hpp"

#include <gtest/gtest.h>

#include "reference/graphs.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::centring_test {
namespace {

using reference::dense;
using support::Matrix;

TEST(Centring, RemovesMeans) {
    const Matrix x = support::random_matrix(30, 4, 1);
    MultiVector<double> wide = support::to_multi_vector(x);
    remove_means(wide);
    EXPECT_LT(support::difference(support::to_matrix(wide), x.rowwise() - x.colwise().mean()), 1e-14);
}

TEST(Centring, AReductionIsCentredFromItsSums) {
    const Matrix kernel = support::random_definite(40, 0.1, 2);
    const Matrix z = support::random_sparse(40, 6, 0.4, 3);
    Matrix beside(40, 7);
    beside << z, Matrix::Ones(40, 1);
    EXPECT_EQ(dense(with_ones(support::csr_matrix(z))), beside);
    const Matrix j = Matrix::Identity(40, 40) - Matrix::Constant(40, 40, 1.0 / 40.0);
    const Matrix centred = dense(centred_reduction(support::to_small(beside.transpose() * kernel * beside),
                                                   column_means(support::csr_matrix(z))));
    EXPECT_LT(support::difference(centred, z.transpose() * j * kernel * j * z), 1e-13);
}

TEST(Centring, ProductsWithWeightsAreThoseOfMatrices) {
    const Matrix z = support::random_sparse(50, 8, 0.3, 4);
    const Matrix x = support::random_matrix(50, 5, 5);
    const MultiVector<double> mixed = transposed_product(support::csr_matrix(z), support::to_multi_vector(x), {});
    EXPECT_LT(support::difference(support::to_matrix(mixed), z.transpose() * x), 1e-13);
    const Matrix gram = support::to_matrix(cross_product_of_rows(mixed, {.threads = 3}));
    EXPECT_LT(support::difference(gram, z.transpose() * x * x.transpose() * z), 1e-12);
    EXPECT_EQ(gram, gram.transpose());
}

}  // namespace
}  // namespace isogon::centring_test
