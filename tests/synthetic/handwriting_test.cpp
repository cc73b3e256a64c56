#include "synthetic/handwriting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace isogon::handwriting_test {
namespace {

constexpr int height = 12;
constexpr int width = 20;

std::vector<float> drawn(const PenLine& line, float softness = 1.0F) {
    std::vector<float> image(height * width);
    draw_line({image, height, width}, line, softness);
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
    draw_line({image, height, width}, PenLine{{{2, 5}, 1.0F, 0.3F}, {{17, 5}, 1.0F, 0.3F}}, 1.0F);
    draw_line({image, height, width}, PenLine{{{10, 1}, 1.0F, 0.7F}, {{10, 10}, 1.0F, 0.7F}}, 1.0F);
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

constexpr int side = 28;

struct Box {
    float left = std::numeric_limits<float>::infinity();
    float top = std::numeric_limits<float>::infinity();
    float right = -std::numeric_limits<float>::infinity();
    float bottom = -std::numeric_limits<float>::infinity();
};

Box box_of(const std::vector<PenLine>& lines) {
    Box box;
    for (const auto& line : lines) {
        for (const PenPoint& point : line) {
            box.left = std::min(box.left, point.place.x);
            box.right = std::max(box.right, point.place.x);
            box.top = std::min(box.top, point.place.y);
            box.bottom = std::max(box.bottom, point.place.y);
        }
    }
    return box;
}

Random stream(std::uint64_t index) {
    return {3, RandomStream::Test, index};
}

const Glyph bar{1.0, {{{{0.5F, 0.0F}, false}, {{0.5F, 0.5F}, false}, {{0.5F, 1.0F}, false}}}};

TEST(Handwriting, FillsTheHandsSizeWithThePen) {
    for (std::uint64_t i = 0; i < 500; ++i) {
        Random random = stream(i);
        const Hand hand = random_hand(random, 1.0, 0.15);
        const auto glyphs = glyphs_of(static_cast<int>(i % 10));
        const Box box = box_of(write_glyph(glyphs[i % glyphs.size()], hand, side, random));
        const float extent = std::max(box.right - box.left, box.bottom - box.top) + 2.0F * hand.radius;
        ASSERT_NEAR(extent, hand.size, 1e-3F);
    }
}

TEST(Handwriting, CentresTheInk) {
    Random random = stream(1);
    Hand hand;
    hand.shift = {1.0F, -2.0F};
    const Box box = box_of(write_glyph(bar, hand, side, random));
    EXPECT_NEAR(0.5F * (box.left + box.right), 13.5F + 1.0F, 1e-3F);
    EXPECT_NEAR(0.5F * (box.top + box.bottom), 13.5F - 2.0F, 1e-3F);
}

TEST(Handwriting, PositiveSlantLeansToTheRight) {
    Random random = stream(1);
    Hand hand;
    hand.slant = 0.3F;
    const auto lines = write_glyph(bar, hand, side, random);
    EXPECT_GT(lines.front().front().place.x, lines.front().back().place.x + 2.0F);
}

TEST(Handwriting, PositiveRotationLeansToTheRight) {
    Random random = stream(1);
    Hand hand;
    hand.rotation = 0.3F;
    const auto lines = write_glyph(bar, hand, side, random);
    const Place& head = lines.front().front().place;
    const Place& foot = lines.front().back().place;
    EXPECT_NEAR(std::atan2(head.x - foot.x, foot.y - head.y), 0.3F, 1e-4F);
}

TEST(Handwriting, AspectWidens) {
    const auto proportion = [](float aspect) {
        Random random = stream(1);
        Hand hand;
        hand.aspect = aspect;
        const Box box = box_of(write_glyph(glyphs_of(0).front(), hand, side, random));
        return (box.right - box.left) / (box.bottom - box.top);
    };
    EXPECT_NEAR(proportion(1.3F), 1.3F * proportion(1.0F), 1e-3F);
}

TEST(Handwriting, TaperWidensTheHead) {
    const Glyph table{1.0,
                      {{{{0.1F, 0.0F}, false}, {{0.7F, 0.0F}, false}}, {{{0.1F, 1.0F}, false}, {{0.7F, 1.0F}, false}}}};
    Random random = stream(1);
    Hand hand;
    hand.taper = 0.5F;
    const auto lines = write_glyph(table, hand, side, random);
    const auto length = [](const PenLine& line) { return line.back().place.x - line.front().place.x; };
    EXPECT_NEAR(length(lines[0]) / length(lines[1]), 1.25F / 0.75F, 1e-3F);
}

TEST(Handwriting, WavesBend) {
    Random random = stream(1);
    Hand hand;
    hand.waves[0] = {{0.2F, 0.0F}, {0.0F, 3.14159265F}, 0.0F};
    const auto line = write_glyph(bar, hand, side, random).front();
    EXPECT_GT(line[line.size() / 2].place.x, line.front().place.x + 2.0F);
    EXPECT_NEAR(line.front().place.x, line.back().place.x, 1e-3F);
}

TEST(Handwriting, PressureChangesWidthAndInk) {
    Random random = stream(1);
    Hand hand;
    hand.pressure = 0.2F;
    const auto line = write_glyph(bar, hand, side, random).front();
    float least = line.front().radius;
    float most = least;
    for (const PenPoint& point : line) {
        least = std::min(least, point.radius);
        most = std::max(most, point.radius);
        EXPECT_FLOAT_EQ(point.radius / hand.radius, point.ink / hand.ink);
    }
    EXPECT_NEAR(most, 1.2F, 0.02F);
    EXPECT_NEAR(least, 0.8F, 0.02F);
}

/// A straight column of knots, 0.1 apart.
Glyph ruler() {
    Stroke stroke;
    for (int k = 0; k <= 10; ++k) {
        stroke.push_back({{0.5F, 0.1F * static_cast<float>(k)}, false});
    }
    return {1.0, {stroke}};
}

TEST(Handwriting, NeighbouringKnotsErrAlike) {
    Hand hand;
    hand.knot_spread = 0.02F;
    double product = 0.0;
    double square = 0.0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        Random random = stream(i);
        const auto line = write_glyph(ruler(), hand, side, random).front();
        const std::size_t pieces = (line.size() - 1) / 10;
        double mean = 0.0;
        for (std::size_t k = 0; k <= 10; ++k) {
            mean += line[k * pieces].place.x / 11.0;
        }
        for (std::size_t k = 0; k < 10; ++k) {
            product += (line[k * pieces].place.x - mean) * (line[(k + 1) * pieces].place.x - mean);
            square += std::pow(line[k * pieces].place.x - mean, 2);
        }
    }
    EXPECT_GT(product / square, 0.2);  // -0.1 for knots that err on their own, about their own mean
    EXPECT_LT(product / square, 0.8);
}

TEST(Handwriting, StrokesAreStretchedAtBothEnds) {
    Hand hand;
    hand.end_spread = 0.3F;
    Random random = stream(1);
    const auto line = write_glyph(ruler(), hand, side, random).front();
    const std::size_t pieces = (line.size() - 1) / 10;
    const auto step = [&](std::size_t k) { return line[(k + 1) * pieces].place.y - line[k * pieces].place.y; };
    EXPECT_GT(std::abs(step(0) - step(4)), 0.01F);
    EXPECT_GT(std::abs(step(9) - step(4)), 0.01F);
    EXPECT_NEAR(step(3), step(5), 1e-3F);
}

TEST(Handwriting, WithoutVariationOnlyThePenDiffers) {
    Random first = stream(1);
    Random second = stream(2);
    Hand a = random_hand(first, 0.0, 0.0);
    Hand b = random_hand(second, 0.0, 0.0);
    EXPECT_EQ(a.slant, b.slant);
    EXPECT_EQ(a.aspect, b.aspect);
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.ink, b.ink);
    a.shift = b.shift = {};
    const auto one = write_glyph(glyphs_of(8).front(), a, side, first).front();
    const auto two = write_glyph(glyphs_of(8).front(), b, side, second).front();
    for (std::size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(one[k].place.x, two[k].place.x);
        EXPECT_EQ(one[k].place.y, two[k].place.y);
    }
}

TEST(Handwriting, ExtremesStayInsideTheImage) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        Random random = stream(i);
        const Hand hand = random_hand(random, 2.0, 1.0);
        ASSERT_GT(hand.radius, 0.0F);
        ASSERT_GT(hand.ink, 0.0F);
        ASSERT_LE(hand.pressure, 0.35F);
        for (const auto& line : write_glyph(glyphs_of(static_cast<int>(i % 10)).back(), hand, side, random)) {
            for (const PenPoint& point : line) {
                const float reach = point.radius + 0.5F * hand.softness - 1e-3F;
                ASSERT_GE(std::min(point.place.x, point.place.y) - reach, 0.0F);
                ASSERT_LE(std::max(point.place.x, point.place.y) + reach, side - 1.0F);
            }
        }
    }
}

}  // namespace
}  // namespace isogon::handwriting_test
