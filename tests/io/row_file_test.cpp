#include "io/row_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "io/point_formats.hpp"
#include "isogon/io/output.hpp"

namespace isogon::row_file_test {
namespace {

using namespace test;

/// Checks every run of rows against what read_points() says.
void expect_same_rows(const fs::path& path, bool streamed, const ReadOptions& options = {}) {
    const RowFile file = open_rows(path, options);
    const Dataset data = read_points(path, options);
    const RowSource& rows = *file.rows;
    EXPECT_EQ(file.streamed, streamed) << path;
    EXPECT_EQ(is_streamed(describe_file(path, options)), streamed) << path;
    EXPECT_EQ(file.labels, data.labels);
    EXPECT_EQ(file.words, data.words);
    ASSERT_EQ(rows.count(), data.points.count) << path;
    ASSERT_EQ(rows.dimension(), data.points.dimension) << path;
    for (Index first = 0; first < rows.count(); ++first) {
        for (Index count = 0; first + count <= rows.count(); ++count) {
            std::vector<float> values(std::size_t{count} * rows.dimension());
            rows.read(first, values);
            for (Index i = 0; i < count; ++i) {
                const auto expected = data.points[first + i];
                ASSERT_TRUE(
                    std::equal(expected.begin(), expected.end(), values.begin() + std::ptrdiff_t{i} * rows.dimension()))
                    << path << " row " << first + i;
            }
        }
    }
}

const std::vector<float> kValues{1, 2, 3, 4, 5, 6, 7, 8, 250, 10, 11, 12};

TEST(RowFile, GivesTheRowsThatReadingAllGives) {
    const TemporaryFolder folder;
    const PointsView points(kValues.data(), 4, 3);
    const std::vector<std::int64_t> labels{3, 1, 4, 1};
    const std::vector<std::string> words{"w", "x", "y", "z"};
    for (const std::string name : {"x.npy", "x.idx", "x.fvecs", "x.bvecs", "x.ivecs"}) {
        write_points(folder / name, points);
        expect_same_rows(folder / name, true);
        write_points(folder / (name + ".gz"), points);
        expect_same_rows(folder / (name + ".gz"), false);
    }
    write_points(folder / "x.csv", points, {.labels = labels, .words = words});
    write_points(folder / "x.vec", points, {.words = words});
    expect_same_rows(folder / "x.csv", false, {.label_column = "label", .word_column = "word"});
    expect_same_rows(folder / "x.vec", false);
}

TEST(RowFile, RowsOfManyNumbersAreReadInPieces) {
    const TemporaryFolder folder;
    constexpr Index wide = 300001;  // more than a million bytes, and no whole number of pieces
    std::vector<float> values(std::size_t{3} * wide);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i % 251);
    }
    for (const std::string name : {"x.npy", "x.fvecs", "x.ivecs", "x.bvecs"}) {
        write_points(folder / name, PointsView(values.data(), 3, wide));
        const RowFile file = open_rows(folder / name);
        std::vector<float> read(values.size());
        file.rows->read(0, read);
        EXPECT_EQ(read, values) << name;
        EXPECT_EQ(flat(read_points(folder / name).points), values) << name;
    }
    std::string damaged = bytes_of(folder / "x.fvecs");
    damaged[4 + 4 * std::size_t{wide}] ^= 1;  // the dimension of row 1
    const fs::path path = folder.file("bad.fvecs", damaged);
    const RowFile file = open_rows(path);
    std::vector<float> read(values.size());
    expect_input_error([&] { file.rows->read(0, read); }, {"bad.fvecs", "row 1"});
}

TEST(RowFile, EveryKindOfNumberAndByteOrder) {
    const TemporaryFolder folder;
    expect_same_rows(
        folder.file("a.npy", npy_header(ScalarType::Float64, {2, 2}) + packed<double>({1.5, -2, 1e-300, 4})), true);
    expect_same_rows(folder.file("b.npy", npy_header(ScalarType::Int64, {3}) + packed<std::int64_t>({1, -2, 1 << 20})),
                     true);
    expect_same_rows(folder.file("c.idx", idx_header(ScalarType::Int16, {2, 1, 2}) +
                                              packed<std::int16_t>({1, -2, 300, 4}, std::endian::big)),
                     true);
}

