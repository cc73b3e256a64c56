#include <gtest/gtest.h>

#include "io/point_writers.hpp"
#include "unit/io/files.hpp"
#include "unit/io/npy_bytes.hpp"

namespace isogon::text_writers_test {
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

}  // namespace
}  // namespace isogon::text_writers_test
