#include "isogon/io/point_writer.hpp"

#include <numeric>

#include "isogon/io/dataset.hpp"
#include "unit/io/file_size_limit.hpp"
#include "unit/io/files.hpp"

namespace isogon::point_writer_test {
namespace {

using namespace test;

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

TEST(PointWriter, ADiskWithoutRoomIsRefusedBeforeTheFirstByte) {
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

}  // namespace
}  // namespace isogon::point_writer_test
