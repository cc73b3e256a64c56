#include "isogon/io/output.hpp"

#include <bit>
#include <cmath>

#include "isogon/core/random.hpp"
#include "isogon/io/dataset.hpp"
#include "unit/io/files.hpp"

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

}  // namespace
}  // namespace isogon::output_test
