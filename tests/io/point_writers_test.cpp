#include "io/point_formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "io/files.hpp"
#include "io/npy_bytes.hpp"

namespace isogon::point_writers_test {
namespace {

using namespace test;

const std::vector<float> kValues{0.1F, -2, 1e-40F, 3e38F};
const PointsView kPoints(kValues.data(), 2, 2);

std::string table(const Companions& companions, Format format) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x", false);
    const PointsShape shape{
        .count = 2, .dimension = 2, .labels = !companions.labels.empty(), .words = !companions.words.empty()};
    out.write(text_head(format, shape));
    write_table_rows(out, kPoints, companions, format);
    out.commit();
    return bytes_of(folder / "x");
}

std::string words(const std::vector<std::string>& list, Format format) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x", false);
    out.write(text_head(format, {.count = 2, .dimension = 2, .words = true}));
    write_word_rows(out, kPoints, list, format, 0);
    out.commit();
    return bytes_of(folder / "x");
}

TEST(TextWriters, TablesHaveAHeaderWordsFirstAndLabelsLast) {
    const std::vector<std::int64_t> labels{-7, 8};
    const std::vector<std::string> names{"a", "b"};
    EXPECT_EQ(table({}, Format::Csv), "x0,x1\n0.1,-2\n1e-40,3e+38\n");
    EXPECT_EQ(table({.labels = labels, .words = names}, Format::Tsv),
              "word\tx0\tx1\tlabel\na\t0.1\t-2\t-7\nb\t1e-40\t3e+38\t8\n");
}

TEST(TextWriters, FieldsAreQuotedOnlyWhereTheyMustBe) {
    const std::vector<std::string> odd{"a,\"b\"", "c\td"};
    EXPECT_EQ(table({.words = odd}, Format::Csv), "word,x0,x1\n\"a,\"\"b\"\"\",0.1,-2\nc\td,1e-40,3e+38\n");
    const std::vector<std::string> blank{"", " x"};
    EXPECT_EQ(table({.words = blank}, Format::Csv), "word,x0,x1\n\"\",0.1,-2\n\" x\",1e-40,3e+38\n");
}

TEST(TextWriters, WordVectorsAsTextAndAsBinary) {
    EXPECT_EQ(words({"cat", "\xff"}, Format::WordText), "2 2\ncat 0.1 -2\n\xff 1e-40 3e+38\n");
    EXPECT_EQ(words({"cat", "\xff"}, Format::WordBinary),
              "2 2\ncat " + packed<float>({0.1F, -2}) + "\n\xff " + packed<float>({1e-40F, 3e38F}) + "\n");
}

TEST(TextWriters, WordsThatCouldNotBeReadBackAreRefused) {
    for (const char* word : {"", "two words", "line\nend"}) {
        for (const Format format : {Format::WordText, Format::WordBinary}) {
            expect_holds(message_of<InvalidArgument>([&] { words({"good", word}, format); }), {"words", "row 1"});
        }
    }
}

/// The bytes that a writer puts into a file.
template <class Writer>
std::string written(Writer writer) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x", false);
    writer(out);
    out.commit();
    return bytes_of(folder / "x");
}

const std::vector<float> kStridedValues{1, 2, 99, 3, 4, 99};
const PointsView kStridedPoints(kStridedValues.data(), 2, 2, 3);  // a stride wider than the points
const PointsShape kShape{.count = 2, .dimension = 2};

TEST(ArrayWriters, NpyIsHeaderAndRows) {
    EXPECT_EQ(written([](OutputStream& out) {
                  out.write(array_head(Format::Npy, kShape));
                  write_float_rows(out, kStridedPoints, std::endian::little);
              }),
              npy_header(ScalarType::Float32, {2, 2}) + packed<float>({1, 2, 3, 4}));
}

TEST(ArrayWriters, IdxIsBigEndian) {
    EXPECT_EQ(written([](OutputStream& out) {
                  out.write(array_head(Format::Idx, kShape));
                  write_float_rows(out, kStridedPoints, std::endian::big);
              }),
              std::string("\0\0\x0d\x02\0\0\0\x02\0\0\0\x02", 12) + packed<float>({1, 2, 3, 4}, std::endian::big));
}

TEST(ArrayWriters, VecsBeginEveryRowWithItsDimension) {
    const std::string two = packed<std::int32_t>({2});
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kStridedPoints, Format::Fvecs, 0); }),
              two + packed<float>({1, 2}) + two + packed<float>({3, 4}));
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kStridedPoints, Format::Bvecs, 0); }),
              two + "\x01\x02" + two + "\x03\x04");
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kStridedPoints, Format::Ivecs, 0); }),
              two + packed<std::int32_t>({1, 2}) + two + packed<std::int32_t>({3, 4}));
}

TEST(ArrayWriters, WholeNumberFormatsRefuseAnythingElse) {
    const auto refused = [](float value, Format format) {
        const std::vector<float> values{0, value};
        expect_holds(
            message_of<InvalidArgument>([&] {
                written([&](OutputStream& out) { write_vecs_rows(out, PointsView(values.data(), 2, 1), format, 0); });
            }),
            {"row 1, column 0", "whole numbers from", std::string(name(format))});
    };
    for (const float value : {0.5F, -1.0F, 256.0F, std::numeric_limits<float>::quiet_NaN()}) {
        refused(value, Format::Bvecs);
    }
    for (const float value : {0.5F, 2147483648.0F, -3e9F, std::numeric_limits<float>::infinity()}) {
        refused(value, Format::Ivecs);
    }
    const std::vector<float> extremes{-2147483648.0F, 2147483520.0F};
    EXPECT_NO_THROW(
        written([&](OutputStream& out) { write_vecs_rows(out, PointsView(extremes.data(), 1, 2), Format::Ivecs, 0); }));
}

TEST(ImageOutput, ValuesAreRoundedAndClippedAndKeepTheirShape) {
    const TemporaryFolder folder;
    const std::vector<float> values{-5, 0.4F, 0.6F, 254.5F, 255.4F, 1e30F, 7, 8, 9, 10, 11, INFINITY};
    for (const std::string name : {"x-idx3-ubyte", "x-idx3-ubyte.gz"}) {
        write_idx_images(folder / name, PointsView(values.data(), 2, 6), 2, 3);
        EXPECT_EQ(flat(read_points(folder / name).points),
                  (std::vector<float>{0, 0, 1, 255, 255, 255, 7, 8, 9, 10, 11, 255}));
        const FileInfo info = describe_file(folder / name);
        EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2, 3}));
        EXPECT_EQ(info.scalar, "uint8");
    }
}

TEST(ImageOutput, SizesMustAgreeAndValuesBeNumbers) {
    const TemporaryFolder folder;
    const std::vector<float> values{1, 2, 3, NAN};
    const PointsView images(values.data(), 2, 2);
    const auto mistake = [&](Index height, Index width) {
        return message_of<InvalidArgument>([&] { write_idx_images(folder / "x.idx", images, height, width); });
    };
    expect_holds(mistake(3, 1), {"3 x 1", "dimension of the images, 2"});
    expect_holds(mistake(65536, 65537), {"65536 x 65537"});
    expect_holds(mistake(1, 2), {"row 1, column 1", "NaN"});
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace isogon::point_writers_test
