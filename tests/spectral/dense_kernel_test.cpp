#include "spectral/dense_kernel.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"
#include "support/stated_need.hpp"

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
    MultiVector<double> out(matrix.size(), static_cast<Index>(x.cols()));
    matrix.apply(support::to_multi_vector(x), out, {.threads = 3});
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
    const Matrix reduced = dense(matrix->reduced(support::csr_matrix(z), {.threads = 3}));
    EXPECT_LT(support::difference(reduced, z.transpose() * centred(kernel) * z), 1e-12);
    EXPECT_EQ(reduced, reduced.transpose());
}

TEST(DenseKernel, StatesWeightsAndTheirTransposeWhileItIsReduced) {
    const Matrix kernel = support::random_definite(120, 0.1, 1);
    const CsrMatrix<double> z = support::csr_matrix(support::random_sparse(120, 20, 0.3, 2));
    const auto matrix = reducible_kernel(120, rows_of(kernel));
    const std::uint64_t need =
        support::stated_need([&](const RunContext& context) { (void)matrix->reduced(z, context); });
    const std::uint64_t weights = z.bytes() + z.rows * (sizeof(Index) + sizeof(double));
    EXPECT_GE(need, (120 * 120 + 120 * 21 + 21 * 21) * sizeof(double) + 2 * weights);
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
        EXPECT_LT(support::difference(dense(matrix->reduced(support::csr_matrix(z), {})), z.transpose() * expected * z),
                  1e-5);
    }
}

TEST(DenseKernel, StatesItsMemory) {
    const Matrix kernel = Matrix::Identity(500, 500);
    EXPECT_THROW((void)centred_kernel(500, rows_of(kernel), {.memory_limit = 100'000}), LimitExceeded);
    EXPECT_GE(KernelMatrix::bytes(500), 500U * 501U / 2U * sizeof(float));
}

using support::Matrix;

double expected(const KernelShape& shape, const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& y) {
    switch (shape.kind) {
        case KernelKind::Linear: return x.dot(y);
        case KernelKind::Cosine: return x.norm() * y.norm() > 0.0 ? x.dot(y) / (x.norm() * y.norm()) : 0.0;
        case KernelKind::Gaussian: return std::exp(-(x - y).squaredNorm() / (shape.sigma * shape.sigma));
        case KernelKind::Polynomial: return std::pow(shape.scale * x.dot(y) + 1.0, shape.degree);
        case KernelKind::Precomputed: break;
    }
    return 0.0;
}

TEST(KernelTable, IsSquareSymmetricAndNowhereBelowZeroOnItsDiagonal) {
    Points table(3, 3);
    table[0][0] = table[1][1] = table[2][2] = 1.0F;
    table[0][1] = -0.5F;
    table[1][0] = -0.5F * (1.0F + 1e-6F);
    EXPECT_NO_THROW(require_kernel_table(table.view()));
    const auto complaint = [&] {
        try {
            require_kernel_table(table.view());
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    table[2][1] = 0.1F;
    EXPECT_NE(complaint().find("row 2, column 1"), std::string::npos);
    EXPECT_NE(complaint().find("symmetric"), std::string::npos);
    table[2][1] = 0.0F;
    table[2][2] = -1.0F;
    EXPECT_NE(complaint().find("row 2, column 2"), std::string::npos);
    table[2][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(complaint(), "");
    EXPECT_THROW(require_kernel_table(Points(3, 4).view()), InputError);
}

TEST(PointKernel, IsNotPrecomputed) {
    const Points points = reference::random_points(5, 2, 1);
    EXPECT_THROW(PointKernel(points.view(), {.kind = KernelKind::Precomputed}, {}), InvalidArgument);
}

TEST(PointKernel, IsItsFormula) {
    Points points = reference::random_points(110, 6, 1);
    std::fill(points[3].begin(), points[3].end(), 0.0F);
    const Matrix x = support::to_matrix(points);
    const std::vector<Index> sources{3, 109, 0, 50};
    for (const auto kind : {KernelKind::Linear, KernelKind::Cosine, KernelKind::Gaussian, KernelKind::Polynomial}) {
        const KernelShape shape{.kind = kind, .sigma = 2.0, .scale = 0.1, .degree = 3};
        std::vector<double> values(sources.size() * 110);
        PointKernel(points.view(), shape, {}).rows(sources, values, {.threads = 3});
        for (std::size_t s = 0; s < sources.size(); ++s) {
            for (Index j = 0; j < 110; ++j) {
                EXPECT_NEAR(values[s * 110 + j], expected(shape, x.row(sources[s]), x.row(j)), 2e-5);
            }
        }
    }
}

TEST(PointKernel, OfAPointWithItselfIsExact) {
    const Points points = reference::random_points(60, 9, 2, 100.0);
    std::vector<Index> all(60);
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<double> values(60 * 60);
    PointKernel(points.view(), {.kind = KernelKind::Gaussian, .sigma = 1e-3}, {}).rows(all, values, {});
    for (Index i = 0; i < 60; ++i) {
        EXPECT_EQ(values[i * 60 + i], 1.0);
    }
}

TEST(PointKernel, WidthsComeFromAllPairs) {
    const Points points = reference::random_points(40, 5, 3, 2.0);
    const Matrix x = support::to_matrix(points);
    double squares = 0.0;
    for (Index i = 0; i < 40; ++i) {
        for (Index j = 0; j < 40; ++j) {
            squares += (x.row(i) - x.row(j)).squaredNorm();
        }
    }
    EXPECT_NEAR(mean_distance(points.view()), std::sqrt(squares / 1600.0), 1e-9);
    EXPECT_NEAR(mean_square(points.view()), x.squaredNorm() / 40.0, 1e-9);
}

TEST(PointKernel, OfDifferencesDoesNotSeeHowFarPointsAreFromTheOrigin) {
    // Whole numbers, so that the shift itself rounds nothing.
    const Points points = reference::whole_points(60, 5, 6, 1);
    Points far = points;
    for (float& value : far.values()) {
        value += 4096.0F;
    }
    const Matrix x = support::to_matrix(points);
    const KernelShape shape{.kind = KernelKind::Gaussian, .sigma = 8.0};
    const std::vector<Index> sources{0, 7, 59};
    std::vector<double> values(sources.size() * 60);
    PointKernel(far.view(), shape, {}).rows(sources, values, {});
    for (std::size_t s = 0; s < sources.size(); ++s) {
        for (Index j = 0; j < 60; ++j) {
            EXPECT_NEAR(values[s * 60 + j], expected(shape, x.row(sources[s]), x.row(j)), 2e-6);
        }
    }
}

}  // namespace

}  // namespace isogon::dense_kernel_test
