#include "spectral/chebyshev_filter.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::chebyshev_filter_test {
namespace {

using support::DenseOperator;
using support::Matrix;

/// The polynomial by its definition, T_m((x - center) / half) over its value at `wanted`.
double polynomial(double x, int degree, double lower, double upper, double wanted) {
    const auto chebyshev = [&](double t) {
        double before = 1.0;
        double now = t;
        for (int k = 2; k <= degree; ++k) {
            const double next = 2.0 * t * now - before;
            before = now;
            now = next;
        }
        return now;
    };
    const double center = (lower + upper) / 2.0;
    const double half = (upper - lower) / 2.0;
    return chebyshev((x - center) / half) / chebyshev((wanted - center) / half);
}

TEST(ChebyshevFilter, IsThePolynomialOfTheMatrix) {
    const Matrix a = support::random_definite(40, 1e-2, 1);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(a);
    const Matrix x = support::random_matrix(40, 3, 2);
    for (const int degree : {1, 2, 3, 8, 21}) {
        Eigen::VectorXd values = eigen.eigenvalues();
        for (double& value : values) {
            value = polynomial(value, degree, 0.2, 1.1, -0.1);
        }
        const Matrix expected = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose() * x;
        const WideVectors filtered =
            chebyshev_filter(DenseOperator(a), support::to_wide(x), degree, 0.2, 1.1, -0.1, {});
        EXPECT_LT(support::difference(support::to_matrix(filtered), expected), 1e-12) << degree;
    }
}

TEST(SpectralBound, IsAboveAllEigenvaluesAndNotFar) {
    for (const Index size : {1, 2, 5, 40, 300}) {
        const DenseOperator a(support::random_definite(size, 1e-3, size));
        const double bound = spectral_bound(a, 0, {});
        EXPECT_GE(bound, 1.0 - 1e-12) << size;
        EXPECT_LT(bound, 2.0) << size;
    }
    EXPECT_EQ(spectral_bound(DenseOperator(Matrix::Zero(7, 7)), 0, {}), 0.0);
}

}  // namespace
}  // namespace isogon::chebyshev_filter_test
