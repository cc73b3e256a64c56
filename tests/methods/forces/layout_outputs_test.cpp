#include "methods/forces/layout_outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/truncated_svd.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::layout_outputs_test {
namespace {

double deviation(const MultiVector<double>& y, std::size_t column) {
    double squares = 0.0;
    for (std::size_t i = 0; i < y.rows(); ++i) {
        squares += y.at(i, column) * y.at(i, column);
    }
    return std::sqrt(squares / static_cast<double>(y.rows()));
}

TEST(LayoutStart, PcaIsThatOfThePointsButForNoise) {
    const Points points = reference::random_points(300, 5, 1, 3.0);
    const MultiVector<double> y = pca_start(points.view(), 2, 0, {});
    const Points truth = project(points.view(), truncated_svd(points.view(), 2, true, {}), {});
    MultiVector<double> scaled(300, 2);
    for (Index i = 0; i < 300; ++i) {
        for (Index c = 0; c < 2; ++c) {
            scaled.at(i, c) = double{truth[i][c]};
        }
    }
    const double factor = 1e-4 / deviation(scaled, 0);
    for (double& value : scaled.values()) {
        value *= factor;
    }
    EXPECT_LT(support::relative_error(y, scaled), 0.02);
    EXPECT_GT(support::relative_error(y, scaled), 0.005);
}

TEST(LayoutStart, FlatDataGetsEveryDimensionAndEqualPointsPart) {
    Points line(60, 3);
    for (Index i = 0; i < 60; ++i) {
        line[i][0] = static_cast<float>(i / 2);
    }
    const MultiVector<double> y = pca_start(line.view(), 3, 0, {});
    EXPECT_NEAR(deviation(y, 0), 1e-4, 1e-6);
    EXPECT_GT(deviation(y, 2), 1e-7);
    EXPECT_NE(y.at(0, 0), y.at(1, 0));
}

TEST(LayoutStart, RandomIsOfItsSizeAndSeed) {
    const MultiVector<double> y = random_start(2000, 3, 4);
    EXPECT_NEAR(deviation(y, 1), 1e-4, 5e-6);
    EXPECT_EQ(y.values(), random_start(2000, 3, 4).values());
    EXPECT_NE(y.values(), random_start(2000, 3, 5).values());
}

TEST(LayoutStart, AWidenedOneIsFiveFromItsMeanAndItsRowsPart) {
    MultiVector<double> y = support::random_outputs(100, 3, 1e-3);
    for (std::size_t c = 0; c < 3; ++c) {
        y.at(7, c) = y.at(8, c);
        for (std::size_t i = 0; i < 100; ++i) {
            y.at(i, c) += 4.0;
        }
    }
    const MultiVector<double> wide = widened(y, 1);
    double largest = 0.0;
    double sum = 0.0;
    for (const double value : wide.values()) {
        largest = std::max(largest, std::abs(value));
        sum += value;
    }
    EXPECT_NEAR(largest, 5.0, 1e-3);
    EXPECT_NEAR(sum, 0.0, 1e-2);
    EXPECT_NEAR((wide.at(1, 0) - wide.at(2, 0)) / (y.at(1, 0) - y.at(2, 0)),
                (wide.at(5, 2) - wide.at(3, 2)) / (y.at(5, 2) - y.at(3, 2)), 2.0);
    EXPECT_NE(wide.at(7, 0), wide.at(8, 0));
    EXPECT_NEAR(wide.at(7, 0), wide.at(8, 0), 1e-3);
    const MultiVector<double> nothing = widened(MultiVector<double>(50, 2), 1);
    EXPECT_EQ(nothing.values(), random_start(50, 2, 1).values());
}

TEST(LayoutStart, AGivenOneIsTakenAsItIsOrRefused) {
    Points start = reference::random_points(10, 2, 1);
    EXPECT_EQ(given_start(start.view()).at(7, 1), double{start[7][1]});
    EXPECT_NO_THROW(require_start(start.view(), 10, 2, largest_start));
    EXPECT_NO_THROW(require_start({}, 10, 2, largest_start));
    EXPECT_THROW(require_start(start.view(), 11, 2, largest_start), InvalidArgument);
    EXPECT_THROW(require_start(start.view(), 10, 3, largest_start), InvalidArgument);
    start[3][1] = -2e6F;
    EXPECT_THROW(require_start(start.view(), 10, 2, largest_start), InvalidArgument);
    EXPECT_NO_THROW(require_start(start.view(), 10, 2, 1e7));
    start[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(require_start(start.view(), 10, 2, largest_start), InputError);
    EXPECT_THROW(require_start(Points(10, 2).view(), 10, 2, largest_start), InputError);
}

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

TEST(MixtureOfNearest, FittedPointsAreTheirOwnMixtures) {
    for (const Index count : {2, 5, 40}) {
        const Points x = reference::random_points(count, 4, 1);
        Embedding fitted;
        fitted.coordinates = to_points(support::random_outputs(count, 2, 1.0));
        fitted.barycentric_map = mixture_of_nearest(fitted.coordinates);
        EXPECT_EQ(fitted.barycentric_map->neighbors, std::min<Index>(10, count - 1));
        const Transformer transformer(make_model("pca-forces", x.view(), fitted), {});
        EXPECT_TRUE(
            std::ranges::equal(transformer.transform(x.view(), {}).coordinates.values(), fitted.coordinates.values()));
    }
}

}  // namespace
}  // namespace isogon::layout_outputs_test
