#include "isogon/spectral/point_kernel.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "reference/point_sets.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::point_kernel_test {
namespace {

using support::Matrix;

double expected(const KernelShape& shape, const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& y) {
    switch (shape.kind) {
        case KernelKind::Linear: return x.dot(y);
        case KernelKind::Cosine: return x.norm() * y.norm() > 0.0 ? x.dot(y) / (x.norm() * y.norm()) : 0.0;
        case KernelKind::Gaussian: return std::exp(-(x - y).squaredNorm() / (shape.sigma * shape.sigma));
        case KernelKind::Polynomial: return std::pow(shape.scale * x.dot(y) + shape.offset, shape.degree);
    }
    return 0.0;
}

TEST(PointKernel, IsItsFormula) {
    Points points = reference::random_points(110, 6, 1);
    std::fill(points[3].begin(), points[3].end(), 0.0F);
    const Matrix x = support::to_matrix(points);
    const std::vector<Index> sources{3, 109, 0, 50};
    for (const auto kind : {KernelKind::Linear, KernelKind::Cosine, KernelKind::Gaussian, KernelKind::Polynomial}) {
        const KernelShape shape{.kind = kind, .sigma = 2.0, .scale = 0.1, .offset = 0.7, .degree = 3};
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
}  // namespace isogon::point_kernel_test
