#include "io/point_formats.hpp"

#include "unit/io/files.hpp"

namespace isogon::table_reader_test {
namespace {

using namespace test;

TableColumns columns_of(const std::vector<std::string_view>& first, const ReadOptions& options = {}) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "x"));
    RecordReader reader(stream, ',');
    return find_columns(reader, first, options);
}

TEST(TableColumns, TextAloneIsAHeaderAndNumbersAloneAreData) {
    const TableColumns named = columns_of({"a", "b"});
    EXPECT_TRUE(named.header);
    EXPECT_EQ(named.names, (std::vector<std::string>{"a", "b"}));
    const TableColumns data = columns_of({"1", "nan", "1e99"});
    EXPECT_FALSE(data.header);
    EXPECT_TRUE(data.names.empty());
    EXPECT_EQ(data.dimension(), 3U);
}

TEST(TableColumns, AMixtureIsRefusedUnlessTheCallerSays) {
    expect_input_error([] { static_cast<void>(columns_of({"1", "oops", "3"})); }, {"x", "column 2", "oops", "header"});
    expect_input_error([] { static_cast<void>(columns_of({"", "0", "1"})); }, {"x", "column 1", "header"});
    EXPECT_TRUE(columns_of({"", "0", "1"}, {.header = Header::Present}).header);
    EXPECT_FALSE(columns_of({"1", "oops"}, {.header = Header::Absent}).header);
}

TEST(TableColumns, ColumnsAreFoundByNameAndByNumber) {
    const TableColumns by_name = columns_of({"w", "a", "y", "b"}, {.label_column = "y", .word_column = "w"});
    EXPECT_TRUE(by_name.header);
    EXPECT_EQ(by_name.label, 2U);
    EXPECT_EQ(by_name.word, 0U);
    EXPECT_EQ(by_name.names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(by_name.dimension(), 2U);
    const TableColumns by_number = columns_of({"cat", "1", "7"}, {.label_column = "2", .word_column = "0"});
    EXPECT_FALSE(by_number.header);
    EXPECT_EQ(by_number.label, 2U);
    EXPECT_EQ(by_number.word, 0U);
}

TEST(TableColumns, ANumberIsANameOnlyWhereAHeaderIsCertain) {
    EXPECT_EQ(columns_of({"5", "0", "6"}, {.label_column = "0"}).label, 0U);
    EXPECT_EQ(columns_of({"5", "0", "6"}, {.header = Header::Present, .label_column = "0"}).label, 1U);
}

TEST(TableColumns, ColumnsThatAreNotThereAreACallersMistake) {
    const auto message = [](const std::vector<std::string_view>& first, const ReadOptions& options) {
        return message_of<InvalidArgument>([&] { static_cast<void>(columns_of(first, options)); });
    };
    expect_holds(message({"a", "b"}, {.label_column = "c"}), {"label_column = c", "\"a\", \"b\"", "0 to 1"});
    expect_holds(message({"1", "2"}, {.word_column = "2"}), {"word_column = 2", "0 to 1"});
    expect_holds(message({"a", "b"}, {.label_column = "1", .word_column = "b"}), {"word_column = b", "labels"});
    expect_holds(message({"cat", "2"}, {.word_column = "cat"}), {"word_column = cat"});
    expect_holds(message({"a", "b"}, {.header = Header::Absent, .label_column = "a"}), {"label_column = a"});
}

TEST(TableColumns, SomethingMustBeLeftForTheCoordinates) {
    expect_input_error(
        [] {
            static_cast<void>(columns_of({"a", "b"}, {.label_column = "a", .word_column = "b"}));
        },
        {"x", "no column of numbers"});
}

Dataset read(const std::string& text, const ReadOptions& options = {}, Format format = Format::Csv) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.csv", text));
    return read_table(stream, format, options);
}

