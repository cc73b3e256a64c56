#include "report/svg_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace isogon::svg_chart_test {

namespace {

TEST(SvgText, NothingInATextIsMarkup) {
    EXPECT_EQ(svg_escaped("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
    EXPECT_EQ(svg_escaped("line\nline\ttab"), "line line tab");
    EXPECT_EQ(svg_escaped(""), "");
}

TEST(SvgText, WhatIsNoTextIsTheReplacementCharacter) {
    const std::string unknown = "\xef\xbf\xbd";
    EXPECT_EQ(svg_escaped("a\x01z"), "a" + unknown + "z");
    EXPECT_EQ(svg_escaped("a\xffz"), "a" + unknown + "z");
    EXPECT_EQ(svg_escaped("\xc3"), unknown);                                            // cut off
    EXPECT_EQ(svg_escaped("\xc0\xaf"), unknown + unknown);                              // longer than need be
    EXPECT_EQ(svg_escaped("\xed\xa0\x80"), unknown + unknown + unknown);                // a surrogate
    EXPECT_EQ(svg_escaped("\xf4\x90\x80\x80"), unknown + unknown + unknown + unknown);  // beyond the last
    EXPECT_EQ(svg_escaped("\xef\xbf\xbf"), unknown + unknown + unknown);                // U+FFFF
}

TEST(SvgText, TextOfAllLanguagesStays) {
    const std::string words = "d\xc3\xb6rfer \xd7\xa9\xd7\x9c \xe5\x8d\x97 \xf0\x9f\x98\x80";
    EXPECT_EQ(svg_escaped(words), words);
}

TEST(SvgText, NumbersAreShort) {
    EXPECT_EQ(short_number(0.950000001), "0.95");
    EXPECT_EQ(short_number(-0.0), "0");
    EXPECT_EQ(short_number(14000), "1.4e+04");
    EXPECT_EQ(place(-0.01), "0.0");
    EXPECT_EQ(place(12.45), "12.4");
}

using Values = std::vector<double>;

/// Every value is on the axis, in order, and so are the ticks.
void expect_sound(AxisScale kind, const Values& values) {
    const ChartScale scale(kind, values);
    const auto& ticks = scale.ticks();
    ASSERT_GE(ticks.size(), 2U);
    EXPECT_LE(ticks.size(), 12U);
    EXPECT_TRUE(std::ranges::is_sorted(ticks));
    EXPECT_EQ(std::ranges::adjacent_find(ticks), ticks.end());
    double before = -1.0;
    Values all = values;
    std::ranges::sort(all);
    for (const double value : all) {
        const auto share = scale.share(value);
        ASSERT_TRUE(share.has_value());
        EXPECT_GE(*share, -1e-9);
        EXPECT_LE(*share, 1.0 + 1e-9);
        EXPECT_GE(*share, before - 1e-9);
        before = *share;
    }
    for (const double tick : ticks) {
        EXPECT_GE(scale.share(tick).value_or(-1.0), -1e-9);
        EXPECT_LE(scale.share(tick).value_or(2.0), 1.0 + 1e-9);
    }
}

TEST(ChartScale, HoldsItsValues) {
    const std::vector<Values> sets{{0.0, 1.0},          {3.0},           {0.0},         {-5.0, 7.0},
                                   {1e-9, 3e-9},        {100, 100.1},    {-2.0, -1.9},  {1e12, 4.7e12},
                                   {0.016, 0.5, 0.985}, {-1e-20, 1e-20}, {1e299, -1e9}, {5.0, 5.0, 5.0}};
    for (const auto& values : sets) {
        expect_sound(AxisScale::Linear, values);
    }
    const std::vector<Values> positive{
        {4, 8, 16, 32, 64, 128}, {3.0}, {1e-9, 1e9}, {0.9, 1.1}, {1.0, 1.001}, {2, 3, 700}};
    for (const auto& values : positive) {
        expect_sound(AxisScale::Log, values);
    }
}

TEST(ChartScale, TicksAreRoundNumbers) {
    EXPECT_EQ(ChartScale(AxisScale::Linear, {0.1, 25.4}).ticks(), (Values{0, 10, 20, 30}));
    EXPECT_EQ(ChartScale(AxisScale::Linear, {16.2, 17.9}).ticks().front(), 16.0);
    EXPECT_EQ(ChartScale(AxisScale::Log, {128, 4, 8, 8, 16}).ticks(), (Values{4, 8, 16, 128}));
}

TEST(ChartScale, ALogarithmicAxisGoesByRatios) {
    const ChartScale scale(AxisScale::Log, {1, 10, 100});
    EXPECT_NEAR(*scale.share(10) - *scale.share(1), *scale.share(100) - *scale.share(10), 1e-12);
}

TEST(ChartScale, WhatItCannotShowHasNoPlace) {
    const ChartScale log(AxisScale::Log, {0.0, -1.0, std::nan(""), 10.0, 20.0});
    EXPECT_FALSE(log.share(0.0) || log.share(-3.0) || log.share(std::nan("")));
    const ChartScale linear(AxisScale::Linear, {std::numeric_limits<double>::infinity(), 1.0, 2.0});
    EXPECT_FALSE(linear.share(std::numeric_limits<double>::infinity()));
    EXPECT_TRUE(linear.share(1.5));
}

TEST(ChartScale, NothingToShowIsAnAxisAllTheSame) {
    EXPECT_EQ(ChartScale(AxisScale::Linear, {}).share(0.5), 0.5);
    EXPECT_GE(ChartScale(AxisScale::Log, {-1.0}).ticks().size(), 2U);
}

}  // namespace

}  // namespace isogon::svg_chart_test
