#include <gtest/gtest.h>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "io/point_formats.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::idx_vecs_test {

namespace {

using namespace test;

std::string idx(int type, const std::vector<std::uint32_t>& shape, const std::string& numbers) {
    std::string bytes(2, '\0');
    bytes += static_cast<char>(type);
    bytes += static_cast<char>(shape.size());
    return bytes + packed(shape, std::endian::big) + numbers;
}

Dataset read(const std::string& bytes) {
    const TemporaryFolder folder;
    return read_points(folder.file("x-idx3-ubyte", bytes));
}

TEST(Idx, EveryTypeReadsAsTheSameNumbers) {
    const auto be = std::endian::big;
    const std::vector<std::pair<int, std::string>> cases = {
        {0x08, packed<std::uint8_t>({1, 2, 3, 4, 5, 6}, be)}, {0x09, packed<std::int8_t>({1, 2, 3, 4, 5, 6}, be)},
        {0x0b, packed<std::int16_t>({1, 2, 3, 4, 5, 6}, be)}, {0x0c, packed<std::int32_t>({1, 2, 3, 4, 5, 6}, be)},
        {0x0d, packed<float>({1, 2, 3, 4, 5, 6}, be)},        {0x0e, packed<double>({1, 2, 3, 4, 5, 6}, be)}};
    for (const auto& [type, numbers] : cases) {
        for (const bool zipped : {false, true}) {
            const std::string bytes = idx(type, {2, 3}, numbers);
            const Dataset data = read(zipped ? gzip(bytes) : bytes);
            EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4, 5, 6})) << type;
            EXPECT_EQ(data.points.count, 2U) << type;
            EXPECT_FALSE(data.mapped);
        }
    }
}

TEST(Idx, AnyRankIsFlattenedToPoints) {
    const std::string numbers = packed<std::uint8_t>({0, 1, 2, 3, 4, 5, 6, 255});
    const std::vector<std::vector<std::uint32_t>> shapes = {{8}, {2, 4}, {2, 2, 2}, {2, 2, 1, 2}};
    for (const auto& shape : shapes) {
        const Dataset data = read(idx(8, shape, numbers));
        EXPECT_EQ(data.points.count, shape[0]);
        EXPECT_EQ(data.points.dimension, 8 / shape[0]);
        EXPECT_EQ(flat(data.points), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 255}));
    }
}

TEST(Idx, DamagedHeadersAreRefused) {
    expect_input_error([] { read("\x01\x02\x03\x04"); }, {"x-idx3-ubyte", "byte 0", "two zero bytes"});
    expect_input_error([] { read(idx(0x0a, {1}, "x")); }, {"x-idx3-ubyte", "byte 2", "no type 10"});
    expect_input_error([] { read(idx(8, {}, "x")); }, {"x-idx3-ubyte", "byte 3", "rank 0"});
    expect_input_error([] { read(std::string("\0\0\x08", 3)); }, {"x-idx3-ubyte", "truncated"});
    expect_input_error([] { read(std::string("\0\0\x08\x02\0\0\0\x01", 8)); }, {"x-idx3-ubyte", "sizes", "truncated"});
    expect_input_error([] { read(idx(8, {0, 5}, "")); }, {"x-idx3-ubyte", "(0, 5)", "no numbers"});
}

TEST(Idx, AWrittenHeaderIsReadBack) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.idx", idx_header(ScalarType::Float64, {7, 70000, 2})));
    const ArrayLayout layout = read_idx_header(stream);
    EXPECT_EQ(layout.scalar, ScalarType::Float64);
    EXPECT_EQ(layout.order, std::endian::big);
    EXPECT_EQ(layout.shape, (std::vector<std::uint64_t>{7, 70000, 2}));
    EXPECT_TRUE(stream.at_end());
}

TEST(Idx, IsRecognisedByItsMagic) {
    EXPECT_TRUE(is_idx(idx_header(ScalarType::UInt8, {3})));
    EXPECT_FALSE(is_idx(std::string("\0\0\x08", 3)));
    EXPECT_FALSE(is_idx(std::string("\0\0\x08\0", 4)));
    EXPECT_FALSE(is_idx("1,2,3"));
}

std::string row(std::int32_t dimension, const std::string& numbers) {
    return packed<std::int32_t>({dimension}) + numbers;
}

