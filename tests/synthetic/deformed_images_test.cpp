#include "synthetic/deformed_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "generator_checks.hpp"
#include "isogon/synthetic/generator.hpp"

namespace isogon::deformed_images_test {

namespace {

constexpr DeformedImagesOptions still{
    .amplitude = 0.0, .rotation = 0.0, .scaling = 0.0, .shear = 0.0, .thickness = 0.0};

class DeformedImages : public testing::Test {
protected:
    [[nodiscard]] SourceImages source() const { return {digits_.points.view(), 28, 28, digits_.labels}; }
    [[nodiscard]] Generated deform(Index count, const DeformedImagesOptions& options, std::uint64_t seed = 1) const {
        return make_points(deformed_images_maker(source(), seed, options, {}), 0, count, {});
    }
    /// Mean distance between images and what they were made of, over the mean length of those.
    [[nodiscard]] double change(const DeformedImagesOptions& options) const {
        const Generated made = deform(digits_.points.count(), options);
        double apart = 0.0;
        double lengths = 0.0;
        for (Index i = 0; i < made.points.count(); ++i) {
            apart += checks::distance(made.points[i], digits_.points[i]);
            lengths += checks::length(digits_.points[i]);
        }
        return apart / lengths;
    }

    Generated digits_ = drawn_digits(40, 9);
};

TEST_F(DeformedImages, WithoutAnyWarpTheyAreTheGivenOnesInTurn) {
    const Generated made = deform(100, still);
    ASSERT_EQ(made.image_height, 28U);
    for (Index i = 0; i < 100; ++i) {
        const Index given = deformed_source(i, 40);
        EXPECT_EQ(given, i % 40);
        ASSERT_TRUE(std::ranges::equal(made.points[i], digits_.points[given])) << i;
        ASSERT_EQ(made.labels[i], digits_.labels[given]);
    }
}

TEST_F(DeformedImages, EachOptionDeformsByItselfAndMoreDeformsMore) {
    const auto with = [](double DeformedImagesOptions::*member, double value) {
        DeformedImagesOptions options = still;
        options.*member = value;
        return options;
    };
    for (const auto& [member, value] : {std::pair{&DeformedImagesOptions::amplitude, 0.7},
                                        {&DeformedImagesOptions::rotation, 6.0},
                                        {&DeformedImagesOptions::scaling, 0.05},
                                        {&DeformedImagesOptions::shear, 0.08},
                                        {&DeformedImagesOptions::thickness, 0.2}}) {
        const double some = change(with(member, value));
        EXPECT_GT(some, 0.02);
        EXPECT_GT(change(with(member, 2.0 * value)), 1.2 * some);
    }
}

TEST_F(DeformedImages, RougherFieldsCrumple) {
    // The total variation of an image grows when neighbouring pixels are shifted apart.
    const auto variation = [this](double smoothness) {
        DeformedImagesOptions options = still;
        options.amplitude = 2.0;
        options.smoothness = smoothness;
        const Generated made = deform(40, options);
        double sum = 0.0;
        for (Index i = 0; i < 40; ++i) {
            for (std::size_t k = 1; k < 784; ++k) {
                sum += std::abs(made.points[i][k] - made.points[i][k - 1]);
            }
        }
        return sum;
    };
    EXPECT_GT(variation(1.0), 1.3 * variation(6.0));
}

TEST_F(DeformedImages, DefaultsLeaveImagesNearTheirOwnSource) {
    const Generated made = deform(200, {});
    Index nearest_is_own = 0;
    for (Index i = 0; i < 200; ++i) {
        Index best = 0;
        for (Index j = 1; j < 40; ++j) {
            best =
                checks::cosine(made.points[i], digits_.points[j]) > checks::cosine(made.points[i], digits_.points[best])
                    ? j
                    : best;
        }
        nearest_is_own += best == deformed_source(i, 40) ? 1 : 0;
    }
    EXPECT_GT(nearest_is_own, 150U);
    EXPECT_GT(change({}), 0.2);
}

TEST_F(DeformedImages, WholeNumbersStayWholeAndInTheRangeOfTheirSource) {
    const Generated made = deform(80, {.amplitude = 3.0, .thickness = 3.0});
    for (Index i = 0; i < 80; ++i) {
        const auto given = digits_.points[deformed_source(i, 40)];
        const float most = *std::max_element(given.begin(), given.end());
        for (const float value : made.points[i]) {
            ASSERT_TRUE(value >= 0.0F && value <= most && value == std::trunc(value)) << value;
        }
    }
}

TEST_F(DeformedImages, OtherNumbersAreNotRounded) {
    for (float& value : digits_.points.values()) {
        value /= 255.0F;
    }
    const Generated made = deform(40, {});
    EXPECT_TRUE(std::ranges::any_of(made.points.values(), [](float value) { return value > 0.1F && value < 0.9F; }));
}

TEST_F(DeformedImages, LabelsAreOptional) {
    const SourceImages unlabelled{digits_.points.view(), 28, 28, {}};
    EXPECT_TRUE(make_points(deformed_images_maker(unlabelled, 0, {}, {}), 0, 3, {}).labels.empty());
}

TEST_F(DeformedImages, HugeValuesDoNotBecomeNan) {
    for (float& value : digits_.points.values()) {
        value *= 1.3e36F;
    }
    EXPECT_NO_THROW(require_finite(deform(60, {}).points.view(), "made"));
}

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

constexpr Index height = 6;
constexpr Index width = 9;
constexpr std::size_t size = std::size_t{height} * width;

std::vector<float> numbered() {
    std::vector<float> image(size);
    for (std::size_t k = 0; k < size; ++k) {
        image[k] = static_cast<float>((k * 37) % 53);
    }
    return image;
}

std::vector<float> warped(const std::vector<float>& image, const LinearMap& map, float shift_x, float shift_y) {
    std::vector<float> to(size, -1.0F);
    warp_image({image, height, width}, map, std::vector<float>(size, shift_x), std::vector<float>(size, shift_y), to);
    return to;
}

TEST(ImageWarp, AWholeShiftMovesPixelsAndTheBorderGoesOn) {
    const auto image = numbered();
    const auto to = warped(image, {}, 2.0F, -1.0F);
    for (Index y = 0; y < height; ++y) {
        for (Index x = 0; x < width; ++x) {
            const Index from_x = std::min(x + 2, width - 1);
            const Index from_y = y > 0 ? y - 1 : 0;
            ASSERT_EQ(to[y * width + x], image[from_y * width + from_x]);
        }
    }
}

TEST(ImageWarp, FarShiftsReadTheCorner) {
    const auto image = numbered();
    EXPECT_EQ(warped(image, {}, 1e9F, 1e9F), std::vector<float>(size, image.back()));
    EXPECT_EQ(warped(image, {}, -1e9F, -1e9F), std::vector<float>(size, image.front()));
}

// A function linear in x and y is what bilinear reading gives back exactly, wherever it is read inside.
TEST(ImageWarp, ReadsLinearFunctionsExactly) {
    std::vector<float> image(size);
    for (Index y = 0; y < height; ++y) {
        for (Index x = 0; x < width; ++x) {
            image[y * width + x] = 3.0F * static_cast<float>(x) - 2.0F * static_cast<float>(y);
        }
    }
    const float angle = 0.1F;
    const LinearMap turn{std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle)};
    const auto to = warped(image, turn, 0.25F, -0.5F);
    for (Index y = 2; y < 4; ++y) {
        for (Index x = 2; x < 7; ++x) {
            const double dx = x - 4.0;
            const double dy = y - 2.5;
            const double from_x = 4.0 + std::cos(angle) * dx - std::sin(angle) * dy + 0.25;
            const double from_y = 2.5 + std::sin(angle) * dx + std::cos(angle) * dy - 0.5;
            ASSERT_NEAR(to[y * width + x], 3.0 * from_x - 2.0 * from_y, 1e-4);
        }
    }
}

TEST(ImageWarp, OnePixelIsItself) {
    std::vector<float> to(1);
    const std::vector<float> shift{0.7F};
    warp_image({std::vector<float>{42.0F}, 1, 1}, {2.0F, 1.0F, 1.0F, 2.0F}, shift, shift, to);
    EXPECT_EQ(to[0], 42.0F);
}

TEST(Thicken, MovesAnEdgeByItsGain) {
    // A soft edge along x: to first order f(x) + t |f'(x)| = f(x + t) where f rises.
    std::vector<float> image(size);
    std::vector<float> to(size);
    for (std::size_t k = 0; k < size; ++k) {
        image[k] = static_cast<float>(k % width) * 4.0F;
    }
    for (const float gain : {0.5F, -0.25F}) {
        thicken({image, height, width}, gain, to);
        for (std::size_t x = 1; x + 1 < width; ++x) {
            ASSERT_NEAR(to[2 * width + x], 4.0F * (static_cast<float>(x) + gain), 1e-5);
        }
    }
}

TEST(Thicken, LeavesFlatImagesAlone) {
    std::vector<float> to(size);
    thicken({std::vector<float>(size, 7.0F), height, width}, 2.0F, to);
    EXPECT_EQ(to, std::vector<float>(size, 7.0F));
}

}  // namespace

}  // namespace isogon::deformed_images_test
