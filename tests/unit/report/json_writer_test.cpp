#include "report/json_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace isogon::json_writer_test {
namespace {

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
    JsonWriter json;
    json.begin_object().text("a", "x").number("b", 0.5).whole("c", -3).key("d").begin_array();
    json.whole(1).null().flag(true).begin_object().end_object().begin_array().end_array().text("y").number(2.5);
    json.end_array().key("e").raw("[7]").key("f").plain_text([](std::string& text) { text += "QUJD"; });
    json.key("g").begin_object().whole("h", std::uint64_t{1}).end_object().end_object();
    EXPECT_EQ(json.json(),
              R"({"a":"x","b":0.5,"c":-3,"d":[1,null,true,{},[],"y",2.5],"e":[7],"f":"QUJD","g":{"h":1}})");
}

TEST(JsonWriter, KeysAreEscapedLikeTexts) {
    JsonWriter json;
    json.begin_object().text("a\"<\xFF", "b").end_object();
    EXPECT_EQ(nlohmann::json::parse(json.json()).begin().key(), "a\"<\xEF\xBF\xBD");
    EXPECT_EQ(json.json().find('<'), std::string::npos);
}

TEST(JsonWriter, LargeWholeNumbersKeepTheirDigits) {
    JsonWriter json;
    json.begin_array().whole(std::numeric_limits<std::uint64_t>::max()).whole(std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(json.json(), "[18446744073709551615,-9223372036854775808");
}

TEST(JsonWriter, NumbersThatAreNoneAreNull) {
    JsonWriter json;
    json.begin_array().number(std::numeric_limits<double>::infinity()).end_array();
    EXPECT_EQ(json.json(), "[null]");
}

TEST(JsonWriter, IsEmptyAfterWhatItWroteIsTaken) {
    JsonWriter json;
    json.begin_array().end_array();
    EXPECT_EQ(json.take(), "[]");
    EXPECT_EQ(json.json(), "");
    json.whole(1);
    EXPECT_EQ(json.json(), "1");
}

}  // namespace
}  // namespace isogon::json_writer_test
