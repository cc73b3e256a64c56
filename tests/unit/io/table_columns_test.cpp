#include "io/table_columns.hpp"

#include "unit/io/files.hpp"

namespace isogon::table_columns_test {
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

}  // namespace
}  // namespace isogon::table_columns_test
