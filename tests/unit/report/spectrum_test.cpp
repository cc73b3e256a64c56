#include "report/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"

namespace isogon::spectrum_test {
namespace {

/// The eigenvalues of a symmetric 2 x 2 matrix, the larger first.
std::vector<double> eigenvalues(double a, double b, double c) {
    const double mean = (a + c) / 2.0;
    const double root = std::hypot((a - c) / 2.0, b);
    return {mean + root, mean - root};
}

std::vector<double> expected(const Points& points, bool centered) {
    std::vector<double> mean(2);
    for (Index i = 0; centered && i < points.count(); ++i) {
        mean[0] += double{points[i][0]} / points.count();
        mean[1] += double{points[i][1]} / points.count();
    }
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        const double u = double{points[i][0]} - mean[0];
        const double v = double{points[i][1]} - mean[1];
        a += u * u;
        b += u * v;
        c += v * v;
    }
    return eigenvalues(a, b, c);
}

TEST(Spectrum, OfProductsIsThatOfTheDefinition) {
    const Points points = reference::random_points(50, 2, 1, 0.7);
    const Spectrum spectrum = product_spectrum(points.view(), {});
    const auto values = expected(points, false);
    ASSERT_EQ(spectrum.values.size(), 2U);
    EXPECT_NEAR(spectrum.values[0], values[0], 1e-4 * values[0]);
    EXPECT_NEAR(spectrum.values[1], values[1], 1e-4 * values[0]);
    EXPECT_NE(spectrum.name.find("eigenvalues of G"), std::string::npos);
}

TEST(Spectrum, VariancesAreThoseOfPrincipalAxes) {
    const Points points = reference::random_points(50, 2, 2, 0.7);
    const auto variances = axis_variances(points.view(), {});
    const auto values = expected(points, true);
    ASSERT_EQ(variances.size(), 2U);
    EXPECT_NEAR(variances[0], values[0] / 49.0, 1e-4 * values[0]);
    EXPECT_NEAR(variances[1], values[1] / 49.0, 1e-4 * values[0]);
}

TEST(Spectrum, OfAMethodIsWhatItMeasured) {
    Summary summary;
    EXPECT_FALSE(measured_spectrum(summary));
    summary.measure("sigma", 3.0);
    summary.measure("eigenvalue_0", 0.25);
    summary.measure("eigenvalue_1", 0.125);
    summary.measure("last_eigenvalue_0", 9.0);
    const auto spectrum = measured_spectrum(summary);
    ASSERT_TRUE(spectrum);
    EXPECT_EQ(spectrum->values, (std::vector<double>{0.25, 0.125}));
    Summary other;
    other.measure("spectrum_0", 1.0);
    EXPECT_EQ(measured_spectrum(other)->values, std::vector<double>{1.0});
}

TEST(Spectrum, OfSmallestEigenvaluesIsNotTold) {
    Summary summary;
    summary.measure("eigenvalue_0", 1e-9);
    summary.measure("eigenvalue_1", 0.125);
    summary.measure("eigenvalue_2", 0.25);
    EXPECT_FALSE(measured_spectrum(summary));
    Summary equal;
    equal.measure("eigenvalue_0", 0.5);
    equal.measure("eigenvalue_1", 0.5);
    EXPECT_TRUE(measured_spectrum(equal));
}

TEST(Spectrum, OfPointsThatAreAllEqualIsFinite) {
    const auto variances = axis_variances(reference::equal_points(10, 3).view(), {});
    ASSERT_EQ(variances.size(), 3U);
    for (const double variance : variances) {
        EXPECT_NEAR(variance, 0.0, 1e-9);
    }
}

}  // namespace
}  // namespace isogon::spectrum_test
