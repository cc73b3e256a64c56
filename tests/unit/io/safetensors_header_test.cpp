#include "io/safetensors_header.hpp"

#include "io/safetensors_json.hpp"
#include "unit/io/files.hpp"
#include "unit/io/safetensors_bytes.hpp"

namespace isogon::safetensors_header_test {
namespace {

using namespace test;

std::string fault_of(const std::string& header) {
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

TEST(SafetensorsHeader, GapsAndOverlapsAreNamed) {
    const std::string first = tensor("a", "F32", "[1]", "[0,4]");
    expect_holds(fault_of(object({tensor("a", "F32", "[1]", "[4,8]")})), {"'a'", "a gap"});
    expect_holds(fault_of(object({first, tensor("b", "F32", "[1]", "[8,12]")})), {"'b'", "byte 8", "a gap"});
    expect_holds(fault_of(object({first, tensor("b", "F32", "[1]", "[0,4]")})), {"'b'", "overlap"});
    expect_holds(fault_of(object({first, tensor("b", "F32", "[1]", "[3,7]")})), {"'b'", "overlap"});
    expect_holds(fault_of(object({tensor("a", "F32", "[1]", "[4,0]")})), {"'a'", "data_offsets"});
}

TEST(SafetensorsHeader, WhatIsNoTensorIsNamed) {
    for (const char* offsets :
         {"[0]", "[0,4,8]", "[-1,4]", "[0,4.0]", "[0,\"4\"]", "[0,18446744073709551616]", "{}", "null", "4"}) {
        expect_holds(fault_of(object({tensor("a", "F32", "[1]", offsets)})), {"'a'", "data_offsets"});
    }
    for (const char* shape : {"[-1]", "[1.5]", "[true]", "1", "{}", "[18446744073709551616]"}) {
        expect_holds(fault_of(object({tensor("a", "F32", shape, "[0,4]")})), {"'a'", "shape"});
    }
    expect_holds(fault_of(R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})"), {"'a'", "dtype"});
    expect_holds(fault_of(R"({"a":{"shape":[1],"data_offsets":[0,4]}})"), {"'a'", "dtype"});
    expect_holds(fault_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})"), {"'a'", "object of"});
    expect_holds(fault_of(R"({"a":[]})"), {"'a'", "object of"});
    expect_holds(fault_of("[]"), {"byte 8", "object"});
}

TEST(SafetensorsHeader, MetadataAreStrings) {
    expect_holds(fault_of(R"({"__metadata__":{"a":"b","c":1}})"), {"__metadata__", "'c'", "string"});
    expect_holds(fault_of(R"({"__metadata__":{"c":{}}})"), {"__metadata__", "'c'", "string"});
    expect_holds(fault_of(R"({"__metadata__":"x"})"), {"__metadata__", "object of strings"});
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

}  // namespace
}  // namespace isogon::safetensors_header_test
