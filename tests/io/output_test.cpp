#include "isogon/io/output.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::output_test {
namespace {

using namespace test;

/// Floats of every magnitude, finite.
Points any_points(Index count, Index dimension) {
    Points points(count, dimension);
    std::uint64_t i = 0;
    for (float& value : points.values()) {
        do {
            value = std::bit_cast<float>(Random(5, RandomStream::Test, i++).bits());
        } while (!std::isfinite(value));
    }
    return points;
}

std::vector<std::string> words_for(Index count) {
    std::vector<std::string> words;
    for (Index i = 0; i < count; ++i) {
        words.push_back("w\xc3\xb6rd," + std::to_string(i));
    }
    return words;
}

TEST(Output, EveryFormatReadsBackTheSameBits) {
    const TemporaryFolder folder;
    const Points points = any_points(57, 13);
    const std::vector<std::string> words = words_for(57);
    const ReadOptions with_words{.word_column = "word"};
    for (const std::string ending : {"npy", "csv", "tsv", "idx", "fvecs", "vec", "bin"}) {
        for (const std::string zipped : {"", ".gz"}) {
            const fs::path path = folder / ("x." + ending + zipped);
            write_points(path, points.view(), {.words = words});
            const bool table = ending == "csv" || ending == "tsv";
            const Dataset back = read_points(path, table ? with_words : ReadOptions{});
            EXPECT_EQ(flat(back.points), flat(points.view())) << path;
            EXPECT_EQ(back.points.dimension, 13U) << path;
            EXPECT_EQ(back.words.empty(), ending == "npy" || ending == "idx" || ending == "fvecs") << path;
            EXPECT_TRUE(back.words.empty() || back.words == words) << path;
            EXPECT_EQ(describe_file(path, table ? with_words : ReadOptions{}).gzip, !zipped.empty()) << path;
        }
    }
    EXPECT_EQ(folder.entries(), 14U);
}

TEST(Output, WholeNumbersReadBackFromTheirFormats) {
    const TemporaryFolder folder;
    Points points(20, 3);
    for (std::size_t i = 0; i < points.values().size(); ++i) {
        points.values()[i] = static_cast<float>(i * 4);
    }
    for (const std::string ending : {"bvecs", "ivecs"}) {
        write_points(folder / ("x." + ending), points.view());
        EXPECT_EQ(flat(read_points(folder / ("x." + ending)).points), flat(points.view())) << ending;
    }
}

TEST(Output, TablesKeepWordsAndLabels) {
    const TemporaryFolder folder;
    const Points points = any_points(3, 2);
    const std::vector<std::int64_t> labels{5, -6, std::numeric_limits<std::int64_t>::max()};
    const std::vector<std::string> words{"two\nlines", "say \"hi\"", " \t,\r\n"};
    for (const std::string ending : {"csv", "tsv"}) {
        const fs::path path = folder / ("x." + ending);
        write_points(path, points.view(), {.labels = labels, .words = words});
        const Dataset back = read_points(path, {.label_column = "label", .word_column = "word"});
        EXPECT_EQ(flat(back.points), flat(points.view()));
        EXPECT_EQ(back.labels, labels);
        EXPECT_EQ(back.words, words);
        EXPECT_EQ(back.column_names, (std::vector<std::string>{"x0", "x1"}));
    }
}

TEST(Output, TheFormatMayBeSaid) {
    const TemporaryFolder folder;
    const Points points = any_points(2, 2);
    write_points(folder / "x", points.view(), {}, {.format = Format::Fvecs});
    EXPECT_EQ(flat(read_points(folder / "x", {.format = Format::Fvecs}).points), flat(points.view()));
}

TEST(Output, RefusalsComeBeforeAnythingIsWritten) {
    const TemporaryFolder folder;
    const Points points = any_points(2, 2);
    const std::vector<std::string> one_word{"w"};
    const std::vector<std::int64_t> three_labels{1, 2, 3};
    const auto mistake = [&](const std::string& name, const PointsView& view, const Companions& companions) {
        return message_of<InvalidArgument>([&] { write_points(folder / name, view, companions); });
    };
    expect_holds(mistake("x.npy", PointsView(), {}), {"points", "at least one"});
    expect_holds(mistake("x.vec", points.view(), {}), {"words = none", "needs a word"});
    expect_holds(mistake("x.csv", points.view(), {.words = one_word}), {"words = 1", "2 points"});
    expect_holds(mistake("x.csv", points.view(), {.labels = three_labels}), {"labels = 3", "2 points"});
    expect_holds(message_of<OutputError>([&] { write_points(folder / "x", points.view()); }),
                 {"x", "no format", ".npy"});
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(Output, AFailureInTheMiddleKeepsTheOldFile) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.bvecs", "old");
    Points points(100000, 8);
    points.values().back() = 0.5F;
    EXPECT_THROW(write_points(path, points.view(), {}, {.overwrite = true}), InvalidArgument);
    EXPECT_EQ(bytes_of(path), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(Output, OverwritesOnlyWhenAsked) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.npy", "old");
    const Points points = any_points(2, 2);
    EXPECT_THROW(write_points(path, points.view()), OutputError);
    EXPECT_EQ(bytes_of(path), "old");
    write_points(path, points.view(), {}, {.overwrite = true});
    EXPECT_EQ(flat(read_points(path).points), flat(points.view()));
}

TEST(Output, AMappedFileMayBeReplacedByWhatIsReadFromIt) {
    const TemporaryFolder folder;
    const Points points = any_points(100, 7);
    write_points(folder / "x.npy", points.view());
    const Dataset mapped = read_points(folder / "x.npy");
    ASSERT_TRUE(mapped.mapped);
    write_points(folder / "x.npy", mapped.points, {}, {.overwrite = true});
    EXPECT_EQ(flat(mapped.points), flat(points.view()));
    EXPECT_EQ(flat(read_points(folder / "x.npy").points), flat(points.view()));
}

TEST(Output, WhetherItCouldBeWrittenIsKnownBefore) {
    const TemporaryFolder folder;
    const auto message = [](const fs::path& path) { return message_of<OutputError>([&] { require_writable(path); }); };
    expect_holds(message(folder / "x"), {"x", "no format"});
    expect_holds(message(folder / "none/x.npy"), {"x.npy", "none does not exist"});
    expect_holds(message(folder.file("x.npy", "")), {"x.npy", "already exists"});
    fs::create_directory(folder / "y.npy");
    expect_holds(message(folder / "y.npy"), {"y.npy", "is a folder"});
    EXPECT_NO_THROW(require_writable(folder / "x.npy", {.overwrite = true}));
    EXPECT_NO_THROW(require_writable(folder / "z", {.format = Format::Csv}));
    EXPECT_EQ(folder.entries(), 2U);
}

constexpr Index kCount = 11;
constexpr Index kDimension = 6;

Points numbered() {
    Points points(kCount, kDimension);
    std::iota(points.values().begin(), points.values().end(), 0.0F);
    return points;
}

PointsView rows_of(const Points& points, Index first, Index count) {
    return {points[first].data(), count, points.dimension()};
}

struct Case {
    std::string name;
    PointsShape shape;
};

std::vector<Case> cases() {
    const PointsShape plain{.count = kCount, .dimension = kDimension};
    PointsShape labelled = plain;
    labelled.labels = true;
    PointsShape words = labelled;
    words.words = true;
    PointsShape images = plain;
    images.image_height = 2;
    images.image_width = 3;
    return {{"x.npy", plain},    {"x.npy.gz", plain}, {"x.idx", plain},   {"x-idx3-ubyte", images},
            {"x.fvecs", plain},  {"x.bvecs", plain},  {"x.ivecs", plain}, {"x.csv", labelled},
            {"x.tsv.gz", plain}, {"x.vec", words},    {"x.bin", words}};
}

ReadOptions how_to_read(const Case& item) {
    ReadOptions options;
    if (item.name.ends_with(".csv")) {
        options.label_column = "label";
    }
    return options;
}

class Blocks {
public:
    explicit Blocks(const PointsShape& shape) : shape_(shape) {}

    void write(PointWriter& writer, Index first, Index count) const {
        Companions companions;
        if (shape_.labels) {
            companions.labels = std::span(labels_).subspan(first, count);
        }
        if (shape_.words) {
            companions.words = std::span(words_).subspan(first, count);
        }
        writer.write(rows_of(points_, first, count), companions);
    }

private:
    PointsShape shape_;
    Points points_ = numbered();
    std::vector<std::int64_t> labels_{5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5};
    std::vector<std::string> words_{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
};

TEST(PointWriter, AnyBlocksMakeTheSameFile) {
    for (const Case& item : cases()) {
        const TemporaryFolder folder;
        const Blocks blocks(item.shape);
        std::string whole;
        for (const Index step : {kCount, Index{1}, Index{4}}) {
            PointWriter writer(folder / item.name, item.shape, {.format = {}, .overwrite = true});
            for (Index first = 0; first < kCount; first += step) {
                blocks.write(writer, first, std::min(step, kCount - first));
            }
            EXPECT_EQ(writer.written(), kCount);
            writer.commit();
            whole = whole.empty() ? bytes_of(folder / item.name) : whole;
            EXPECT_EQ(bytes_of(folder / item.name), whole) << item.name;
        }
        const Dataset back = read_points(folder / item.name, how_to_read(item));
        EXPECT_EQ(flat(back.points), flat(numbered().view())) << item.name;
    }
}

TEST(PointWriter, TheSizeIsKnownBefore) {
    for (const Case& item : cases()) {
        const TemporaryFolder folder;
        const Format format = *format_from_name(item.name);
        PointWriter writer(folder / item.name, item.shape);
        Blocks(item.shape).write(writer, 0, kCount);
        writer.commit();
        const std::uint64_t forecast = file_bytes(format, item.shape);
        if (forecast > 0 && !item.name.ends_with(".gz")) {
            EXPECT_EQ(forecast, fs::file_size(folder / item.name)) << item.name;
        }
        EXPECT_EQ(forecast == 0, item.shape.words || item.shape.labels || item.name == "x.tsv.gz") << item.name;
    }
}

TEST(PointWriter, FewerRowsAreAWholeFileWhereTheHeadCanBeMended) {
    for (const Case& item : cases()) {
        const TemporaryFolder folder;
        {
            PointWriter writer(folder / item.name, item.shape);
            EXPECT_FALSE(writer.can_end_early());
            Blocks(item.shape).write(writer, 0, 7);
            if (!writer.can_end_early()) {
                EXPECT_TRUE(item.name == "x.npy.gz" || item.shape.words) << item.name;
                expect_holds(message_of<OutputError>([&] { writer.commit(); }), {item.name, "7 of 11"});
                continue;
            }
            writer.commit();
        }
        const Points all = numbered();
        const Dataset back = read_points(folder / item.name, how_to_read(item));
        EXPECT_EQ(flat(back.points), flat(rows_of(all, 0, 7))) << item.name;
    }
}

TEST(PointWriter, WithoutACommitNothingIsLeft) {
    const TemporaryFolder folder;
    {
        PointWriter writer(folder / "x.npy", {.count = kCount, .dimension = kDimension});
        writer.write(numbered().view());
    }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(PointWriter, WhatDoesNotFitIsRefused) {
    const TemporaryFolder folder;
    PointWriter writer(folder / "x.csv", {.count = 2, .dimension = kDimension, .labels = true});
    const Points points = numbered();
    const std::vector<std::int64_t> labels{1, 2, 3};
    const auto mistake = [&](Index rows, std::size_t given) {
        return message_of<InvalidArgument>(
            [&] { writer.write(rows_of(points, 0, rows), {.labels = std::span(labels).first(given)}); });
    };
    expect_holds(mistake(3, 3), {"rows = 3", "at most 2 more"});
    expect_holds(mistake(2, 1), {"labels = 1", "one for each of the 2"});
    expect_holds(mistake(2, 0), {"labels = 0"});
    const Points narrow(1, 2);
    expect_holds(message_of<InvalidArgument>([&] { writer.write(narrow.view()); }), {"dimension 2", "dimension 6"});
    const auto opened = [&](const PointsShape& shape) {
        return message_of<InvalidArgument>([&] { PointWriter(folder / "y.vec", shape); });
    };
    expect_holds(opened({}), {"points"});
    expect_holds(opened({.count = 1, .dimension = 1}), {"words"});
}

TEST(PointWriter, RowsOfALaterBlockAreNumberedAsInTheFile) {
    const TemporaryFolder folder;
    PointWriter writer(folder / "x.bvecs", {.count = 4, .dimension = 1});
    Points points(2, 1);
    writer.write(points.view());
    points[1][0] = 0.5F;
    expect_holds(message_of<InvalidArgument>([&] { writer.write(points.view()); }), {"row 3, column 0"});
}

TEST(PointWriter, AFullDiskIsRefusedBeforeTheFirstByte) {
    const TemporaryFolder folder;
    const PointsShape huge{.count = 4'000'000'000U, .dimension = 1'000'000};
    expect_holds(message_of<OutputError>([&] { PointWriter(folder / "x.npy", huge); }), {"x.npy", "16 PB", "free"});
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(PointWriter, ADiskThatFillsLeavesNothingAndSaysWhatIsNeeded) {
    const TemporaryFolder folder;
    const FileSizeLimit limit(100000);
    const Points points(100, 1000);
    PointWriter writer(folder / "x.npy", {.count = 100, .dimension = 1000});
    expect_holds(message_of<OutputError>([&] {
                     writer.write(points.view());
                     writer.commit();
                 }),
                 {"x.npy", "400 kB", "needed in all"});
    EXPECT_EQ(folder.entries(), 0U);
}

const std::vector<float> kValues{0.1F, -2, 1e-40F, 3e38F};
const PointsView kPoints(kValues.data(), 2, 2);

/// The bytes of a file of these points.
std::string written(Format format, const PointsView& points, const Companions& companions = {}) {
    const TemporaryFolder folder;
    write_points(folder / "x", points, companions, {.format = format});
    return bytes_of(folder / "x");
}

TEST(TextWriters, TablesHaveAHeaderWordsFirstAndLabelsLast) {
    const std::vector<std::int64_t> labels{-7, 8};
    const std::vector<std::string> names{"a", "b"};
    EXPECT_EQ(written(Format::Csv, kPoints), "x0,x1\n0.1,-2\n1e-40,3e+38\n");
    EXPECT_EQ(written(Format::Tsv, kPoints, {.labels = labels, .words = names}),
              "word\tx0\tx1\tlabel\na\t0.1\t-2\t-7\nb\t1e-40\t3e+38\t8\n");
}

TEST(TextWriters, FieldsAreQuotedOnlyWhereTheyMustBe) {
    const std::vector<std::string> odd{"a,\"b\"", "c\td"};
    EXPECT_EQ(written(Format::Csv, kPoints, {.words = odd}), "word,x0,x1\n\"a,\"\"b\"\"\",0.1,-2\nc\td,1e-40,3e+38\n");
    const std::vector<std::string> blank{"", " x"};
    EXPECT_EQ(written(Format::Csv, kPoints, {.words = blank}), "word,x0,x1\n\"\",0.1,-2\n\" x\",1e-40,3e+38\n");
}

TEST(TextWriters, WordVectorsAsTextAndAsBinary) {
    const std::vector<std::string> words{"cat", "\xff"};
    EXPECT_EQ(written(Format::WordText, kPoints, {.words = words}), "2 2\ncat 0.1 -2\n\xff 1e-40 3e+38\n");
    EXPECT_EQ(written(Format::WordBinary, kPoints, {.words = words}),
              "2 2\ncat " + packed<float>({0.1F, -2}) + "\n\xff " + packed<float>({1e-40F, 3e38F}) + "\n");
}

TEST(TextWriters, WordsThatCouldNotBeReadBackAreRefused) {
    for (const char* word : {"", "two words", "line\nend"}) {
        const std::vector<std::string> words{"good", word};
        for (const Format format : {Format::WordText, Format::WordBinary}) {
            expect_holds(message_of<InvalidArgument>([&] { written(format, kPoints, {.words = words}); }),
                         {"words", "row 1"});
        }
    }
}

const std::vector<float> kStridedValues{1, 2, 99, 3, 4, 99};
const PointsView kStridedPoints(kStridedValues.data(), 2, 2, 3);  // a stride wider than the points

TEST(ArrayWriters, EveryFormatHasItsHeaderAndByteOrder) {
    EXPECT_EQ(written(Format::Npy, kStridedPoints), npy("<f4", "(2, 2)", packed<float>({1, 2, 3, 4})));
    EXPECT_EQ(written(Format::Idx, kStridedPoints),
              std::string("\0\0\x0d\x02\0\0\0\x02\0\0\0\x02", 12) + packed<float>({1, 2, 3, 4}, std::endian::big));
    const std::string two = packed<std::int32_t>({2});
    EXPECT_EQ(written(Format::Fvecs, kStridedPoints), two + packed<float>({1, 2}) + two + packed<float>({3, 4}));
    EXPECT_EQ(written(Format::Bvecs, kStridedPoints), two + "\x01\x02" + two + "\x03\x04");
    EXPECT_EQ(written(Format::Ivecs, kStridedPoints),
              two + packed<std::int32_t>({1, 2}) + two + packed<std::int32_t>({3, 4}));
}

TEST(ArrayWriters, WholeNumberFormatsRefuseAnythingElse) {
    const auto refused = [](float value, Format format) {
        const std::vector<float> values{0, value};
        expect_holds(message_of<InvalidArgument>([&] { written(format, PointsView(values.data(), 2, 1)); }),
                     {"row 1, column 0", "whole numbers from", std::string(name(format))});
    };
    for (const float value : {0.5F, -1.0F, 256.0F, std::numeric_limits<float>::quiet_NaN()}) {
        refused(value, Format::Bvecs);
    }
    for (const float value : {0.5F, 2147483648.0F, -3e9F, std::numeric_limits<float>::infinity()}) {
        refused(value, Format::Ivecs);
    }
    const std::vector<float> extremes{-2147483648.0F, 2147483520.0F};
    EXPECT_NO_THROW(written(Format::Ivecs, PointsView(extremes.data(), 1, 2)));
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
}  // namespace isogon::output_test
