#include "synthetic/image_warp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace isogon::image_warp_test {
namespace {

constexpr WarpShape shape{6, 9};
constexpr std::size_t size = std::size_t{shape.height} * shape.width;

std::vector<float> numbered() {
    std::vector<float> image(size);
    for (std::size_t k = 0; k < size; ++k) {
        image[k] = static_cast<float>((k * 37) % 53);
    }
    return image;
}

std::vector<float> warped(const std::vector<float>& image, const LinearMap& map, float shift_x, float shift_y) {
    std::vector<float> to(size, -1.0F);
    warp_image(image, shape, map, std::vector<float>(size, shift_x), std::vector<float>(size, shift_y), to);
    return to;
}

TEST(ImageWarp, NothingChangedIsTheSameImage) {
    EXPECT_EQ(warped(numbered(), {}, 0.0F, 0.0F), numbered());
}

TEST(ImageWarp, AWholeShiftMovesPixelsAndTheBorderGoesOn) {
    const auto image = numbered();
    const auto to = warped(image, {}, 2.0F, -1.0F);
    for (Index y = 0; y < shape.height; ++y) {
        for (Index x = 0; x < shape.width; ++x) {
            const Index from_x = std::min(x + 2, shape.width - 1);
            const Index from_y = y > 0 ? y - 1 : 0;
            ASSERT_EQ(to[y * shape.width + x], image[from_y * shape.width + from_x]);
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
    for (Index y = 0; y < shape.height; ++y) {
        for (Index x = 0; x < shape.width; ++x) {
            image[y * shape.width + x] = 3.0F * static_cast<float>(x) - 2.0F * static_cast<float>(y);
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
            ASSERT_NEAR(to[y * shape.width + x], 3.0 * from_x - 2.0 * from_y, 1e-4);
        }
    }
}

TEST(ImageWarp, AQuarterTurnOfASquareMovesPixels) {
    const WarpShape square{3, 3};
    const std::vector<float> image{1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<float> to(9);
    const std::vector<float> none(9, 0.0F);
    warp_image(image, square, {0.0F, 1.0F, -1.0F, 0.0F}, none, none, to);  // reads (x, y) at (y, -x)
    EXPECT_EQ(to, (std::vector<float>{7, 4, 1, 8, 5, 2, 9, 6, 3}));
}

TEST(ImageWarp, OnePixelIsItself) {
    std::vector<float> to(1);
    const std::vector<float> shift{0.7F};
    warp_image(std::vector<float>{42.0F}, {1, 1}, {2.0F, 1.0F, 1.0F, 2.0F}, shift, shift, to);
    EXPECT_EQ(to[0], 42.0F);
}

TEST(Thicken, MovesAnEdgeByItsGain) {
    // A soft edge along x: to first order f(x) + t |f'(x)| = f(x + t) where f rises.
    std::vector<float> image(size);
    std::vector<float> to(size);
    for (std::size_t k = 0; k < size; ++k) {
        image[k] = static_cast<float>(k % shape.width) * 4.0F;
    }
    for (const float gain : {0.5F, -0.25F}) {
        thicken(image, shape, gain, to);
        for (std::size_t x = 1; x + 1 < shape.width; ++x) {
            ASSERT_NEAR(to[2 * shape.width + x], 4.0F * (static_cast<float>(x) + gain), 1e-5);
        }
    }
}

TEST(Thicken, LeavesFlatImagesAndNoGainAlone) {
    std::vector<float> to(size);
    thicken(std::vector<float>(size, 7.0F), shape, 2.0F, to);
    EXPECT_EQ(to, std::vector<float>(size, 7.0F));
    thicken(numbered(), shape, 0.0F, to);
    EXPECT_EQ(to, numbered());
}

}  // namespace
}  // namespace isogon::image_warp_test
