#include "synthetic/handwriting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace isogon::glyphs_test {
namespace {

constexpr float tolerance = 1e-5F;

TEST(Stroke, PassesThroughItsKnots) {
    const Stroke stroke{{{0, 0}, false}, {{1, 2}, false}, {{3, 1}, true}, {{3, 5}, false}, {{0, 4}, false}};
    constexpr int pieces = 7;
    const auto line = trace(stroke, pieces);
    ASSERT_EQ(line.size(), 1U + pieces * (stroke.size() - 1));
    for (std::size_t k = 0; k < stroke.size(); ++k) {
        EXPECT_NEAR(line[k * pieces].x, stroke[k].place.x, tolerance);
        EXPECT_NEAR(line[k * pieces].y, stroke[k].place.y, tolerance);
    }
}

TEST(Stroke, StraightKnotsGiveAStraightLine) {
    const Stroke stroke{{{0, 0}, false}, {{1, 2}, false}, {{1.5F, 3}, true}, {{4, 8}, false}};
    for (const Place& place : trace(stroke, 9)) {
        EXPECT_NEAR(place.y, 2.0F * place.x, tolerance);
    }
}

TEST(Stroke, ThreeKnotsOfAParabolaGiveAParabolaOfEachPiece) {
    // Evenly spaced knots about the vertex: both halves mirror each other.
    const Stroke stroke{{{-1, 1}, false}, {{0, 0}, false}, {{1, 1}, false}};
    const auto line = trace(stroke, 4);
    for (std::size_t k = 0; k < line.size(); ++k) {
        const Place& mirror = line[line.size() - 1 - k];
        EXPECT_NEAR(line[k].x, -mirror.x, tolerance);
        EXPECT_NEAR(line[k].y, mirror.y, tolerance);
    }
}

TEST(Stroke, KnotsOnACircleGiveNearlyACircle) {
    Stroke stroke;
    for (int k = 0; k <= 8; ++k) {
        const float angle = static_cast<float>(k) * std::numbers::pi_v<float> / 4.0F;
        stroke.push_back({{std::cos(angle), std::sin(angle)}, false});
    }
    for (const Place& place : trace(stroke, 8)) {
        EXPECT_NEAR(std::hypot(place.x, place.y), 1.0F, 0.03F);
    }
}

float sharpest_turn(const std::vector<Place>& line) {
    float sharpest = 0.0F;
    for (std::size_t k = 1; k + 1 < line.size(); ++k) {
        const float ax = line[k].x - line[k - 1].x;
        const float ay = line[k].y - line[k - 1].y;
        const float bx = line[k + 1].x - line[k].x;
        const float by = line[k + 1].y - line[k].y;
        sharpest = std::max(sharpest, std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)));
    }
    return sharpest;
}

TEST(Stroke, TurnsSharplyAtCornersOnly) {
    Stroke stroke{{{0, 0}, false}, {{1, 0}, false}, {{1, 1}, false}};
    EXPECT_LT(sharpest_turn(trace(stroke, 20)), 0.3F);
    stroke[1].corner = true;
    EXPECT_GT(sharpest_turn(trace(stroke, 20)), 1.5F);
}

TEST(Stroke, TakesAwkwardKnots) {
    EXPECT_TRUE(trace(Stroke{}, 5).empty());
    EXPECT_EQ(trace(Stroke{{{1, 2}, false}}, 5).size(), 1U);
    const Stroke same(4, Knot{{0.5F, 0.25F}, false});
    for (const Place& place : trace(same, 5)) {
        EXPECT_NEAR(place.x, 0.5F, 1e-3F);
        EXPECT_NEAR(place.y, 0.25F, 1e-3F);
    }
}

class GlyphsOf : public testing::TestWithParam<int> {};

TEST_P(GlyphsOf, SharesSumToOne) {
    double sum = 0.0;
    for (const Glyph& glyph : glyphs_of(GetParam())) {
        EXPECT_GT(glyph.share, 0.0);
        sum += glyph.share;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST_P(GlyphsOf, FillTheHeightOfTheBox) {
    for (const Glyph& glyph : glyphs_of(GetParam())) {
        ASSERT_FALSE(glyph.strokes.empty());
        float top = 1.0F;
        float bottom = 0.0F;
        for (const Stroke& stroke : glyph.strokes) {
            ASSERT_GE(stroke.size(), 2U) << "a stroke must go somewhere";
            for (const Knot& knot : stroke) {
                EXPECT_GE(knot.place.x, 0.0F);
                EXPECT_LE(knot.place.x, 1.0F);
                top = std::min(top, knot.place.y);
                bottom = std::max(bottom, knot.place.y);
            }
        }
        EXPECT_NEAR(top, 0.0F, 0.06F);
        EXPECT_NEAR(bottom, 1.0F, 0.06F);
    }
}

TEST_P(GlyphsOf, EndsAreNoCorners) {
    for (const Glyph& glyph : glyphs_of(GetParam())) {
        for (const Stroke& stroke : glyph.strokes) {
            EXPECT_FALSE(stroke.front().corner);
            EXPECT_FALSE(stroke.back().corner);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Digits, GlyphsOf, testing::Range(0, 10));

TEST(Glyphs, EachIsChosenByItsShare) {
    const std::vector<Glyph> three{{0.5, {}}, {0.25, {}}, {0.25, {}}};
    const auto chosen = [&](double share) { return &choose_glyph(three, share) - three.data(); };
    EXPECT_EQ(chosen(0.0), 0);
    EXPECT_EQ(chosen(0.499), 0);
    EXPECT_EQ(chosen(0.5), 1);
    EXPECT_EQ(chosen(0.749), 1);
    EXPECT_EQ(chosen(0.75), 2);
    EXPECT_EQ(chosen(1.0), 2);
}

TEST(Glyphs, ThereAreTenDigits) {
    EXPECT_THROW((void)glyphs_of(10), std::out_of_range);
    EXPECT_THROW((void)glyphs_of(-1), std::out_of_range);
}

}  // namespace
}  // namespace isogon::glyphs_test