TEST(RowFile, FortranOrderIsReadAsAWhole) {
    const TemporaryFolder folder;
    std::string bytes = npy_header(ScalarType::Float32, {2, 3}) + packed<float>({1, 4, 2, 5, 3, 6});
    bytes.replace(bytes.find("False"), 5, "True ");
    expect_same_rows(folder.file("f.npy", bytes), false);
}

TEST(RowFile, ImagesKeepTheirShape) {
    const TemporaryFolder folder;
    write_idx_images(folder / "i-idx3-ubyte", PointsView(kValues.data(), 2, 6), 2, 3);
    write_idx_images(folder / "i-idx3-ubyte.gz", PointsView(kValues.data(), 2, 6), 2, 3);
    for (const std::string name : {"i-idx3-ubyte", "i-idx3-ubyte.gz"}) {
        EXPECT_EQ(open_rows(folder / name).shape, (std::vector<std::uint64_t>{2, 2, 3}));
    }
}

TEST(RowFile, WholeNumbersAreAlwaysFiniteOthersMayNotBe) {
    const TemporaryFolder folder;
    write_points(folder / "x.bvecs", PointsView(kValues.data(), 4, 3));
    write_points(folder / "x.npy", PointsView(kValues.data(), 4, 3));
    EXPECT_TRUE(open_rows(folder / "x.bvecs").rows->always_finite());
    EXPECT_FALSE(open_rows(folder / "x.npy").rows->always_finite());
    EXPECT_EQ(open_rows(folder / "x.npy").rows->place(3), (folder / "x.npy").string() + ", row 3");
}

TEST(RowFile, DamageIsFoundBeforeTheFirstRowOrWhereItLies) {
    const TemporaryFolder folder;
    const std::string good = npy_header(ScalarType::Float32, {2, 1}) + packed<float>({1, 2});
    EXPECT_THROW((void)open_rows(folder.file("short.npy", good.substr(0, good.size() - 1))), InputError);
    expect_holds(message_of<InputError>([&] { (void)open_rows(folder.file("long.npy", good + "x")); }), {"more bytes"});
    EXPECT_THROW((void)open_rows(folder / "missing.npy"), InputError);

    const auto bad = folder.file("bad.npy", npy_header(ScalarType::Float64, {2, 2}) + packed<double>({1, 2, 3, 1e300}));
    const RowFile file = open_rows(bad);
    std::vector<float> row(2);
    EXPECT_NO_THROW(file.rows->read(0, row));
    expect_holds(message_of<InputError>([&] { file.rows->read(1, row); }), {"bad.npy", "row 1, column 1", "float32"});
}

TEST(RowFile, RowsOfAnotherDimensionAreNamed) {
    const TemporaryFolder folder;
    std::string bytes;
    for (const std::int32_t dimension : {2, 1, 2}) {
        bytes += packed<std::int32_t>({dimension}) + packed<float>({1, 2});
    }
    const RowFile file = open_rows(folder.file("x.fvecs", bytes));
    std::vector<float> rows(6);
    expect_holds(message_of<InputError>([&] { file.rows->read(0, rows); }), {"row 1", "has 1 numbers"});
}

TEST(RowFile, AFileShortenedMeanwhileIsAnErrorAndNoCrash) {
    const TemporaryFolder folder;
    const auto path = folder.file("x.npy", npy_header(ScalarType::Float32, {2, 1}) + packed<float>({1, 2}));
    const RowFile file = open_rows(path);
    fs::resize_file(path, fs::file_size(path) - 4);
    std::vector<float> row(1);
    EXPECT_NO_THROW(file.rows->read(0, row));
    expect_holds(message_of<InputError>([&] { file.rows->read(1, row); }), {"shortened"});
}

TEST(RowFile, ManyRowsAreConvertedInSteps) {
    const TemporaryFolder folder;
    constexpr Index count = 3000;
    constexpr Index dimension = 700;  // two million bytes: more than one step
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        points[i][i % dimension] = static_cast<float>(i % 256);
    }
    write_idx_images(folder / "x-idx3-ubyte", points.view(), 70, 10);
    Points read(count, dimension);
    open_rows(folder / "x-idx3-ubyte").rows->read(0, read.values());
    EXPECT_TRUE(std::ranges::equal(read.values(), points.values()));
}

}  // namespace
}  // namespace isogon::row_file_test
