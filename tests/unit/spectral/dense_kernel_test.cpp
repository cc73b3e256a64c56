#include "isogon/spectral/dense_kernel.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::dense_kernel_test {
namespace {

using reference::dense;
using support::Matrix;

KernelRows rows_of(const Matrix& kernel) {
    return [kernel](Index first, std::span<double> values, const RunContext& /*context*/) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] = kernel(first + k / kernel.cols(), k % kernel.cols());
        }
    };
}

Matrix centred(const Matrix& kernel) {
    const Matrix j = Matrix::Identity(kernel.rows(), kernel.cols()) -
                     Matrix::Constant(kernel.rows(), kernel.cols(), 1.0 / static_cast<double>(kernel.rows()));
    return j * kernel * j;
}

Matrix product_with(const SpectralMatrix& matrix, const Matrix& x) {
    WideVectors out(matrix.size(), static_cast<Index>(x.cols()));
    matrix.apply(support::to_wide(x), out, {.threads = 3});
    return support::to_matrix(out);
}

TEST(DenseKernel, IsTheCentredOneAtEverySize) {
    for (const Index size : {2, 47, 48, 49, 300}) {
        const Matrix kernel = support::random_definite(size, 0.1, size);
        const Matrix x = support::random_matrix(size, 7, 1);
        const auto matrix = centred_kernel(size, rows_of(kernel), {.threads = 3});
        EXPECT_LT(support::difference(product_with(*matrix, x), centred(kernel) * x), 1e-5) << size;
    }
}

TEST(DenseKernel, IsReducedByItsRowsWithoutACopy) {
    const Matrix kernel = support::random_definite(120, 0.1, 1);
    const Matrix z = support::random_sparse(120, 20, 0.3, 2);
    const auto matrix = reducible_kernel(120, rows_of(kernel));
    const Matrix reduced = dense(matrix->reduced(support::wide_sparse(z), {.threads = 3}));
    EXPECT_LT(support::difference(reduced, z.transpose() * centred(kernel) * z), 1e-12);
    EXPECT_EQ(reduced, reduced.transpose());
}

TEST(DenseKernel, OfProductsIsNeverFormed) {
    const Matrix points = support::random_matrix(80, 4, 3);
    const Matrix z = support::random_sparse(80, 15, 0.3, 4);
    const Matrix x = support::random_matrix(80, 3, 5);
    for (const bool directions : {false, true}) {
        const Matrix scaled = directions ? Matrix(points.rowwise().normalized()) : points;
        const Matrix expected = centred(scaled * scaled.transpose());
        const auto matrix = centred_gram(support::to_points(points).view(), directions);
        EXPECT_LT(support::difference(product_with(*matrix, x), expected * x), 1e-5);
        EXPECT_LT(
            support::difference(dense(matrix->reduced(support::wide_sparse(z), {})), z.transpose() * expected * z),
            1e-5);
    }
}

TEST(DenseKernel, StatesItsMemory) {
    const Matrix kernel = Matrix::Identity(500, 500);
    EXPECT_THROW((void)centred_kernel(500, rows_of(kernel), {.memory_limit = 100'000}), LimitExceeded);
    EXPECT_GE(KernelMatrix::bytes(500), 500U * 501U / 2U * sizeof(float));
}

}  // namespace
}  // namespace isogon::dense_kernel_test
