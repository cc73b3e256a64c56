#include "methods/point_kernel_family.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::point_kernel_family_test {
namespace {

using support::Matrix;

Matrix product_of(SpectralFamily& family, const Matrix& x) {
    Summary summary;
    const SpectralProblem problem = family.whole(summary, {});
    WideVectors out(problem.a->size(), static_cast<Index>(x.cols()));
    problem.a->apply(support::to_wide(x), out, {});
    return support::to_matrix(out);
}

TEST(PointKernelFamily, LinearKernelsAreTheSameFormedOrNot) {
    const Points points = reference::random_points(70, 3, 1);
    const Matrix x = support::random_matrix(70, 2, 2);
    PointKernelFamily linear(
        points.view(), [](Summary&) { return KernelShape{.kind = KernelKind::Linear}; }, false);
    // (1 x.y + 0)^1 is the linear kernel, kept as a matrix.
    PointKernelFamily formed(
        points.view(),
        [](Summary&) { return KernelShape{.kind = KernelKind::Polynomial, .scale = 1.0, .offset = 0.0, .degree = 1}; },
        false);
    EXPECT_LT(support::difference(product_of(linear, x), product_of(formed, x)), 1e-3);
}

}  // namespace
}  // namespace isogon::point_kernel_family_test
