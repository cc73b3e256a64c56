#include "forces/local_density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::local_density_test {
namespace {

constexpr OutputKernel usual{1.577, 0.895};

std::vector<double> some_radii(Index count) {
    std::vector<double> radii(count);
    for (Index i = 0; i < count; ++i) {
        radii[i] = std::sin(3.0 * i) + 0.1 * i;
    }
    return radii;
}

/// Pearson's correlation of these and the outputs' log radii, pair by pair in float64.
double slow_correlation(const CsrMatrix<double>& edges, const std::vector<double>& radii, const std::vector<double>& y,
                        Index dimension) {
    std::vector<double> logs(edges.rows);
    for (Index i = 0; i < edges.rows; ++i) {
        double sum = 0.0;
        double squares = 0.0;
        for (const Index k : edges.row_indices(i)) {
            double squared = 0.0;
            for (Index c = 0; c < dimension; ++c) {
                squared += std::pow(y[i * dimension + c] - y[k * dimension + c], 2);
            }
            sum += usual.value(squared);
            squares += usual.value(squared) * squared;
        }
        logs[i] = std::log(1e-8 + squares / sum);
    }
    const auto mean = [](const std::vector<double>& values) {
        double sum = 0.0;
        for (const double value : values) {
            sum += value / static_cast<double>(values.size());
        }
        return sum;
    };
    double both = 0.0;
    double own = 0.0;
    double other = 0.0;
    for (Index i = 0; i < edges.rows; ++i) {
        const double a = logs[i] - mean(logs);
        const double b = radii[i] - mean(radii);
        both += a * b;
        own += a * a;
        other += b * b;
    }
    return both / std::sqrt(own * other);
}

Points points_of(const std::vector<double>& y, Index dimension) {
    Points points(static_cast<Index>(y.size()) / dimension, dimension);
    std::ranges::transform(y, points.values().begin(), [](double value) { return static_cast<float>(value); });
    return points;
}

TEST(LocalDensity, TheCorrelationIsThatOfItsDefinition) {
    const CsrMatrix<double> edges = support::random_affinities(60, 4);
    const std::vector<double> radii = some_radii(60);
    const std::vector<double> y = support::random_outputs(60, 3, 2.0).values();
    EXPECT_NEAR(LocalDensity(edges, radii, usual).correlation(points_of(y, 3), {}),
                slow_correlation(edges, radii, y, 3), 1e-6);
    const std::vector<double> equal(60, 2.0);
    EXPECT_EQ(LocalDensity(edges, equal, usual).correlation(points_of(y, 3), {}), 0.0);
}

/// Small steps go along finite differences of the definition; a variance that is shifted turns them a little.
TEST(LocalDensity, AStepGoesUpTheGradient) {
    const CsrMatrix<double> edges = support::random_affinities(60, 4);
    const std::vector<double> radii = some_radii(60);
    std::vector<double> y = support::random_outputs(60, 2, 2.0).values();
    Points moved = points_of(y, 2);
    const Points before = moved;
    LocalDensity(edges, radii, usual).step(moved, 1e-2, reference::on_threads(3));
    double product = 0.0;
    double steps = 0.0;
    double slopes = 0.0;
    for (std::size_t k = 0; k < y.size(); ++k) {
        constexpr double h = 1e-5;
        const double here = y[k];
        y[k] = here + h;
        const double above = slow_correlation(edges, radii, y, 2);
        y[k] = here - h;
        const double slope = (above - slow_correlation(edges, radii, y, 2)) / (2.0 * h);
        y[k] = here;
        const double step = double{moved.values()[k]} - double{before.values()[k]};
        product += slope * step;
        steps += step * step;
        slopes += slope * slope;
    }
    EXPECT_GT(product / std::sqrt(steps * slopes), 0.99);
}

}  // namespace
}  // namespace isogon::local_density_test
