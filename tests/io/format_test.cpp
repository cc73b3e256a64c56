#include <array>

#include "io/files.hpp"
#include "io/point_formats.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::format_test {

namespace {

using namespace test;

constexpr std::array<Format, 9> kAll = {Format::Npy,   Format::Csv,      Format::Tsv,
                                        Format::Idx,   Format::Fvecs,    Format::Bvecs,
                                        Format::Ivecs, Format::WordText, Format::WordBinary};

TEST(Format, NamesReadBack) {
    for (const Format format : kAll) {
        EXPECT_EQ(parse_format(name(format)), format);
    }
}

TEST(Format, AnUnknownNameIsToldWhatThereIs) {
    const std::string message = message_of<InvalidArgument>([] { static_cast<void>(parse_format("xls")); });
    expect_holds(message, {"format = xls"});
    for (const Format format : kAll) {
        expect_holds(message, {std::string(name(format))});
    }
}

TEST(Format, IsKnownByTheEndOfTheName) {
    const std::vector<std::pair<const char*, std::optional<Format>>> cases = {
        {"x.npy", Format::Npy},
        {"x.NPY", Format::Npy},
        {"a.b/x.csv", Format::Csv},
        {"x.csv.gz", Format::Csv},
        {"x.tsv", Format::Tsv},
        {"x.fvecs", Format::Fvecs},
        {"x.bvecs.gz", Format::Bvecs},
        {"x.ivecs", Format::Ivecs},
        {"x.vec.gz", Format::WordText},
        {"x.bin", Format::WordBinary},
        {"train-images-idx3-ubyte.gz", Format::Idx},
        {"train-images-idx3-ubyte", Format::Idx},
        {"pictures-idx9-double", Format::Idx},
        {"x.idx", Format::Idx},
        {"x-float.gz", Format::Idx},
        {"idx0-x", std::nullopt},
        {"idx-idx3", std::nullopt},
        {"x.idx3", std::nullopt},
        {"x.txt", std::nullopt},
        {"x.word2vec", std::nullopt},
        {"x", std::nullopt},
        {"x.gz", std::nullopt},
        {"", std::nullopt},
        {".npy/x", std::nullopt},
    };
    for (const auto& [file, format] : cases) {
        EXPECT_EQ(format_from_name(file), format) << file;
    }
}

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
    const fs::path path = folder.file("x", "%%MatrixMarket matrix coordinate real general\n1 1 0\n");
    ByteStream stream(path);
    expect_input_error([&] { return detect_format(stream, path, std::nullopt); },
                       {"sparse matrix", "decompose", "isogon convert"});
    EXPECT_EQ(format_from_bytes("PK\x03\x04 and so on"), Format::Npz);
}

}  // namespace

}  // namespace isogon::format_test
