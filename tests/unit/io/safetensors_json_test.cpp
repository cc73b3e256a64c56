#include "io/safetensors_json.hpp"

#include "unit/io/files.hpp"

namespace isogon::safetensors_json_test {
namespace {

using namespace test;

/// "place: why" of the fault with which a text is refused.
std::string fault_of(const std::string& text, int levels = 3) {
    try {
        static_cast<void>(parse_strict_json(text, levels, 8));
    } catch (const SafetensorsFault& fault) {
        return fault.place() + ": " + fault.what();
    }
    ADD_FAILURE() << "not refused: " << text.substr(0, 60);
    return "";
}

TEST(StrictJson, ReadsPlainJsonWithSpacesAfterIt) {
    const auto json = parse_strict_json("{\"a\": [1, {\"b\": \"c\"}]}   ", 3);
    EXPECT_EQ(json["a"][0], 1);
    EXPECT_EQ(json["a"][1]["b"], "c");
}

TEST(StrictJson, TheSameKeyMayComeInTwoObjectsButNotTwiceInOne) {
    EXPECT_NO_THROW(static_cast<void>(parse_strict_json(R"({"a":{"a":1},"b":{"a":2}})", 3)));
    expect_holds(fault_of(R"({"a":1,"b":{},"a":1})"), {"'a'", "twice"});
    expect_holds(fault_of(R"({"b":{"a":1,"\u0061":1}})"), {"'a'", "twice"});
}

TEST(StrictJson, DeepNestingIsRefusedWhereverItIs) {
    EXPECT_NO_THROW(static_cast<void>(parse_strict_json("[[[1]]]", 3)));
    expect_holds(fault_of("[[[[1]]]]"), {"3 levels"});
    expect_holds(fault_of(R"([[{"a":{}}]])"), {"3 levels"});
    expect_holds(fault_of(std::string(100000, '[')), {"3 levels"});
    std::string objects;
    for (int i = 0; i < 100000; ++i) {
        objects += "{\"a\":";
    }
    expect_holds(fault_of(objects), {"3 levels"});
}

TEST(StrictJson, WhatIsNotJsonIsNamedByItsByte) {
    expect_holds(fault_of("{\"a\":}"), {"byte 13", "not valid JSON"});
    expect_holds(fault_of(std::string("{}\0{", 4)), {"byte 10", "zero byte"});
    for (const char* bad : {"", "{", "{}{}", "{'a':1}", "[1,]", "{\"a\":01}", "{\"a\":\"\xff\"}", "nul", "[NaN]",
                            "{\"a\":\"\x01\"}", "// x\n{}", "\"\\ud800\""}) {
        expect_holds(fault_of(bad), {"byte "});
    }
    expect_holds(fault_of("[1e999]"), {"float64"});
}

TEST(StrictJson, TextsOfStrangersAreShownHarmlessAndShort) {
    EXPECT_EQ(shown_text("F32"), "'F32'");
    EXPECT_EQ(shown_text("\x1b[2J\xc3\xa4."), "'?[2J??.'");
    EXPECT_EQ(shown_text(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace isogon::safetensors_json_test
