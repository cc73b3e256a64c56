#include "io/idx.hpp"

#include <gtest/gtest.h>

#include "isogon/io/dataset.hpp"
#include "unit/io/files.hpp"
#include "unit/io/npy_bytes.hpp"

namespace isogon::idx_test {
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

TEST(Idx, IsToldFromOtherFilesByItsMagic) {
    EXPECT_TRUE(is_idx(idx_header(ScalarType::UInt8, {3})));
    EXPECT_FALSE(is_idx(std::string("\0\0\x08", 3)));
    EXPECT_FALSE(is_idx(std::string("\0\0\x08\0", 4)));
    EXPECT_FALSE(is_idx("1,2,3"));
}

}  // namespace
}  // namespace isogon::idx_test
