#include "report/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace isogon::json_text_test {
namespace {

std::string json_of(std::string_view text) {
    std::string json;
    append_json_text(json, text);
    return json;
}

/// What a reader of the JSON gets.
std::string read(std::string_view text) {
    return nlohmann::json::parse(json_of(text)).get<std::string>();
}

std::string number(double value) {
    std::string json;
    append_json_number(json, value);
    return json;
}

const std::string lost = "\xEF\xBF\xBD";

TEST(JsonText, ComesBackAsItWas) {
    for (const std::string text :
         {"", "plain", "\"quotes\" and \\", "tab\tline\nreturn\rbell\a\x1f\x7f", "\xC3\xA9t\xC3\xA9",
          "\xF0\x9F\x98\x80", "\xE2\x80\xAEright to left", "\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"}) {
        EXPECT_EQ(read(text), text);
    }
    EXPECT_EQ(read(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(JsonText, CanEndNoScriptElement) {
    for (const std::string text : {"</script><script>alert(1)</script>", "<!--<script>", "<![CDATA["}) {
        EXPECT_EQ(json_of(text).find('<'), std::string::npos);
        EXPECT_EQ(read(text), text);
    }
}

TEST(JsonText, LineEndsOfScriptsAreEscaped) {
    EXPECT_EQ(json_of("a\xE2\x80\xA8z\xE2\x80\xA9"), "\"a\\u2028z\\u2029\"");
    EXPECT_EQ(read("a\xE2\x80\xA8z"), "a\xE2\x80\xA8z");
}

TEST(JsonText, BytesThatAreNoCharactersAreReplaced) {
    EXPECT_EQ(read("a\xFFz"), "a" + lost + "z");
    EXPECT_EQ(read("\x80"), lost);
    EXPECT_EQ(read("\xC0\xAF"), lost + lost);                        // overlong
    EXPECT_EQ(read("\xE0\x80\xAF"), lost + lost + lost);             // overlong
    EXPECT_EQ(read("\xED\xA0\x80"), lost + lost + lost);             // half of a surrogate pair
    EXPECT_EQ(read("\xF4\x90\x80\x80"), lost + lost + lost + lost);  // above U+10FFFF
    EXPECT_EQ(read("\xF5"), lost);
    EXPECT_EQ(read("\xE2\x82z"), lost + "z");  // breaks off in the middle: one for the whole beginning
    EXPECT_EQ(read("\xF0\x9F\x98"), lost);     // at the end
    EXPECT_EQ(read("\xE2\x82<"), lost + "<");
}

TEST(JsonText, AnyBytesGiveValidJson) {
    std::string bytes;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; b += 5) {
            bytes += static_cast<char>(a);
            bytes += static_cast<char>(b);
        }
    }
    EXPECT_NO_THROW(static_cast<void>(read(bytes)));
    EXPECT_EQ(json_of(bytes).find('<'), std::string::npos);
}

TEST(JsonText, TenThousandCharactersStay) {
    const std::string text(10000, 'x');
    EXPECT_EQ(read(text), text);
}

TEST(JsonNumber, ComesBackBitForBit) {
    for (const double value : {0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, 1e300, 5e-324, -2.5, 123456789.0}) {
        EXPECT_EQ(nlohmann::json::parse(number(value)).get<double>(), value);
    }
}

TEST(JsonNumber, OfWhatIsNoneIsNull) {
    EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
}

TEST(EscapedForPage, IsTheSameDocument) {
    const std::string json = R"({"a": "</script>", "b": [1, "x < y", "\u003c"]})";
    const std::string escaped = escaped_for_page(json + " \n");
    EXPECT_EQ(escaped.find('<'), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(escaped), nlohmann::json::parse(json));
    EXPECT_EQ(escaped_for_page("\"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA7\""), "\"\\u2028\\u2029\xE2\x80\xA7\"");
}

}  // namespace
}  // namespace isogon::json_text_test
