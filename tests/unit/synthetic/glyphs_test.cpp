#include "synthetic/glyphs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace isogon::glyphs_test {
namespace {

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
