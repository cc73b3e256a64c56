#include "synthetic/pen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace isogon::pen_test {
namespace {

constexpr int height = 12;
constexpr int width = 20;

std::vector<float> drawn(const PenLine& line, float softness = 1.0F) {
    std::vector<float> image(height * width);
    draw_line(image, height, width, line, softness);
    return image;
}

float pixel(const std::vector<float>& image, int row, int column) {
    return image[static_cast<std::size_t>(row * width + column)];
}

TEST(Pen, DrawsALevelLineOfItsWidth) {
    const auto image = drawn({{{4, 5}, 1.5F, 1.0F}, {{15, 5}, 1.5F, 1.0F}});
    for (int column = 4; column <= 15; ++column) {
        EXPECT_FLOAT_EQ(pixel(image, 5, column), 1.0F);
        EXPECT_FLOAT_EQ(pixel(image, 4, column), 1.0F);
        EXPECT_FLOAT_EQ(pixel(image, 3, column), 0.0F);
        EXPECT_FLOAT_EQ(pixel(image, 7, column), 0.0F);
    }
    EXPECT_FLOAT_EQ(pixel(image, 5, 1), 0.0F);
    EXPECT_FLOAT_EQ(pixel(image, 5, 18), 0.0F);
}

TEST(Pen, EdgeIsHalfInked) {
    const auto image = drawn({{{2, 5}, 2.0F, 0.8F}, {{17, 5}, 2.0F, 0.8F}}, 3.0F);
    EXPECT_NEAR(pixel(image, 7, 10), 0.4F, 1e-6F);
    EXPECT_GT(pixel(image, 6, 10), pixel(image, 7, 10));
    EXPECT_GT(pixel(image, 7, 10), pixel(image, 8, 10));
    EXPECT_GT(pixel(image, 8, 10), 0.0F);
}

TEST(Pen, MovesWithSubpixelPrecision) {
    const auto middle = [](float y) {
        const auto image = drawn({{{3, y}, 1.2F, 1.0F}, {{16, y}, 1.2F, 1.0F}}, 1.5F);
        double total = 0.0;
        double moment = 0.0;
        for (int row = 0; row < height; ++row) {
            total += pixel(image, row, 10);
            moment += static_cast<double>(row) * pixel(image, row, 10);
        }
        return moment / total;
    };
    EXPECT_NEAR(middle(5.0F), 5.0, 1e-5);
    EXPECT_NEAR(middle(5.5F), 5.5, 1e-5);
    EXPECT_NEAR(middle(5.25F), 5.25, 0.05);
}

TEST(Pen, InkAndWidthChangeAlongTheLine) {
    const auto image = drawn({{{2, 5}, 0.5F, 0.2F}, {{17, 5}, 3.0F, 0.9F}});
    EXPECT_NEAR(pixel(image, 5, 2), 0.2F, 1e-6F);
    EXPECT_NEAR(pixel(image, 5, 17), 0.9F, 1e-6F);
    EXPECT_FLOAT_EQ(pixel(image, 7, 2), 0.0F);
    EXPECT_GT(pixel(image, 7, 17), 0.8F);
}

TEST(Pen, CrossingTakesTheDarker) {
    std::vector<float> image(height * width);
    draw_line(image, height, width, PenLine{{{2, 5}, 1.0F, 0.3F}, {{17, 5}, 1.0F, 0.3F}}, 1.0F);
    draw_line(image, height, width, PenLine{{{10, 1}, 1.0F, 0.7F}, {{10, 10}, 1.0F, 0.7F}}, 1.0F);
    EXPECT_NEAR(pixel(image, 5, 10), 0.7F, 1e-6F);
    EXPECT_NEAR(pixel(image, 5, 4), 0.3F, 1e-6F);
}

TEST(Pen, CutsOffWhatIsOutside) {
    const auto through = drawn({{{-1000, 5}, 1.0F, 1.0F}, {{1000, 5}, 1.0F, 1.0F}});
    EXPECT_FLOAT_EQ(pixel(through, 5, 0), 1.0F);
    EXPECT_FLOAT_EQ(pixel(through, 5, width - 1), 1.0F);
    for (const float away : {-1e6F, -50.0F, 50.0F, 1e6F}) {
        const auto image = drawn({{{away, away}, 2.0F, 1.0F}, {{away + 3, away}, 2.0F, 1.0F}});
        EXPECT_EQ(std::accumulate(image.begin(), image.end(), 0.0F), 0.0F);
    }
}

TEST(Pen, DrawsADotAndNothing) {
    const auto dot = drawn({{{8, 6}, 1.5F, 1.0F}});
    EXPECT_FLOAT_EQ(pixel(dot, 6, 8), 1.0F);
    EXPECT_EQ(std::ranges::count_if(dot, [](float v) { return v > 0.0F; }), 9);
    const auto none = drawn({});
    EXPECT_EQ(std::ranges::count_if(none, [](float v) { return v > 0.0F; }), 0);
}

}  // namespace
}  // namespace isogon::pen_test
