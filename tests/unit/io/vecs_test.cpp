#include "io/vecs.hpp"

#include "unit/io/files.hpp"
#include "unit/io/npy_bytes.hpp"

namespace isogon::vecs_test {
namespace {

using namespace test;

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
}  // namespace isogon::vecs_test
