#include "io/point_formats.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::npy_test {
namespace {

TEST(NpyDictionary, ReadsEveryWayNumpyWrote) {
    for (const char* text : {"{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }",
                             "{\"shape\":(3,4),\"fortran_order\":True,\"descr\":\"<f4\"}",
                             "{ 'shape' : (3L, 4L) , 'descr' : '<f4' , 'fortran_order' : True }  \n"}) {
        const NpyDictionary result = parse_npy_dictionary(text);
        EXPECT_EQ(result.descr, "<f4") << text;
        EXPECT_TRUE(result.fortran_order) << text;
        EXPECT_FALSE(result.structured) << text;
        EXPECT_EQ(result.shape, (std::vector<std::uint64_t>{3, 4})) << text;
    }
}

TEST(NpyDictionary, ShapesOfAnyLength) {
    const auto shape = [](const std::string& tuple) {
        return parse_npy_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': " + tuple + "}").shape;
    };
    EXPECT_TRUE(shape("()").empty());
    EXPECT_EQ(shape("(7,)"), (std::vector<std::uint64_t>{7}));
    EXPECT_EQ(shape("(1, 2, 3)"), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(NpyDictionary, StructuredTypesAreSteppedOver) {
    const NpyDictionary result =
        parse_npy_dictionary("{'descr': [('a]', '<f4'), ('b', [('c', '|O')])], 'fortran_order': False, 'shape': (2,)}");
    EXPECT_TRUE(result.structured);
    EXPECT_EQ(result.shape, (std::vector<std::uint64_t>{2}));
}

TEST(NpyDictionary, EveryTruncationIsAnErrorWithinTheText) {
    const std::string text = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}";
    ASSERT_NO_THROW(static_cast<void>(parse_npy_dictionary(text)));
    for (std::size_t size = 0; size < text.size(); ++size) {
        try {
            static_cast<void>(parse_npy_dictionary(text.substr(0, size)));
            ADD_FAILURE() << size;
        } catch (const NpySyntaxError& error) {
            EXPECT_LE(error.position(), size);
        }
    }
}

TEST(NpyDictionary, OddHeadersAreRefused) {
    for (const char* text :
         {"", "[]", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), 'extra': 1}",
          "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': [1]}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1 2)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)} x"}) {
        EXPECT_THROW(static_cast<void>(parse_npy_dictionary(text)), NpySyntaxError) << text;
    }
    const std::string good = "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}";
    EXPECT_THROW(static_cast<void>(parse_npy_dictionary(good + '\0')), NpySyntaxError);
}

using namespace test;

Dataset read(const std::string& bytes) {
    const TemporaryFolder folder;
    // A mapping outlives the name of its file.
    return read_points(folder.file("x.npy", bytes));
}

std::string plain_start(const std::string& descr) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2, 2), }";
}

TEST(Npy, EveryTypeAndByteOrderReadsAsTheSameNumbers) {
    const std::vector<float> expected{1, 0, 1, 1};
    const auto le = std::endian::little;
    const auto be = std::endian::big;
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"|b1", packed<std::uint8_t>({1, 0, 1, 1})},
        {"|i1", packed<std::int8_t>({1, 0, 1, 1})},
        {"|u1", packed<std::uint8_t>({1, 0, 1, 1})},
        {"<i2", packed<std::int16_t>({1, 0, 1, 1}, le)},
        {">i2", packed<std::int16_t>({1, 0, 1, 1}, be)},
        {"<u2", packed<std::uint16_t>({1, 0, 1, 1}, le)},
        {">u2", packed<std::uint16_t>({1, 0, 1, 1}, be)},
        {"<i4", packed<std::int32_t>({1, 0, 1, 1}, le)},
        {">i4", packed<std::int32_t>({1, 0, 1, 1}, be)},
        {"<u4", packed<std::uint32_t>({1, 0, 1, 1}, le)},
        {">u4", packed<std::uint32_t>({1, 0, 1, 1}, be)},
        {"<i8", packed<std::int64_t>({1, 0, 1, 1}, le)},
        {">i8", packed<std::int64_t>({1, 0, 1, 1}, be)},
        {"<u8", packed<std::uint64_t>({1, 0, 1, 1}, le)},
        {">u8", packed<std::uint64_t>({1, 0, 1, 1}, be)},
        {"<f2", packed<std::uint16_t>({0x3c00, 0, 0x3c00, 0x3c00}, le)},
        {">f2", packed<std::uint16_t>({0x3c00, 0, 0x3c00, 0x3c00}, be)},
        {"<f4", packed<float>({1, 0, 1, 1}, le)},
        {">f4", packed<float>({1, 0, 1, 1}, be)},
        {"<f8", packed<double>({1, 0, 1, 1}, le)},
        {">f8", packed<double>({1, 0, 1, 1}, be)},
    };
    for (const auto& [descr, numbers] : cases) {
        const Dataset data = read(npy(descr, "(2, 2)", numbers));
        EXPECT_EQ(flat(data.points), expected) << descr;
        EXPECT_EQ(data.points.dimension, 2U) << descr;
        EXPECT_EQ(data.mapped, descr == "<f4") << descr;
    }
}

