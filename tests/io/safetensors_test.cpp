#include "io/safetensors.hpp"

#include <cmath>
#include <limits>

#include "io/files.hpp"
#include "io/safetensors_bytes.hpp"

namespace isogon::safetensors_test {
namespace {

using namespace test;

/// "place: why" of the fault with which a text is refused.
std::string json_fault(const std::string& text, int levels = 3) {
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
    expect_holds(json_fault(R"({"a":1,"b":{},"a":1})"), {"'a'", "twice"});
    expect_holds(json_fault(R"({"b":{"a":1,"\u0061":1}})"), {"'a'", "twice"});
}

TEST(StrictJson, WhatIsNotJsonIsNamedByItsByte) {
    expect_holds(json_fault("{\"a\":}"), {"byte 13", "not valid JSON"});
    expect_holds(json_fault(std::string("{}\0{", 4)), {"byte 10", "zero byte"});
    for (const char* bad : {"", "{", "{}{}", "{'a':1}", "[1,]", "{\"a\":01}", "{\"a\":\"\xff\"}", "nul", "[NaN]",
                            "{\"a\":\"\x01\"}", "// x\n{}", "\"\\ud800\""}) {
        expect_holds(json_fault(bad), {"byte "});
    }
    expect_holds(json_fault("[1e999]"), {"float64"});
}

TEST(StrictJson, UntrustedTextsAreEscapedAndShortened) {
    EXPECT_EQ(shown_text("F32"), "'F32'");
    EXPECT_EQ(shown_text("\x1b[2J\xc3\xa4."), "'?[2J??.'");
    EXPECT_EQ(shown_text(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

std::string header_fault(const std::string& header) {
    try {
        static_cast<void>(parse_safetensors_header(header));
    } catch (const SafetensorsFault& fault) {
        return fault.place() + ": " + fault.what();
    }
    ADD_FAILURE() << "not refused: " << header;
    return "";
}

TEST(SafetensorsHeader, ReadsWhatItWrites) {
    const SafetensorsHeader written{{{"format", "x"}, {"text", "\"\n\xc3\xa4"}},
                                    {{"b", "F64", {}, 0, 8}, {"a", "U32", {0, 2}, 8, 8}, {"c", "F32", {1, 2}, 8, 16}}};
    const SafetensorsHeader read = parse_safetensors_header(safetensors_header_text(written));
    EXPECT_EQ(read.metadata, written.metadata);
    ASSERT_EQ(read.tensors.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(read.tensors[i].name, written.tensors[i].name);
        EXPECT_EQ(read.tensors[i].type, written.tensors[i].type);
        EXPECT_EQ(read.tensors[i].shape, written.tensors[i].shape);
        EXPECT_EQ(read.tensors[i].begin, written.tensors[i].begin);
        EXPECT_EQ(read.tensors[i].end, written.tensors[i].end);
    }
}

TEST(SafetensorsHeader, TheDataBeginAtAMultipleOf64) {
    for (std::size_t length = 0; length < 130; ++length) {
        const std::string text = safetensors_header_text({{{"x", std::string(length, 'x')}}, {}});
        EXPECT_EQ((safetensors_length_bytes + text.size()) % 64, 0U);
        EXPECT_EQ(text.front(), '{');
    }
}

TEST(SafetensorsHeader, TensorsComeInTheOrderOfTheirData) {
    const auto header = parse_safetensors_header(object(
        {tensor("a", "F32", "[1]", "[4,8]"), tensor("b", "BF16", "[2]", "[0,4]"), tensor("c", "F32", "[0]", "[4,4]")}));
    ASSERT_EQ(header.tensors.size(), 3U);
    EXPECT_EQ(header.tensors[0].name, "b");
    EXPECT_EQ(header.tensors[1].name, "c");
    EXPECT_EQ(header.tensors[2].name, "a");
    EXPECT_TRUE(header.metadata.empty());
}

TEST(SafetensorsHeader, WhatIsNoTensorIsNamed) {
    for (const char* offsets :
         {"[0]", "[0,4,8]", "[-1,4]", "[0,4.0]", "[0,\"4\"]", "[0,18446744073709551616]", "{}", "null", "4"}) {
        expect_holds(header_fault(object({tensor("a", "F32", "[1]", offsets)})), {"'a'", "data_offsets"});
    }
    for (const char* shape : {"[-1]", "[1.5]", "[true]", "1", "{}", "[18446744073709551616]"}) {
        expect_holds(header_fault(object({tensor("a", "F32", shape, "[0,4]")})), {"'a'", "shape"});
    }
    expect_holds(header_fault(R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})"), {"'a'", "dtype"});
    expect_holds(header_fault(R"({"a":{"shape":[1],"data_offsets":[0,4]}})"), {"'a'", "dtype"});
    expect_holds(header_fault(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})"), {"'a'", "object of"});
    expect_holds(header_fault(R"({"a":[]})"), {"'a'", "object of"});
    expect_holds(header_fault("[]"), {"byte 8", "object"});
}

TEST(SafetensorsHeader, IsKnownByItsFirstBytes) {
    EXPECT_TRUE(is_safetensors(safetensors("{}").substr(0, 10)));
    EXPECT_TRUE(is_safetensors(safetensors("{\"a")));
    EXPECT_FALSE(is_safetensors(safetensors("{}").substr(0, 9)));
    EXPECT_FALSE(is_safetensors(safetensors("[]")));
    EXPECT_FALSE(is_safetensors(safetensors("{[")));
    EXPECT_FALSE(is_safetensors("12345678{}"));
    EXPECT_FALSE(is_safetensors(""));
}

template <class Action>
std::string fault_of(Action action) {
    return message_of<SafetensorsFault>(action);
}

/// The slow twin of for_each_block().
std::string bytes_of_values(const Array::Values& values) {
    return std::visit([](const auto& list) { return packed(list); }, values);
}

std::string joined(const Array::Values& values) {
    std::string bytes;
    for_each_block(values, [&](std::string_view block) { bytes += block; });
    return bytes;
}

/// One list of each type, `count` numbers each, none of them alike.
std::vector<Array::Values> lists(std::size_t count) {
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<std::uint32_t> small;
    std::vector<std::uint64_t> large;
    for (std::size_t i = 0; i < count; ++i) {
        floats.push_back(0.1F * static_cast<float>(i));
        doubles.push_back(-0.1 * static_cast<double>(i));
        small.push_back(static_cast<std::uint32_t>(i * 2654435761U));
        large.push_back(i * 0x9e3779b97f4a7c15U);
    }
    return {floats, doubles, small, large};
}

TEST(SafetensorsData, BlocksJoinToAllNumbersLittleEndian) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{32768}, std::size_t{65537}}) {
        for (const auto& values : lists(count)) {
            EXPECT_EQ(joined(values), bytes_of_values(values)) << scalar_name(values) << ' ' << count;
        }
    }
}

TEST(SafetensorsData, NumbersComeBackBlockByBlockOneArrayAfterTheOther) {
    const TemporaryFolder folder;
    for (const std::size_t count : {std::size_t{1}, std::size_t{65537}}) {
        const auto all = lists(count);
        std::string bytes;
        std::vector<Tensor> tensors;
        for (const auto& values : all) {
            const std::string part = bytes_of_values(values);
            tensors.push_back(
                {"x", std::string(tensor_type(values)), {count}, bytes.size(), bytes.size() + part.size()});
            bytes += part;
        }
        for (const std::string& file : {bytes, gzip(bytes)}) {
            ByteStream stream(folder.file("x", file));
            TensorReader reader(stream, 0);
            for (std::size_t i = 0; i < all.size(); ++i) {
                EXPECT_EQ(reader.read(tensors[i], true).values, all[i]);
            }
            EXPECT_EQ(reader.checksum(),
                      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
            EXPECT_NO_THROW(reader.require_finite());
        }
    }
}

TEST(SafetensorsData, WhatIsNotKeptIsCheckedAllTheSame) {
    const TemporaryFolder folder;
    std::vector<double> numbers(100000, 1.0);
    numbers[99998] = std::numeric_limits<double>::infinity();
    for (const bool keep : {false, true}) {
        ByteStream stream(folder.file("x", packed(numbers)));
        TensorReader reader(stream, 0);
        const Array array = reader.read({"weights", "F64", {50000, 2}, 0, 800000}, keep);
        EXPECT_EQ(std::get<std::vector<double>>(array.values).size(), keep ? 100000U : 0U);
        EXPECT_EQ(reader.checksum(), ::crc32(0, reinterpret_cast<const Bytef*>(numbers.data()), 800000));
        try {
            reader.require_finite();
            ADD_FAILURE() << "not refused";
        } catch (const SafetensorsFault& fault) {
            EXPECT_EQ(fault.place(), "array weights, row 49999, column 0");
        }
    }
}

TEST(SafetensorsData, TheFirstArrayThatIsNotFiniteIsTheOneNamed) {
    const TemporaryFolder folder;
    const float nan = std::nanf("");
    ByteStream stream(folder.file("x", packed<float>({1, nan, nan})));
    TensorReader reader(stream, 0);
    for (const char* name : {"a", "b", "c"}) {
        static_cast<void>(reader.read({name, "F32", {}, 0, 4}, true));
    }
    try {
        reader.require_finite();
        ADD_FAILURE() << "not refused";
    } catch (const SafetensorsFault& fault) {
        EXPECT_EQ(fault.place(), "array b");
    }
}

TEST(SafetensorsData, TypesThatArchivesDoNotHoldAreNamed) {
    for (const auto& values : lists(0)) {
        EXPECT_EQ(tensor_values({"x", std::string(tensor_type(values)), {0}, 0, 0}).index(), values.index());
    }
    for (const char* type : {"BF16", "I64", "f32", "", "F32 "}) {
        expect_holds(fault_of([&] { return tensor_values({"x", type, {1}, 0, 8}); }), {std::string("'") + type + "'"});
    }
}

}  // namespace
}  // namespace isogon::safetensors_test
