#include "io/array_reader.hpp"

#include <limits>
#include <numeric>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "io/point_formats.hpp"

namespace isogon::array_reader_test {
namespace {

using namespace test;

TEST(GrowingPoints, KeepsWhatItWasGiven) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", "x"));
    GrowingPoints points(stream);
    std::vector<float> expected;
    for (int i = 0; i < 1000; ++i) {
        for (float& value : points.extend(3)) {
            value = static_cast<float>(expected.size());
            expected.push_back(value);
        }
    }
    const Dataset data = std::move(points).finish(3);
    EXPECT_EQ(data.points.count, 1000U);
    EXPECT_EQ(flat(data.points), expected);
    EXPECT_FALSE(data.mapped);
}

TEST(GrowingPoints, CountsWithoutKeeping) {
    GrowingPoints points{GrowingPoints::Count()};
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(points.extend(3).size(), 3U);
    }
    EXPECT_EQ(points.size(), 3000U);
    EXPECT_LT(points.values().capacity(), 100U);
    const Dataset data = std::move(points).finish(3);
    EXPECT_EQ(data.points.count, 1000U);
    EXPECT_EQ(data.points.dimension, 3U);
}

TEST(GrowingPoints, TakesAPlainFilesWordButNotAPackedOnes) {
    const TemporaryFolder folder;
    const ByteStream plain(folder.file("x", "x"));
    const ByteStream zipped(folder.file("y", gzip("x")));
    GrowingPoints sure(plain, 100000);
    GrowingPoints wary(zipped, 100000);
    EXPECT_GE(sure.values().capacity(), 100000U);
    EXPECT_LT(wary.values().capacity(), 2000U);
}

TEST(GrowingPoints, MoreRowsThanAnIndexCountsAreRefused) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", "x"));
    EXPECT_NO_THROW(require_countable(stream, std::numeric_limits<Index>::max()));
    expect_input_error([&] { require_countable(stream, std::uint64_t{std::numeric_limits<Index>::max()} + 1); },
                       {"x", "4294967296 points"});
}

ArrayLayout layout(std::vector<std::uint64_t> shape, ScalarType scalar = ScalarType::UInt8) {
    return {scalar, std::endian::little, false, std::move(shape)};
}

TEST(ArrayLayout, ExtentCountsPointsAndFlattensTheRest) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", std::string(96, 'x')));
    const ArrayExtent extent = checked_extent(stream, layout({2, 3, 4}, ScalarType::Float32));
    EXPECT_EQ(extent.points, 2U);
    EXPECT_EQ(extent.dimension, 12U);
    EXPECT_EQ(extent.bytes, 96U);
    EXPECT_EQ(checked_extent(stream, layout({5})).dimension, 1U);
}

TEST(ArrayLayout, ShapesThatLieAreRefusedBeforeMemoryIsTaken) {
    const TemporaryFolder folder;
    const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
    for (const std::string& bytes : {std::string(100, 'x'), gzip(std::string(100, 'x'))}) {
        const ByteStream stream(folder.file("x", bytes));
        const auto refused = [&](std::vector<std::uint64_t> shape, const std::string& why) {
            expect_input_error([&] { static_cast<void>(checked_extent(stream, layout(shape, ScalarType::Float64))); },
                               {"x", shape_text(shape), why});
        };
        refused({4000000000U, 4000000000U}, "truncated or damaged");
        refused({1000000, 100}, "truncated or damaged");
        refused({1, huge, huge}, "the most there may be");
        refused({huge}, "more points");
        refused({2, 65536, 65536, 65536, 65536}, "more numbers");
        refused({0, huge, huge}, "no numbers");
        refused({3, huge, 0}, "no numbers");
    }
}

TEST(ArrayLayout, ShapesReadAsInPython) {
    EXPECT_EQ(shape_text({}), "()");
    EXPECT_EQ(shape_text({3}), "(3,)");
    EXPECT_EQ(shape_text({3, 4}), "(3, 4)");
}

TEST(ArrayLayout, DescriptionHoldsWhatTheHeaderSays) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", std::string(24, 'x')));
    ArrayLayout fortran = layout({2, 3, 1}, ScalarType::Int32);
    fortran.fortran_order = true;
    const FileInfo info = describe_array(stream, fortran, Format::Npy);
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 3, 1}));
    EXPECT_EQ(info.scalar, "int32");
    EXPECT_TRUE(info.fortran_order);
    EXPECT_THROW(static_cast<void>(describe_array(stream, layout({25}), Format::Npy)), InputError);
}

/// The numbers 0, 1, ... of an array in C order, written in Fortran order: the first subscript runs fastest.
std::vector<float> fortran_order(const std::vector<std::uint64_t>& shape) {
    const std::uint64_t total = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    std::vector<float> numbers(total);
    for (std::uint64_t c = 0; c < total; ++c) {
        std::uint64_t rest = c;
        std::uint64_t place = 0;
        std::uint64_t step = total;
        for (std::size_t k = shape.size(); k-- > 0;) {  // subscripts from the last to the first
            step /= shape[k];
            place += rest % shape[k] * step;
            rest /= shape[k];
        }
        numbers[place] = static_cast<float>(c);
    }
    return numbers;
}

Dataset read(const ArrayLayout& layout, const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", bytes));
    return read_array(stream, layout);
}

