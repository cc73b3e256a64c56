#include "report/svg_text.hpp"

#include <gtest/gtest.h>

namespace isogon::svg_text_test {
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

}  // namespace
}  // namespace isogon::svg_text_test
