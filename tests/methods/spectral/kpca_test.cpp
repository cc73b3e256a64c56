#include "methods/spectral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::kpca_test {
namespace {

using support::Matrix;

Matrix kernel_of(const Matrix& x, const KpcaOptions& options) {
    Matrix kernel(x.rows(), x.rows());
    const double mean_square = x.squaredNorm() / static_cast<double>(x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
        for (Index j = 0; j < x.rows(); ++j) {
            kernel(i, j) = options.kernel == KernelKind::Gaussian
                               ? std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (*options.sigma * *options.sigma))
                               : std::pow(x.row(i).dot(x.row(j)) / mean_square + 1.0, options.degree);
        }
    }
    return kernel;
}

void expect_definition(const Points& points, const KpcaOptions& options) {
    const auto count = static_cast<Eigen::Index>(points.count());
    const Matrix kernel = kernel_of(support::to_matrix(points), options);
    const Matrix j = Matrix::Identity(count, count) - Matrix::Constant(count, count, 1.0 / static_cast<double>(count));
    const Matrix centred = j * kernel * j;
    const Matrix vectors = support::eigenvectors(centred, Matrix::Identity(count, count), 0, options.dimension, true);
    const Embedding fitted = kernel_principal_components(points.view(), options);
    const Matrix x = support::to_matrix(fitted.coordinates);
    EXPECT_LT(support::span_error(x, vectors), 1e-3);
    EXPECT_LT(
        support::difference(x * x.transpose(), vectors * vectors.transpose() * centred * vectors * vectors.transpose()),
        1e-3 * centred.norm());
    EXPECT_NEAR(fitted.summary.value("eigenvalue_0"), x.col(0).squaredNorm(), 1e-5 * x.col(0).squaredNorm());
}

TEST(Kpca, EqualsTheDefinition) {
    const Points points = reference::random_points(240, 4, 1);
    expect_definition(points, {.dimension = 3, .sigma = 2.0});
    expect_definition(points, {.dimension = 3, .kernel = KernelKind::Polynomial, .degree = 2});
}

/// Pixels, with one row that is so many times as long.
Points with_a_long_row(float times) {
    Points points = reference::whole_points(100, 784, 255, 1);
    for (float& value : points[7]) {
        value *= times;
    }
    return points;
}

TEST(Kpca, EqualsTheDefinitionOfPowersThatFloat32DoesNotHold) {
    // (2^2 / 1.03 + 1)^100, some 2^229: of no other row the kernel is of that size.
    expect_definition(with_a_long_row(2.0F), {.dimension = 1, .kernel = KernelKind::Polynomial, .degree = 100});
}

TEST(Kpca, RefusesPowersWhoseRootsFloat32DoesNotHold) {
    const KpcaOptions options{.dimension = 2, .kernel = KernelKind::Polynomial, .degree = 100};
    const auto refused = [&](const Points& points) {
        return support::refused_field([&] { (void)kernel_principal_components(points.view(), options); });
    };
    EXPECT_EQ(refused(with_a_long_row(3.0F)), "degree");
    EXPECT_EQ(refused(with_a_long_row(1.0F)), "");
}

TEST(Kpca, TellsTwoNeighboursOfFloat32Apart) {
    const float ten = 10.0F;
    Points points(600, 1);
    for (Index i = 0; i < 600; ++i) {
        points[i][0] = i % 3 == 0 ? ten : std::nextafter(ten, 11.0F);
    }
    const Points y = kernel_principal_components(points.view(), {.dimension = 1}).coordinates;
    EXPECT_GT(std::abs(y[0][0] - y[1][0]), 0.5F);
    for (Index i = 0; i < 600; ++i) {
        EXPECT_NEAR(y[i][0], y[i % 3 == 0 ? 0 : 1][0], 1e-5F);
    }
}

TEST(Kpca, TakesAnyWidth) {
    const Points points = reference::random_points(40, 4, 1);
    for (const double sigma : {1e-300, 1e-160, 1e300}) {
        for (const float factor : {1.0F, 0x1p-100F, 0x1p100F}) {
            const Embedding fitted =
                kernel_principal_components(reference::scaled(points, factor).view(), {.dimension = 2, .sigma = sigma});
            EXPECT_TRUE(support::all_finite(fitted.coordinates)) << sigma << " of points times " << factor;
            for (const auto& [what, value] : fitted.summary.measures) {
                EXPECT_TRUE(std::isfinite(value)) << what;
            }
        }
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
