#include "synthetic/smooth_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isogon::smooth_field_test {
namespace {

std::vector<float> drawn(const SmoothField& field, std::size_t size, std::uint64_t index, double amplitude = 1.0) {
    std::vector<float> values(size, 5.0F);
    Random random(3, RandomStream::Test, index);
    field.draw(random, amplitude, values);
    return values;
}

double mean_square(std::span<const float> values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / static_cast<double>(values.size());
}

TEST(SmoothField, AmplitudeIsTheRootMeanSquare) {
    for (const double smoothness : {1.0, 4.0, 40.0}) {
        const SmoothField field(12, 20, smoothness);
        double sum = 0.0;
        constexpr int fields = 2000;
        for (int i = 0; i < fields; ++i) {
            sum += mean_square(drawn(field, 240, static_cast<std::uint64_t>(i), 2.5));
        }
        // With a single mode the mean of 2000 squares of normals deviates by sqrt(2 / 2000) = 3.2%.
        EXPECT_NEAR(sum / fields, 2.5 * 2.5, 0.13 * 2.5 * 2.5) << smoothness;
    }
}

TEST(SmoothField, HasNoConstantPart) {
    const auto values = drawn(SmoothField(9, 14, 2.0), 126, 0);
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 0.0, 1e-4);
}

/// Correlation of values d columns apart, over many fields.
double correlation(const SmoothField& field, Index height, Index width, Index apart) {
    double product = 0.0;
    double square = 0.0;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const auto values = drawn(field, std::size_t{height} * width, i);
        for (Index y = height / 4; y < 3 * height / 4; ++y) {
            const float* row = values.data() + std::size_t{y} * width + width / 2;
            product += row[0] * row[apart];
            square += 0.5 * (row[0] * row[0] + row[apart] * row[apart]);
        }
    }
    return product / square;
}

// White noise smoothed by a Gaussian of deviation s correlates over a distance d as exp(-d^2 / (4 s^2)); away from the
// border and for s far below the side the cosines must say the same.
TEST(SmoothField, CorrelatesAsSmoothedWhiteNoise) {
    constexpr double smoothness = 2.0;
    const SmoothField field(40, 40, smoothness);
    for (const Index apart : {1U, 2U, 4U, 8U}) {
        EXPECT_NEAR(correlation(field, 40, 40, apart), std::exp(-0.25 * apart * apart / (smoothness * smoothness)),
                    0.05);
    }
}

TEST(SmoothField, AFieldIsAFunctionOfItsStream) {
    const SmoothField field(7, 5, 1.5);
    EXPECT_EQ(drawn(field, 35, 4), drawn(field, 35, 4));
    EXPECT_NE(drawn(field, 35, 4), drawn(field, 35, 5));
}

TEST(SmoothField, TakesFewModesWhereItIsSmoothAndAllWhereItIsNot) {
    EXPECT_LT(SmoothField(28, 28, 4.0).modes(), 150U);
    EXPECT_EQ(SmoothField(10, 12, 0.01).modes(), 120U);
}

TEST(SmoothField, NarrowGridsAndWideGaussiansAreFine) {
    EXPECT_EQ(drawn(SmoothField(1, 1, 4.0), 1, 0), std::vector<float>{0.0F});
    for (const auto& [height, width] : {std::pair<Index, Index>{1, 9}, {9, 1}, {3, 300}}) {
        const auto values = drawn(SmoothField(height, width, 1000.0), std::size_t{height} * width, 1);
        EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
        EXPECT_GT(mean_square(values), 0.0);
    }
}

}  // namespace
}  // namespace isogon::smooth_field_test
