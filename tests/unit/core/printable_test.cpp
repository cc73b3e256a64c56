#include "isogon/core/printable.hpp"

#include <gtest/gtest.h>

namespace isogon::printable_test {
namespace {

TEST(Printable, LeavesTextAsItIs) {
    for (const std::string text : {"", "plain text, 'quoted' \\ too", "Straße, naïve, 点, 🙂", "~ !"}) {
        EXPECT_EQ(printable(text), text);
        EXPECT_EQ(printable_lines(text), text);
    }
}

TEST(Printable, EscapesEveryControlCharacterOfAscii) {
    for (int code = 0; code < 128; ++code) {
        const std::string text(1, static_cast<char>(code));
        const bool control = code < 32 || code == 127;
        EXPECT_EQ(printable(text) != text, control) << code;
        for (const char shown : printable(text)) {
            EXPECT_GE(shown, ' ');
            EXPECT_LE(shown, '~');
        }
    }
    EXPECT_EQ(printable("\x1b[31mred\a"), "\\x1b[31mred\\x07");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
}

TEST(Printable, EscapesControlCharactersOfUnicode) {
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m");  // C1: a terminal may take it for ESC [
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "gpj.exe"),
              "\\xe2\\x80\\xaegpj.exe");  // from right to left
    EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
    EXPECT_EQ(printable("\x9b"
                        "31m"),
              "\\x9b31m");
    EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
    EXPECT_EQ(printable("\xc3"), "\\xc3");           // broken off
    EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // longer than needed
    EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, EndsOfLinesMayStay) {
    EXPECT_EQ(printable_lines("one\ntwo\x1b\n"), "one\ntwo\\x1b\n");
}

}  // namespace
}  // namespace isogon::printable_test
