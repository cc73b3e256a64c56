#include "isogon/spectral/spectral_matrix.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/spectral/dense_kernel.hpp"
#include "reference/graphs.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::spectral_matrix_test {
namespace {

using reference::dense;
using support::Matrix;

/// Products, entries and the reduction by some weights are those of the dense matrix.
void expect_is(const SpectralMatrix& matrix, const Matrix& expected) {
    const Index size = matrix.size();
    const Matrix x = support::random_matrix(size, 5, 1);
    WideVectors out(size, 5);
    matrix.apply(support::to_wide(x), out, {.threads = 3});
    EXPECT_LT(support::difference(support::to_matrix(out), expected * x), 1e-12);
    EXPECT_TRUE(matrix.is_sparse());
    EXPECT_LT(support::difference(dense(matrix.entries({})), expected), 1e-12);
    const Matrix z = support::random_sparse(size, 9, 0.4, 2);
    const Matrix reduced = dense(matrix.reduced(support::wide_sparse(z), {}));
    EXPECT_LT(support::difference(reduced, z.transpose() * expected * z), 1e-11);
    EXPECT_EQ(reduced, reduced.transpose());
}

TEST(SpectralMatrix, OfEntries) {
    const Matrix a = support::ring_laplacian(50);
    expect_is(*sparse_spectral_matrix(support::wide_sparse(a)), a);
}

TEST(SpectralMatrix, OfAGraph) {
    const Matrix a = support::ring_laplacian(50);
    const Matrix degrees = a.diagonal();
    const Matrix weights = Matrix(degrees.asDiagonal()) - a;
    const std::vector<double> d(degrees.data(), degrees.data() + 50);
    const auto matrix = laplacian_spectral_matrix(support::wide_sparse(weights), d);
    expect_is(*matrix, a);
    EXPECT_EQ(matrix->product_entries(), 100.0);
    const CsrMatrix<double> z = support::wide_sparse(support::random_sparse(50, 9, 0.4, 2));
    for (const std::vector<double>& b : {d, std::vector<double>(50, 2.0), std::vector<double>{}}) {
        const ReducedPencil pencil = matrix->reduced_pencil(b, z, {});
        Matrix expected = Matrix::Identity(50, 50);
        for (std::size_t i = 0; i < b.size(); ++i) {
            expected(static_cast<Index>(i), static_cast<Index>(i)) = b[i];
        }
        EXPECT_LT(support::difference(dense(pencil.a), dense(z).transpose() * a * dense(z)), 1e-11);
        EXPECT_LT(support::difference(dense(pencil.b), dense(z).transpose() * expected * dense(z)), 1e-11);
    }
}

TEST(SpectralMatrix, OfAFactorTwice) {
    const Matrix r = support::random_sparse(60, 40, 0.2, 3);
    const auto matrix = normal_spectral_matrix(support::wide_sparse(r));
    expect_is(*matrix, r.transpose() * r);
    EXPECT_EQ(matrix->product_entries(), 2.0 * static_cast<double>((r.array() != 0.0).count()));
}

TEST(SpectralMatrix, DenseOnesHaveNoEntries) {
    const Points points = reference::random_points(10, 3, 1);
    const auto matrix = centred_gram(points.view(), false);
    EXPECT_FALSE(matrix->is_sparse());
    EXPECT_THROW((void)matrix->entries({}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::spectral_matrix_test
