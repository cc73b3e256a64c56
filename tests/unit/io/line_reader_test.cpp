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

using Fields = std::vector<std::string>;

std::vector<Fields> records_of(const std::string& text, char delimiter = ',') {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", text));
    RecordReader reader(stream, delimiter);
    std::vector<std::string_view> fields;
    std::vector<Fields> records;
    while (reader.next(fields)) {
        records.emplace_back(fields.begin(), fields.end());
    }
    return records;
}

using Records = std::vector<Fields>;

TEST(RecordReader, SplitsAtTheDelimiter) {
    EXPECT_EQ(records_of("1,2\n3,4"), (Records{{"1", "2"}, {"3", "4"}}));
    EXPECT_EQ(records_of("1\t2,3\n", '\t'), (Records{{"1", "2,3"}}));
    EXPECT_EQ(records_of(" 1 ,, 2\t\r\n"), (Records{{"1", "", "2"}}));
    EXPECT_EQ(records_of(",\n"), (Records{{"", ""}}));
}

TEST(RecordReader, QuotesKeepWhatTheyHold) {
    EXPECT_EQ(records_of("\"a,b\",\"say \"\"hi\"\"\",c\n"), (Records{{"a,b", "say \"hi\"", "c"}}));
    EXPECT_EQ(records_of("\" a \",\"\"\n"), (Records{{" a ", ""}}));
    EXPECT_EQ(records_of("5\",\"x\"\n"), (Records{{"5\"", "x"}}));
    EXPECT_EQ(records_of("x,\"\"\"\"\n"), (Records{{"x", "\""}}));
}

TEST(RecordReader, QuotesMaySpanLines) {
    EXPECT_EQ(records_of("\"a\nb\",1\n\"c\r\n\n\nd\",2\n"), (Records{{"a\nb", "1"}, {"c\r\n\n\nd", "2"}}));
}

TEST(RecordReader, BlankLinesMayOnlyEndTheFile) {
    EXPECT_EQ(records_of("1\n2\n\n\r\n\n"), (Records{{"1"}, {"2"}}));
    EXPECT_EQ(records_of("\n\n"), Records{});
    expect_input_error([] { records_of("1\n\n2\n"); }, {"x, line 2", "blank"});
    expect_input_error([] { records_of("\n1\n"); }, {"x, line 1", "blank"});
}

TEST(RecordReader, QuotesThatDoNotMatchAreNamed) {
    expect_input_error([] { records_of("1,2\n\"3,4\n5,6\n"); }, {"x, line 2", "never closed"});
    expect_input_error([] { records_of("1,\"2\" 3\n"); }, {"x, line 1, column 2", "closing quote"});
    std::string text = "\"";
    for (int i = 0; i < 9000000; ++i) {
        text += "1\n";
    }
    expect_input_error([&] { records_of(text); }, {"x, line 1", "never closed"});
}

TEST(RecordReader, LinesAreCountedThroughQuotes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "\"a\n\nb\",1\nc,2\n"));
    RecordReader reader(stream, ',');
    std::vector<std::string_view> fields;
    ASSERT_TRUE(reader.next(fields));
    EXPECT_EQ(reader.line(), 1U);
    ASSERT_TRUE(reader.next(fields));
    EXPECT_EQ(reader.line(), 4U);
    expect_input_error([&] { reader.fail(1, "is odd"); }, {"x, line 4, column 2: is odd"});
}

}  // namespace
}  // namespace isogon::line_reader_test
