#include "io/detect_format.hpp"

#include "unit/io/files.hpp"

namespace isogon::detect_format_test {
namespace {

using namespace test;

TEST(DetectFormat, FirstBytesTell) {
    const std::vector<std::pair<std::string, std::optional<Format>>> cases = {
        {"\x93NUMPY\x01", Format::Npy},
        {std::string("\0\0\x08\x03", 4), Format::Idx},
        {"1,2\n3,4\n", Format::Csv},
        {"a, b\r\n", Format::Csv},
        {"5\n7\n", Format::Csv},
        {"1\t2\n", Format::Tsv},
        {"2 3\nw 1 2 3\n", Format::WordText},
        {"2 3\r\nw 1 2 3\r\n", Format::WordText},
        {std::string("2 3\nw \0\0\0\x40", 11), Format::WordBinary},
        {"cat 0.5 1\n", Format::WordText},
        {"1.5 2.5 3\n", std::nullopt},
        {"several words\n", std::nullopt},
        {std::string("\x04\0\0\0\0\0\0\0", 8), std::nullopt},
    };
    for (const auto& [bytes, format] : cases) {
        EXPECT_EQ(format_from_bytes(bytes), format) << bytes;
    }
}

TEST(DetectFormat, WhatIsSaidComesBeforeTheNameAndThatBeforeTheBytes) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.tsv", "1,2\n");
    ByteStream stream(path);
    EXPECT_EQ(detect_format(stream, path, Format::Npy), Format::Npy);
    EXPECT_EQ(detect_format(stream, path, std::nullopt), Format::Tsv);
    EXPECT_EQ(detect_format(stream, "x", std::nullopt), Format::Csv);
}

TEST(DetectFormat, WhenNothingTellsTheRemedyIsNamed) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "\x01\x02\x03");
    ByteStream stream(path);
    expect_input_error([&] { static_cast<void>(detect_format(stream, path, std::nullopt)); }, {"x", "format", "fvecs"});
}

TEST(DetectFormat, SparseMatricesAreNoPointsAndTheRemedyIsNamed) {
    const TemporaryFolder folder;
    for (const std::string start : {"%%MatrixMarket matrix coordinate real general\n1 1 0\n", "PK\x03\x04 and so on"}) {
        const fs::path path = folder.file("x", start);
        ByteStream stream(path);
        expect_input_error([&] { return detect_format(stream, path, std::nullopt); },
                           {"sparse matrix", "isogon decompose"});
    }
}

}  // namespace
}  // namespace isogon::detect_format_test
