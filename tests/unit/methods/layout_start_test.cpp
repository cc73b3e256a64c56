#include "methods/layout_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::layout_start_test {
namespace {

double deviation(const WideVectors& y, std::size_t column) {
    double squares = 0.0;
    for (std::size_t i = 0; i < y.rows; ++i) {
        squares += y.at(i, column) * y.at(i, column);
    }
    return std::sqrt(squares / static_cast<double>(y.rows));
}

TEST(LayoutStart, PcaIsThatOfThePointsButForNoise) {
    const Points points = reference::random_points(300, 5, 1, 3.0);
    const WideVectors y = pca_start(points.view(), 2, 0, {});
    const Points truth = project(points.view(), truncated_svd(points.view(), 2, true, {}), {});
    WideVectors scaled(300, 2);
    for (Index i = 0; i < 300; ++i) {
        for (Index c = 0; c < 2; ++c) {
            scaled.at(i, c) = double{truth[i][c]};
        }
    }
    const double factor = 1e-4 / deviation(scaled, 0);
    for (double& value : scaled.values) {
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
    const WideVectors y = pca_start(line.view(), 3, 0, {});
    EXPECT_NEAR(deviation(y, 0), 1e-4, 1e-6);
    EXPECT_GT(deviation(y, 2), 1e-7);
    EXPECT_NE(y.at(0, 0), y.at(1, 0));
}

TEST(LayoutStart, RandomIsOfItsSizeAndSeed) {
    const WideVectors y = random_start(2000, 3, 4);
    EXPECT_NEAR(deviation(y, 1), 1e-4, 5e-6);
    EXPECT_EQ(y.values, random_start(2000, 3, 4).values);
    EXPECT_NE(y.values, random_start(2000, 3, 5).values);
}

TEST(LayoutStart, AWidenedOneIsFiveFromItsMeanAndItsRowsPart) {
    WideVectors y = support::random_outputs(100, 3, 1e-3);
    for (std::size_t c = 0; c < 3; ++c) {
        y.at(7, c) = y.at(8, c);
        for (std::size_t i = 0; i < 100; ++i) {
            y.at(i, c) += 4.0;
        }
    }
    const WideVectors wide = widened(y, 1);
    double largest = 0.0;
    double sum = 0.0;
    for (const double value : wide.values) {
        largest = std::max(largest, std::abs(value));
        sum += value;
    }
    EXPECT_NEAR(largest, 5.0, 1e-3);
    EXPECT_NEAR(sum, 0.0, 1e-2);
    EXPECT_NEAR((wide.at(1, 0) - wide.at(2, 0)) / (y.at(1, 0) - y.at(2, 0)),
                (wide.at(5, 2) - wide.at(3, 2)) / (y.at(5, 2) - y.at(3, 2)), 2.0);
    EXPECT_NE(wide.at(7, 0), wide.at(8, 0));
    EXPECT_NEAR(wide.at(7, 0), wide.at(8, 0), 1e-3);
    const WideVectors nothing = widened(WideVectors(50, 2), 1);
    EXPECT_EQ(nothing.values, random_start(50, 2, 1).values);
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

}  // namespace
}  // namespace isogon::layout_start_test
