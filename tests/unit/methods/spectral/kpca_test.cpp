#include "isogon/methods/spectral.hpp"

#include <gtest/gtest.h>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::kpca_test {
namespace {

using support::Matrix;

Matrix kernel_of(const Matrix& x, const KpcaOptions& options) {
    Matrix kernel(x.rows(), x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
        for (Index j = 0; j < x.rows(); ++j) {
            kernel(i, j) = options.kernel == KernelKind::Gaussian
                               ? std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (*options.sigma * *options.sigma))
                               : std::pow(*options.scale * x.row(i).dot(x.row(j)) + options.offset, options.degree);
        }
    }
    return kernel;
}

TEST(Kpca, EqualsTheDefinition) {
    const Points points = reference::random_points(240, 4, 1);
    const KpcaOptions gaussian{.dimension = 3, .sigma = 2.0};
    const KpcaOptions polynomial{.dimension = 3, .kernel = KernelKind::Polynomial, .scale = 0.3, .degree = 2};
    for (const KpcaOptions& options : {gaussian, polynomial}) {
        const Matrix kernel = kernel_of(support::to_matrix(points), options);
        const Matrix j = Matrix::Identity(240, 240) - Matrix::Constant(240, 240, 1.0 / 240.0);
        const Matrix centred = j * kernel * j;
        const Matrix vectors = support::eigenvectors(centred, Matrix::Identity(240, 240), 0, 3, true);
        const Matrix x = support::to_matrix(kernel_principal_components(points.view(), options).coordinates);
        EXPECT_LT(support::span_error(x, vectors), 1e-3);
        EXPECT_LT(support::difference(x * x.transpose(),
                                      vectors * vectors.transpose() * centred * vectors * vectors.transpose()),
                  1e-3 * centred.norm());
    }
}

/// Values of the linear kernel between the points, in some unit of length.
Points products_of(const Points& points, double unit) {
    Points table(points.count(), points.count());
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = 0; j < points.count(); ++j) {
            table[i][j] = static_cast<float>(
                std::inner_product(points[i].begin(), points[i].end(), points[j].begin(), 0.0) * unit * unit);
        }
    }
    return table;
}

TEST(Kpca, OfPrecomputedValuesIsThatOfTheKernelThatTheyAreOf) {
    const Points points = reference::random_points(90, 5, 11);
    const Embedding of_points =
        kernel_principal_components(points.view(), {.dimension = 3, .kernel = KernelKind::Linear});
    const KpcaOptions precomputed{.dimension = 3, .kernel = KernelKind::Precomputed};
    for (const double unit : {1.0, 0x1p-20, 0x1p-61, 1e18}) {  // values from where float32 begins to where it ends
        const Embedding of_table = kernel_principal_components(products_of(points, unit).view(), precomputed);
        EXPECT_LT(support::procrustes_error(support::to_matrix(of_table.coordinates) / unit,
                                            support::to_matrix(of_points.coordinates)),
                  1e-3)
            << unit;
        for (const char* name : {"eigenvalue_0", "eigenvalue_2"}) {
            EXPECT_NEAR(of_table.summary.value(name) / (unit * unit * of_points.summary.value(name)), 1.0, 1e-4);
        }
        EXPECT_FALSE(of_table.barycentric_map);
    }
}

TEST(Kpca, OfPrecomputedValuesOnLandmarksGoesByNystrom) {
    const Points points = reference::random_points(90, 3, 12);
    const Points table = products_of(points, 1.0);
    const KpcaOptions precomputed{.dimension = 3, .kernel = KernelKind::Precomputed};
    const auto fit = [&](LandmarkExtension extension) {
        const LandmarkOptions landmarks{.landmarks = 30, .extension = extension};
        return kernel_principal_components(table.view(), precomputed, {}, {}, &landmarks);
    };
    const Embedding whole = kernel_principal_components(table.view(), precomputed);
    EXPECT_LT(support::procrustes_error(support::to_matrix(fit(LandmarkExtension::Nystrom).coordinates),
                                        support::to_matrix(whole.coordinates)),
              0.3);
    EXPECT_THROW(static_cast<void>(fit(LandmarkExtension::Lll)), InvalidArgument);
}

TEST(Kpca, RefusesOptionsWithoutEffect) {
    const Points points = reference::random_points(30, 4, 2);
    const auto with = [&](KpcaOptions options) { (void)kernel_principal_components(points.view(), options); };
    EXPECT_THROW(with({.dimension = 2, .kernel = KernelKind::Linear, .sigma = 1.0}), InvalidArgument);
    EXPECT_THROW(with({.dimension = 2, .degree = 2}), InvalidArgument);
    EXPECT_NO_THROW(with({.dimension = 2, .kernel = KernelKind::Cosine}));
    EXPECT_THROW(with({.dimension = 2, .kernel = KernelKind::Precomputed}), InputError);  // 30 x 4 is no table
}

TEST(Kpca, NystromOfManyLandmarksComesNear) {
    const Points points = reference::random_points(300, 3, 3);
    const KpcaOptions options{.dimension = 3};
    const Matrix exact = support::to_matrix(kernel_principal_components(points.view(), options).coordinates);
    double before = 2.0;
    for (const int count : {20, 80, 299}) {
        const LandmarkOptions landmarks{.landmarks = count, .extension = LandmarkExtension::Nystrom};
        const Embedding result = kernel_principal_components(points.view(), options, {}, {}, &landmarks);
        const double error = support::procrustes_error(support::to_matrix(result.coordinates), exact);
        EXPECT_LT(error, before);
        before = error;
    }
    EXPECT_LT(before, 0.02);
}

TEST(Kpca, SaysWhichEigenvaluesRoundingHides) {
    const Points points = reference::random_points(120, 8, 1);
    const Embedding sharp = kernel_principal_components(points.view(), {.dimension = 8});
    EXPECT_EQ(sharp.summary.value("unresolved_directions", 1.0), 0.0);
    EXPECT_TRUE(sharp.summary.warnings.empty());
    // A width at which eigenvalues fall by 10^4 from one degree of polynomials to the next.
    const Points line = reference::random_points(120, 4, 1);
    Points flat(120, 4);
    for (Index i = 0; i < 120; ++i) {
        flat[i][0] = line[i][0];
    }
    const Embedding smooth = kernel_principal_components(flat.view(), {.dimension = 4, .sigma = 100.0});
    EXPECT_GE(smooth.summary.value("unresolved_directions"), 2.0);
    EXPECT_FALSE(smooth.summary.warnings.empty());
}

}  // namespace
}  // namespace isogon::kpca_test
