#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "io/files.hpp"
#include "io/text_file.hpp"

namespace isogon::text_file_test {

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

float good(std::string_view text) {
    float value = -77.0F;
    EXPECT_EQ(parse_float(text, value), NumberFault::None) << text;
    return value;
}

NumberFault fault(std::string_view text) {
    float value = 0.0F;
    return parse_float(text, value);
}

TEST(NumberText, ReadsWhatPeopleWrite) {
    EXPECT_EQ(good("1"), 1.0F);
    EXPECT_EQ(good("+1.5"), 1.5F);
    EXPECT_EQ(good("-.5"), -0.5F);
    EXPECT_EQ(good("5."), 5.0F);
    EXPECT_EQ(good("1e3"), 1000.0F);
    EXPECT_EQ(good("1E+03"), 1000.0F);
    EXPECT_TRUE(std::signbit(good("-0")));
    EXPECT_TRUE(std::isnan(good("NaN")));
    EXPECT_EQ(good("-Infinity"), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(good("inf"), std::numeric_limits<float>::infinity());
}

TEST(NumberText, RefusesWhatIsNoNumber) {
    for (const char* text :
         {"", " ", "+", "-", "+-1", "1x", "1,5", "0x10", "1e", "--1", "1 2", ".", "e5", "nanx", "++1"}) {
        EXPECT_EQ(fault(text), NumberFault::NotANumber) << text;
    }
    for (const char* end : {"e", "E", "e+", "x", ".."}) {
        EXPECT_EQ(fault(std::string(400, '8') + end), NumberFault::NotANumber) << end;
    }
}

TEST(NumberText, TooSmallIsZeroAndTooLargeIsRefused) {
    EXPECT_EQ(good("1e-50"), 0.0F);
    EXPECT_EQ(good("-1e-400"), 0.0F);
    EXPECT_EQ(good("1e-99999999999999999999"), 0.0F);
    EXPECT_EQ(good("0." + std::string(400, '0') + "1"), 0.0F);
    EXPECT_EQ(good("1e-40"), 1e-40F);  // float32 has subnormal numbers
    EXPECT_EQ(good("1" + std::string(400, '0') + "e-400"), 1.0F);
    for (const char* text : {"1e39", "-3.5e38", "1e400", "1e99999999999999999999"}) {
        EXPECT_EQ(fault(text), NumberFault::OutOfRange) << text;
    }
    EXPECT_EQ(fault("1" + std::string(400, '0')), NumberFault::OutOfRange);
    EXPECT_EQ(fault("0.0001e999"), NumberFault::OutOfRange);
}

TEST(NumberText, EveryFloatReadsBackAsTheSameBits) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const auto value = std::bit_cast<float>(Random(1, RandomStream::Test, i).bits());
        if (std::isfinite(value)) {
            std::string text;
            append_number(text, value);
            ASSERT_EQ(std::bit_cast<std::uint32_t>(good(text)), std::bit_cast<std::uint32_t>(value)) << text;
        }
    }
}

TEST(NumberText, WholeNumbersInEverySpelling) {
    EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_integer("-12"), -12);
    EXPECT_EQ(parse_integer("+7"), 7);
    EXPECT_EQ(parse_integer("5.000000000000000000e+00"), 5);
    for (const char* text : {"", "5.5", "1e30", "nan", "inf", "x", "9223372036854775808", "5 "}) {
        EXPECT_FALSE(parse_integer(text)) << text;
    }
}

TEST(NumberText, TrimsBlanksAtTheEndsOnly) {
    EXPECT_EQ(trim(" \ta b\t "), "a b");
    EXPECT_EQ(trim("  "), "");
}

TEST(NumberText, QuotesAreShortAndPrintable) {
    EXPECT_EQ(in_quotes("a\x01\xff"), "\"a??\"");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), '"' + std::string(40, 'x') + "...\"");
    EXPECT_NE(number_trouble(NumberFault::NotANumber, "").find("empty"), std::string::npos);
    EXPECT_NE(number_trouble(NumberFault::OutOfRange, "1e99").find("\"1e99\" is beyond"), std::string::npos);
}

TEST(NumberText, DoublesKeepTheirBitsAndTheirRangeIsWatched) {
    double value = -77.0;
    for (const auto& [text, wanted] :
         {std::pair("0.1", 0.1), std::pair("+1e300", 1e300), std::pair("-1e-400", 0.0), std::pair("5e-324", 5e-324)}) {
        EXPECT_EQ(parse_double(text, value), NumberFault::None) << text;
        EXPECT_EQ(value, wanted) << text;
    }
    EXPECT_EQ(parse_double("1e999", value), NumberFault::OutOfRange);
    EXPECT_EQ(parse_double("1x", value), NumberFault::NotANumber);
    EXPECT_EQ(parse_double("", value), NumberFault::NotANumber);
    for (const double number : {0.1, 1.0 / 3.0, 1e300, -5e-324}) {
        std::string text;
        append_number(text, number);
        EXPECT_EQ(parse_double(text, value), NumberFault::None);
        EXPECT_EQ(value, number);
    }
}

TEST(SeparatorTrouble, NamesWhatStandsBetweenSeveralNumbers) {
    for (const auto& [text, name] : {std::pair{"1;2.5;-3", "semicolons"},
                                     {"1,5;2,5", "semicolons"},
                                     {"1\t2", "tabs"},
                                     {"1 2  3", "blanks"},
                                     {"1|2", "bars"},
                                     {"nan; inf", "semicolons"}}) {
        EXPECT_NE(separator_trouble(text, ',').find(name), std::string::npos) << text;
    }
    EXPECT_NE(separator_trouble("1,2", '\t').find("format csv"), std::string::npos);
    EXPECT_NE(separator_trouble("1\t2", ',').find("format tsv"), std::string::npos);
}

TEST(SeparatorTrouble, SaysNothingOfOtherText) {
    for (const char* text : {"", "1", "word", "two words", "a;b", "1;", ";1", "1;x", "3 apples", " 1 "}) {
        EXPECT_EQ(separator_trouble(text, ','), "") << text;
    }
    EXPECT_EQ(separator_trouble("1,2", ','), "");
    EXPECT_EQ(separator_trouble("1\t2", '\t'), "");
}

}  // namespace

}  // namespace isogon::text_file_test