std::string fvecs() {
    return row(2, packed<float>({1, 2})) + row(2, packed<float>({3, -4}));
}

Dataset read(const std::string& bytes, Format format) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", bytes));
    return read_vecs(stream, format);
}

TEST(Vecs, EveryTypeIsRead) {
    const std::string bvecs = row(3, "\x01\x02\xff") + row(3, "\x03\x04\x05");
    const std::string ivecs = row(1, packed<std::int32_t>({-7})) + row(1, packed<std::int32_t>({2000000000}));
    for (const bool zipped : {false, true}) {
        const auto pack = [&](const std::string& bytes) { return zipped ? gzip(bytes) : bytes; };
        EXPECT_EQ(flat(read(pack(fvecs()), Format::Fvecs).points), (std::vector<float>{1, 2, 3, -4}));
        EXPECT_EQ(flat(read(pack(bvecs), Format::Bvecs).points), (std::vector<float>{1, 2, 255, 3, 4, 5}));
        EXPECT_EQ(flat(read(pack(ivecs), Format::Ivecs).points), (std::vector<float>{-7, 2000000000}));
    }
}

TEST(Vecs, DimensionsMustAgreeAndBePositive) {
    expect_input_error(
        [] {
            read(fvecs() + row(3, packed<float>({1, 2, 3})), Format::Fvecs);
        },
        {"x", "row 2 (byte 24)", "3 numbers", "row 0 has 2"});
    expect_input_error([] { read(row(0, ""), Format::Fvecs); }, {"x", "row 0 (byte 0)", "dimension 0", "positive"});
    expect_input_error([] { read(fvecs() + row(-2, ""), Format::Fvecs); }, {"x", "row 2", "-2", "positive"});
}

TEST(Vecs, AHugeDimensionIsRefusedBeforeMemoryIsTaken) {
    const std::string bytes = row(2147483647, "abcd");
    expect_input_error([&] { read(bytes, Format::Fvecs); }, {"x", "row 0 of 2147483647", "has only 4"});
    expect_input_error([&] { read(gzip(bytes), Format::Fvecs); }, {"x", "row 0 of 2147483647", "cannot unpack"});
}

TEST(Vecs, EveryTruncationIsFound) {
    const std::string whole = fvecs();
    for (std::size_t size = 1; size < whole.size(); ++size) {
        if (size != whole.size() / 2) {  // where a row ends, a shorter set does
            expect_input_error([&] { read(whole.substr(0, size), Format::Fvecs); }, {"x", "row", "truncated"});
        }
    }
    EXPECT_EQ(read(whole.substr(0, whole.size() / 2), Format::Fvecs).points.count, 1U);
}

TEST(Vecs, LabelsAreWholeAndOneAPoint) {
    const TemporaryFolder folder;
    const auto labels = [&](const std::string& bytes, Format format) {
        ByteStream stream(folder.file("x", bytes));
        return read_vecs_labels(stream, format);
    };
    EXPECT_EQ(labels(row(1, packed<std::int32_t>({5})) + row(1, packed<std::int32_t>({-6})), Format::Ivecs),
              (std::vector<std::int64_t>{5, -6}));
    EXPECT_EQ(labels(row(1, "\xff"), Format::Bvecs), (std::vector<std::int64_t>{255}));
    expect_input_error([&] { labels(fvecs(), Format::Fvecs); }, {"x", "whole numbers", "2 float32"});
    expect_input_error([&] { labels(row(2, std::string(8, 'x')), Format::Ivecs); }, {"x", "2 int32"});
}

TEST(Vecs, DescriptionsAgreeWithTheData) {
    const TemporaryFolder folder;
    for (const std::string& bytes : {fvecs(), gzip(fvecs())}) {
        ByteStream stream(folder.file("x", bytes));
        const FileInfo info = describe_vecs(stream, Format::Fvecs);
        EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2}));
        EXPECT_EQ(info.scalar, "float32");
    }
    ByteStream stream(folder.file("x", fvecs() + "?"));
    expect_input_error([&] { static_cast<void>(describe_vecs(stream, Format::Fvecs)); }, {"x", "25 bytes", "12 bytes"});
}

}  // namespace

}  // namespace isogon::idx_vecs_test