TEST(TableReader, ReadsNumbersWithAndWithoutAHeader) {
    for (const char* text : {"1,2\n3,4\n", "a,b\n1,2\n3,4", "\xef\xbb\xbf\"a\",b\r\n1, 2\r\n3,4\r\n\r\n"}) {
        const Dataset data = read(text);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << text;
        EXPECT_EQ(data.points.dimension, 2U);
        EXPECT_TRUE(data.labels.empty());
        EXPECT_TRUE(data.words.empty());
    }
    EXPECT_EQ(flat(read("1\t2\n", {}, Format::Tsv).points), (std::vector<float>{1, 2}));
    EXPECT_EQ(read("a,b\n1,2\n").column_names, (std::vector<std::string>{"a", "b"}));
}

TEST(TableReader, LabelsAndWordsTravelBesideTheNumbers) {
    const Dataset data =
        read("name,x,class,y\n\"big, cat\",1,7,2\ndog,3,-8,4\n", {.label_column = "class", .word_column = "name"});
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(data.labels, (std::vector<std::int64_t>{7, -8}));
    EXPECT_EQ(data.words, (std::vector<std::string>{"big, cat", "dog"}));
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "y"}));
}

TEST(TableReader, FaultsAreNamedByLineAndColumn) {
    expect_input_error([] { read("1,2\n3\n"); }, {"x.csv, line 2", "1 columns", "first line has 2"});
    expect_input_error([] { read("a,b\n1,2\n3,4,5\n"); }, {"x.csv, line 3", "3 columns"});
    expect_input_error([] { read("1,2\n3,four\n"); }, {"x.csv, line 2, column 2", "\"four\"", "number belongs"});
    expect_input_error([] { read("1,2\n,4\n"); }, {"x.csv, line 2, column 1", "empty"});
    expect_input_error([] { read("1,2\n3,1e39\n"); }, {"x.csv, line 2, column 2", "float32"});
    expect_input_error([] { read("1,a\n", {.header = Header::Absent}); }, {"x.csv, line 1, column 2", "\"a\""});
    expect_input_error([] { read("1,2\n3,4.5\n", {.label_column = "1"}); },
                       {"x.csv, line 2, column 2", "4.5", "whole"});
    expect_input_error([] { read("a,b\n"); }, {"x.csv", "header, but no points"});
    expect_input_error([] { read("\n\r\n"); }, {"x.csv", "blank"});
}

TEST(TableReader, AHeaderOfNumbersHasToBeTold) {
    EXPECT_EQ(read("0,1\n2,3\n").points.count, 2U);
    const Dataset data = read("0,1\n2,3\n", {.header = Header::Present});
    EXPECT_EQ(flat(data.points), (std::vector<float>{2, 3}));
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"0", "1"}));
}

TEST(TableReader, DescribesWhatItReads) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.csv", "w,a,b\ncat,1,2\ndog,3,4\n"));
    const FileInfo info = describe_table(stream, Format::Csv, {.word_column = "w"});
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_EQ(info.scalar, "text");
    EXPECT_TRUE(info.has_header);
    EXPECT_TRUE(info.has_words);
}

std::vector<std::int64_t> labels(const std::string& text) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.txt", text));
    return read_text_labels(stream);
}

TEST(TableReader, LabelsAreOneALine) {
    const std::vector<std::int64_t> expected{1, -2, 3};
    EXPECT_EQ(labels("1\n-2\n3\n"), expected);
    EXPECT_EQ(labels("label\r\n1\r\n-2.0\r\n3e0\r\n\r\n"), expected);
    expect_input_error([] { labels("1\nx\n"); }, {"x.txt, line 2", "\"x\"", "whole number"});
    expect_input_error([] { labels("1.5\n2\n"); }, {"x.txt, line 1", "1.5"});
    expect_input_error([] { labels("1,2\n"); }, {"x.txt, line 1", "2 columns"});
    expect_input_error([] { labels("label\n"); }, {"x.txt", "no labels"});
}

}  // namespace
}  // namespace isogon::table_reader_test