TEST(ArrayReader, FortranOrderReadsAsCOrder) {
    const std::vector<std::vector<std::uint64_t>> shapes = {{200, 3}, {3, 200},     {5, 6, 7}, {1, 9},
                                                            {9, 1},   {4, 3, 1, 5}, {6}};
    for (const auto& shape : shapes) {
        const std::vector<float> numbers = fortran_order(shape);
        std::vector<float> expected(numbers.size());
        std::iota(expected.begin(), expected.end(), 0.0F);
        const Dataset data = read({ScalarType::Float32, std::endian::little, true, shape}, packed(numbers));
        EXPECT_EQ(flat(data.points), expected) << shape_text(shape);
        EXPECT_EQ(data.points.count, shape[0]);
    }
}

TEST(ArrayReader, MapsOnlyWhatLiesAsInMemory) {
    const std::string bytes = packed<float>({1, 2, 3, 4});
    const std::vector<std::uint64_t> shape{2, 2};
    EXPECT_TRUE(read({ScalarType::Float32, std::endian::native, false, shape}, bytes).mapped);
    EXPECT_FALSE(read({ScalarType::Float32, std::endian::native, true, shape}, bytes).mapped);
    EXPECT_FALSE(read({ScalarType::Float32, std::endian::native, false, shape}, gzip(bytes)).mapped);
    EXPECT_FALSE(read({ScalarType::Int32, std::endian::native, false, shape}, bytes).mapped);
    EXPECT_TRUE(read({ScalarType::Float32, std::endian::native, true, {4}}, bytes).mapped);
}

TEST(ArrayReader, PointsOutliveTheReadingAndTheFile) {
    for (const bool zipped : {false, true}) {
        const std::string bytes = packed<float>({1, 2, 3, 4});
        const Dataset data =
            read({ScalarType::Float32, std::endian::little, false, {2, 2}}, zipped ? gzip(bytes) : bytes);
        const Dataset copy = data;
        EXPECT_EQ(flat(copy.points), (std::vector<float>{1, 2, 3, 4}));
    }
}

TEST(ArrayReader, LongArraysComeInManyChunks) {
    std::vector<std::int32_t> numbers(300000);
    std::iota(numbers.begin(), numbers.end(), -7);
    const std::string bytes = packed(numbers, std::endian::big);
    const Dataset data = read({ScalarType::Int32, std::endian::big, false, {100000, 3}}, gzip(bytes));
    EXPECT_EQ(flat(data.points), std::vector<float>(numbers.begin(), numbers.end()));
}

TEST(ArrayReader, BytesTooFewOrTooManyAreRefused) {
    const std::vector<std::uint64_t> shape{2, 2};
    for (const ScalarType scalar : {ScalarType::Float32, ScalarType::Int32}) {
        const ArrayLayout layout{scalar, std::endian::little, false, shape};
        expect_input_error([&] { read(layout, std::string(15, 'x')); }, {"x", "(2, 2)", "has only 15"});
        expect_input_error([&] { read(layout, std::string(17, 'x')); }, {"x", "byte 16", "more bytes follow"});
        expect_input_error([&] { read(layout, gzip(std::string(15, 'x'))); }, {"x", "byte 15", "truncated"});
        expect_input_error([&] { read(layout, gzip(std::string(17, 'x'))); }, {"x", "byte 16", "more bytes follow"});
    }
}

TEST(ArrayReader, ValuesBeyondFloatAreRefusedByPlace) {
    expect_input_error(
        [] {
            read({ScalarType::Float64, std::endian::little, false, {2, 2}}, packed<double>({1, 2, 1e300, 4}));
        },
        {"x", "number 2", "float32"});
}

std::vector<std::int64_t> integers(const ArrayLayout& layout, const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", bytes));
    return read_integers(stream, layout);
}

TEST(ArrayReader, IntegersAreOneAPoint) {
    const auto le = std::endian::little;
    const std::vector<std::int64_t> expected{3, -1, 2};
    EXPECT_EQ(integers({ScalarType::Int16, le, false, {3}}, packed<std::int16_t>({3, -1, 2})), expected);
    EXPECT_EQ(integers({ScalarType::Int64, le, true, {3, 1}}, packed<std::int64_t>({3, -1, 2})), expected);
    expect_input_error(
        [&] {
            integers({ScalarType::Float32, le, false, {1}}, packed<float>({1}));
        },
        {"x", "float32", "whole numbers"});
    expect_input_error(
        [&] {
            integers({ScalarType::UInt8, le, false, {2, 2}}, "abcd");
        },
        {"x", "(2, 2)", "one number"});
    expect_input_error(
        [&] {
            integers({ScalarType::UInt64, le, false, {2}}, packed<std::uint64_t>({1, ~0ULL}));
        },
        {"x", "row 1", "int64"});
}

TEST(ArrayReader, DoublesComeInTheOrderOfTheFile) {
    const TemporaryFolder folder;
    std::vector<double> numbers(100000);
    std::iota(numbers.begin(), numbers.end(), 0.1);
    ByteStream stream(folder.file("x.npy", npy(">f8", "(1000, 100)", packed<double>(numbers, std::endian::big))));
    std::vector<double> read;
    for_each_double(stream, read_npy_header(stream), [&](std::span<const double> values, std::uint64_t first) {
        EXPECT_EQ(first, read.size());
        read.insert(read.end(), values.begin(), values.end());
    });
    EXPECT_EQ(read, numbers);
}

}  // namespace
}  // namespace isogon::array_reader_test
