#include "io/record_reader.hpp"

#include "unit/io/files.hpp"

namespace isogon::record_reader_test {
namespace {

using namespace test;

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
}  // namespace isogon::record_reader_test
