#include "methods/spectral_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/graph/fuzzy_affinities.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::spectral_start_test {
namespace {

/// |(D - W) x - lambda D x| / |lambda D x| of a column, at its Rayleigh quotient.
double residual(const support::Matrix& w, const Eigen::VectorXd& x) {
    const Eigen::VectorXd dx = w.rowwise().sum().cwiseProduct(x);
    const Eigen::VectorXd lx = dx - w * x;
    const double lambda = x.dot(lx) / x.dot(dx);
    return (lx - lambda * dx).norm() / (lambda * dx.norm());
}

TEST(SpectralStart, IsMadeOfSmoothFunctionsBesideTheConstantOne) {
    const CsrMatrix<double> graph =
        fuzzy_affinities(reference::euclidean_lists(reference::random_points(200, 2, 1), 8));
    Summary summary;
    const auto y = spectral_start(graph, 2, 0, summary, {});
    ASSERT_TRUE(y.has_value());
    const support::Matrix w = reference::dense(graph);
    for (std::size_t c = 0; c < 2; ++c) {
        Eigen::VectorXd x(200);
        for (Index i = 0; i < 200; ++i) {
            x[i] = y->at(i, c);
        }
        EXPECT_LT(residual(w, x), 0.02);
        EXPECT_NEAR(w.rowwise().sum().dot(x), 0.0, 1e-6 * w.sum() * x.norm());
    }
    EXPECT_EQ(summary.value("components"), 1.0);
    EXPECT_TRUE(summary.warnings.empty());
}

TEST(SpectralStart, IsNotThereForPartsOrTooFewPoints) {
    Summary summary;
    const CsrMatrix<double> parts = reference::graph_of(4, {{0, 1, 1.0}, {2, 3, 1.0}});
    EXPECT_FALSE(spectral_start(parts, 1, 0, summary, {}).has_value());
    EXPECT_EQ(summary.value("components"), 2.0);
    EXPECT_FALSE(spectral_start(reference::path_graph({1.0, 1.0}), 2, 0, summary, {}).has_value());
    EXPECT_EQ(summary.warnings.size(), 2U);
}

}  // namespace
}  // namespace isogon::spectral_start_test
