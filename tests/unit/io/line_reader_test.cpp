#include "io/line_reader.hpp"

#include "unit/io/files.hpp"

namespace isogon::line_reader_test {
namespace {

using namespace test;

std::vector<std::string> lines_of(const std::string& text) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", text));
    LineReader reader(stream);
    std::vector<std::string> lines;
    std::string_view line;
    while (reader.next(line)) {
        lines.emplace_back(line);
        EXPECT_EQ(reader.number(), lines.size());
    }
    return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, EndsOfLinesAreNoPartOfThem) {
    EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("a\r\nb"), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("a\n\n\nb\n\n"), (Lines{"a", "", "", "b", ""}));
    EXPECT_EQ(lines_of("\n"), (Lines{""}));
    EXPECT_EQ(lines_of("a\rb"), (Lines{"a\rb"}));
}

TEST(LineReader, SaysHowALineEnded) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "a\nb\r\nc"));
    LineReader reader(stream);
    std::string_view line;
    for (const std::string_view end : {"\n", "\r\n", ""}) {
        ASSERT_TRUE(reader.next(line));
        EXPECT_EQ(reader.line_end(), end);
    }
}

TEST(LineReader, AByteOrderMarkIsSteppedOverAtTheStartOnly) {
    EXPECT_EQ(lines_of("\xef\xbb\xbf"
                       "a\n\xef\xbb\xbf"),
              (Lines{"a", "\xef\xbb\xbf"}));
}

TEST(LineReader, LinesLongerThanTheBufferAreWhole) {
    const Lines expected{std::string(1000000, 'a'), "b", std::string(600001, 'c'), ""};
    EXPECT_EQ(lines_of(expected[0] + "\nb\n" + expected[2] + "\n\n"), expected);
}

TEST(LineReader, AnErrorNamesTheLine) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "a\nb\n"));
    LineReader reader(stream);
    std::string_view line;
    reader.next(line);
    reader.next(line);
    expect_input_error([&] { reader.fail("is odd"); }, {"x, line 2: is odd"});
}

TEST(LineReader, ALineWithoutEndDoesNotFillTheMemory) {
    const TemporaryFolder folder;
    std::string packed;
    const std::string piece = gzip(std::string(32 * 1024 * 1024, 'x'));
    for (int i = 0; i < 3; ++i) {
        packed += piece;
    }
    ByteStream stream(folder.file("x", packed));
    LineReader reader(stream);
    std::string_view line;
    expect_input_error([&] { reader.next(line); }, {"x, line 1", "longer than"});
}

}  // namespace
}  // namespace isogon::line_reader_test