TEST(Npy, EveryVersionOfTheHeaderIsRead) {
    for (const int version : {1, 2, 3}) {
        const Dataset data = read(npy_start(plain_start("'<f4'"), version) + packed<float>({1, 2, 3, 4}));
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << version;
        EXPECT_TRUE(data.mapped) << version;
    }
}

TEST(Npy, NumbersThatAreNotAlignedAreCopied) {
    std::string dictionary = plain_start("'<f4'");
    while ((dictionary.size() + 11) % 4 != 1) {
        dictionary += ' ';
    }
    const Dataset data = read(npy_start(dictionary, 1, false) + packed<float>({1, 2, 3, 4}));
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_FALSE(data.mapped);
}

TEST(Npy, TypesThatAreNoPlainNumbersAreRefusedByName) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"'|O'", "Python objects"},
        {"'<c8'", "complex"},
        {"'<c16'", "complex"},
        {"'<U3'", "text"},
        {"'|S3'", "text"},
        {"'<M8[s]'", "dates"},
        {"'<f16'", "unusual size"},
        {"'|V8'", "raw or structured"},
        {"''", "unknown type"},
        {"'<i3'", "unknown type"},
        {"[('a', '<f4'), ('b', '|O')]", "structured records"}};
    for (const auto& [descr, word] : cases) {
        expect_input_error([&, type = descr] { read(npy_start(plain_start(type)) + std::string(64, '\0')); },
                           {"x.npy", word});
    }
}

TEST(Npy, DamagedHeadersAreRefused) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"NUMPY?..........", {"byte 0", "NUMPY"}},
        {std::string("\x93NUMPY\x04\0\0\0\0\0", 12), {"byte 6", "version 4.0"}},
        {std::string("\x93NUMPY\x01\0\xff\0{", 11), {"truncated", ".npy header"}},
        {std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f{", 13), {"byte 8", "2147483647"}},
        {npy_start("{'descr': '<f4', 'shape': (2,)}"), {"fortran_order", "missing"}},
        {npy_start("{'descr': '<f4', 'fortran_order': Perhaps, 'shape': (2,)}"), {"True or False"}},
        {npy_start("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"), {"whole number"}},
        {npy_start("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"), {"64 bits"}},
    };
    for (const auto& [bytes, parts] : cases) {
        auto all = parts;
        all.emplace_back("x.npy");
        expect_input_error([&, b = bytes] { read(b); }, all);
    }
}

TEST(Npy, ArraysThatAreNoPointsAreRefused) {
    expect_input_error([] { read(npy("<f4", "()", packed<float>({1}))); }, {"x.npy", "single number"});
    expect_input_error([] { read(npy("<f4", "(0, 3)", "")); }, {"x.npy", "(0, 3)", "no numbers"});
    expect_input_error([] { read(npy("<f4", "(3, 0)", "")); }, {"x.npy", "(3, 0)", "no numbers"});
    std::string ones = "(";
    for (int i = 0; i < 65; ++i) {
        ones += "1,";
    }
    expect_input_error([&] { read(npy("<f4", ones + ")", packed<float>({1}))); }, {"x.npy", "65 axes"});
}

TEST(Npy, AWrittenHeaderIsReadBackAndAlignsTheNumbers) {
    const TemporaryFolder folder;
    for (const std::uint64_t n : {1ULL, 12ULL, 123456789ULL}) {
        const std::string header = npy_header(ScalarType::UInt8, {n, 1});
        EXPECT_EQ(header.size() % 64, 0U);
        EXPECT_EQ(header.back(), '\n');
        ByteStream stream(folder.file("h.npy", header));
        const ArrayLayout layout = read_npy_header(stream);
        EXPECT_EQ(layout.shape, (std::vector<std::uint64_t>{n, 1}));
        EXPECT_EQ(layout.scalar, ScalarType::UInt8);
        EXPECT_FALSE(layout.fortran_order);
        EXPECT_EQ(stream.position(), header.size());
    }
}

TEST(Npy, AShortTextIsReadInEitherType) {
    const auto text = [](const std::string& bytes) {
        const TemporaryFolder folder;
        ByteStream stream(folder.file("x.npy", bytes));
        return read_npy_text(stream);
    };
    EXPECT_EQ(text(npy("|S3", "()", "csr")), "csr");
    EXPECT_EQ(text(npy("|S5", "()", std::string("csr\0\0", 5))), "csr");
    EXPECT_EQ(text(npy("<U3", "()", std::string("c\0\0\0s\0\0\0r\0\0\0", 12))), "csr");
    for (const auto& [descr, shape] : {std::pair("|S3", "(1,)"), std::pair("<f4", "()"), std::pair("|S", "()"),
                                       std::pair("|S999999999", "()"), std::pair("", "()"), std::pair("|S-1", "()")}) {
        const std::string bytes = npy(descr, shape, "csr!");
        expect_input_error([&] { text(bytes); }, {"x.npy", "text"});
    }
    expect_input_error([&] { text(npy("|S9", "()", "csr")); }, {"x.npy", "truncated"});
    EXPECT_EQ(text(isogon::npy_text("csr")), "csr");
}

}  // namespace
}  // namespace isogon::npy_test
