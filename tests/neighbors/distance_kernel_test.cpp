#include "neighbors/distance_kernel.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>

#include "reference/point_sets.hpp"

namespace isogon::distance_kernel_test {
namespace {

class DistanceKernel : public testing::TestWithParam<Index> {
protected:
    void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

INSTANTIATE_TEST_SUITE_P(Sizes, DistanceKernel, testing::Values(0, 1, 3, 15, 16, 17, 63, 64, 65, 130, 784));

TEST_P(DistanceKernel, EqualsTheSumsOfFloat64OnEveryInstructionSet) {
    const Index size = GetParam();
    const Points points = reference::random_points(2, size, 4);
    double squares = 0.0;
    double product = 0.0;
    double magnitude = 0.0;
    for (Index k = 0; k < size; ++k) {
        const double x = 0.5 * double{points[0][k]};
        const double y = 1.7 * double{points[1][k]};
        squares += (x - y) * (x - y);
        product += x * y;
        magnitude += std::abs(x * y);
    }
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        EXPECT_NEAR(squared_difference({points[0], 0.5F}, {points[1], 1.7F}), squares, 1e-6 * squares);
        EXPECT_NEAR(scaled_product({points[0], 0.5F}, {points[1], 1.7F}), product, 1e-6 * magnitude);
    }
}

TEST_P(DistanceKernel, IsTheSameBothWays) {
    const Points points = reference::random_points(2, GetParam(), 5);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        EXPECT_EQ(squared_difference({points[0], 0.3F}, {points[1], 1.7F}),
                  squared_difference({points[1], 1.7F}, {points[0], 0.3F}));
        EXPECT_EQ(scaled_product({points[0], 0.3F}, {points[1], 1.7F}),
                  scaled_product({points[1], 1.7F}, {points[0], 0.3F}));
    }
}

TEST_P(DistanceKernel, EqualPointsAreAtZero) {
    const Points points = reference::random_points(1, GetParam(), 6);
    EXPECT_EQ(squared_difference({points[0], 0.3F}, {points[0], 0.3F}), 0.0);
}

TEST_P(DistanceKernel, AbsoluteDifferencesAreTheSumsOfFloat64WhicheverRowsStandTogether) {
    const Index size = GetParam();
    const Points points = reference::random_points(5, size, 7);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        std::array<double, differences_at_once> sums{};
        absolute_differences(points[0], {points[1].data(), points[2].data(), points[3].data(), points[4].data()}, sums);
        for (Index r = 0; r < differences_at_once; ++r) {
            double sum = 0.0;
            for (Index k = 0; k < size; ++k) {
                sum += std::abs(double{points[0][k]} - double{points[r + 1][k]});
            }
            EXPECT_NEAR(sums[r], sum, 1e-6 * sum);
            const float* row = points[0].data();
            std::array<double, differences_at_once> back{};
            absolute_differences(points[r + 1], {row, row, row, row}, back);
            EXPECT_EQ(back[r], sums[r]);
        }
    }
}

}  // namespace
}  // namespace isogon::distance_kernel_test
