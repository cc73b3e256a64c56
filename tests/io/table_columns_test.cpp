#include "io/table_columns.hpp"

#include "io/files.hpp"

namespace isogon::table_columns_test {
namespace {

using namespace test;
using Fields = std::vector<std::string>;
using Roles = std::vector<ColumnRole>;
constexpr auto coordinate = ColumnRole::Coordinate;

TableColumns columns_of(const Fields& first, const ReadOptions& options = {}, const Fields& second = {}) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "x"));
    return find_columns({.stream = stream, .first = first, .second = second}, options);
}

TEST(TableColumns, KindsOfFields) {
    for (const char* number : {"1", "-2.5e3", "nan", "inf", "1e99"}) {
        EXPECT_EQ(kind_of(number), FieldKind::Number) << number;
    }
    for (const char* missing : {"", "NA", "n/a", "Null", "none", "?"}) {
        EXPECT_EQ(kind_of(missing), FieldKind::Missing) << missing;
    }
    for (const char* text : {"a", "1a", "-", "nab", "1 2"}) {
        EXPECT_EQ(kind_of(text), FieldKind::Text) << text;
    }
}

TEST(TableColumns, TextAloneIsAHeaderAndNumbersAloneAreData) {
    const TableColumns named = columns_of({"a", "b"});
    EXPECT_TRUE(named.header);
    EXPECT_EQ(named.coordinate_names(), (Fields{"a", "b"}));
    const TableColumns data = columns_of({"1", "nan", "1e99"});
    EXPECT_FALSE(data.header);
    EXPECT_TRUE(data.coordinate_names().empty());
    EXPECT_EQ(data.dimension(), 3U);
}

TEST(TableColumns, AMixtureIsDataWhereTheSecondRecordIsLikeIt) {
    const TableColumns data = columns_of({"5.1", "setosa"}, {}, {"4.9", "virginica"});
    EXPECT_FALSE(data.header);
    EXPECT_EQ(data.roles, (Roles{coordinate, ColumnRole::Text}));
    // An error in the data, years.
    expect_input_error(
        [] {
            static_cast<void>(columns_of({"1", "oops", "3"}, {}, {"4", "5", "6"}));
        },
        {"x", "line 1, column 2", "oops", "header present", "header absent", "skip-column 1"});
    expect_input_error(
        [] {
            static_cast<void>(columns_of({"land", "1990", "1991"}, {}, {"CH", "2.5", "1"}));
        },
        {"land", "header present"});
    expect_input_error([] { static_cast<void>(columns_of({"1", "oops", "3"})); }, {"x", "column 2", "oops", "header"});
}

/// Whether the first record is a header; if it is, a note says so.
bool counts(const Fields& first, const Fields& second) {
    const TableColumns columns = columns_of(first, {}, second);
    EXPECT_EQ(columns.notes.size(), columns.header ? 1U : 0U) << first.front();
    return columns.header;
}

TEST(TableColumns, NumbersThatCountAreNames) {
    EXPECT_TRUE(counts({"0", "1", "2"}, {"0.5", "1.25", "0.75"}));
    EXPECT_TRUE(counts({"1", "2", "3"}, {"7", "0", "4"}));
    EXPECT_TRUE(counts({"0", "1"}, {"0.5", "1.25"}));
    EXPECT_TRUE(counts({"", "0", "1", "2"}, {"0", "0.5", "1.25", "0.75"})) << "with an index";
    EXPECT_TRUE(counts({"", "0"}, {"a", "0.5"})) << "with an index of text";
    EXPECT_TRUE(counts({"0", "1", "label"}, {"1", "2", "cat"}));
    EXPECT_TRUE(counts({"0", "1", "2"}, {"0", "1", "2"})) << "the first row of a table that counts";
    const TableColumns indexed = columns_of({"", "0", "1", "2"}, {}, {"5", "0.5", "1.25", "0.75"});
    EXPECT_EQ(indexed.roles, (Roles{ColumnRole::RowId, coordinate, coordinate, coordinate}));
    EXPECT_EQ(indexed.coordinate_names(), (Fields{"0", "1", "2"}));
    expect_holds(indexed.notes[0], {"line 1", "names of the columns", "header absent"});
}

TEST(TableColumns, NumbersThatMayBeDataAreData) {
    EXPECT_FALSE(counts({"0", "1", "2"}, {"3", "4", "5"})) << "a table that counts";
    EXPECT_FALSE(counts({"0", "1", "2"}, {"1", "2", "3"})) << "windows of a series";
    EXPECT_FALSE(counts({"0", "1", "2", "3"}, {"1", "0", "1", "2"})) << "distances along a line";
    EXPECT_FALSE(counts({"0", "1", "2", "3"}, {"1", "2", "3", "0"})) << "a cycle";
    EXPECT_FALSE(counts({"1", "2", "3"}, {"1", "2", "3"})) << "equal rows";
    EXPECT_FALSE(counts({"0", "1"}, {"1", "0"}));
    EXPECT_FALSE(counts({"0"}, {"0.5"}));
    EXPECT_FALSE(counts({"0.0", "1.0", "2.0"}, {"0.5", "0.25", "7"})) << "numpy.savetxt";
    EXPECT_FALSE(counts({"0", "1", "2"}, {})) << "one record";
    EXPECT_FALSE(counts({"3", "4", "5"}, {"5", "1", "2"})) << "few whole numbers above whole numbers";
}

TEST(TableColumns, OtherEvenlySpacedNumbersAreAskedAbout) {
    const Fields spectrum{"400.5", "401", "401.5", "402", "402.5", "403", "403.5", "404"};
    const Fields data{"0.1", "0.3", "0.2", "0.5", "0.4", "0.1", "0.9", "0.3"};
    for (const auto& [first, second] :
         {std::pair(spectrum, data), {Fields{"1990", "1991", "1992"}, {"0.5", "1.5", "1.25"}}}) {
        expect_input_error([&] { static_cast<void>(columns_of(first, {}, second)); },
                           {"x", "line 1", first.front(), "header present", "header absent"});
        EXPECT_TRUE(columns_of(first, {.header = Header::Present}, second).header);
        EXPECT_FALSE(columns_of(first, {.header = Header::Absent}, second).header);
    }
    EXPECT_FALSE(columns_of(data, {}, spectrum).header);
}

TEST(TableColumns, AMixtureIsWhatTheCallerSays) {
    const TableColumns named = columns_of({"", "0", "1"}, {.header = Header::Present}, {"0", "2.5", "1"});
    EXPECT_TRUE(named.header);
    EXPECT_EQ(named.roles, (Roles{ColumnRole::RowId, coordinate, coordinate}));
    const TableColumns data = columns_of({"1", "oops"}, {.header = Header::Absent});
    EXPECT_FALSE(data.header);
    EXPECT_EQ(data.roles, (Roles{coordinate, ColumnRole::Text}));
}

TEST(TableColumns, ColumnsAreFoundByNameAndByNumber) {
    const TableColumns by_name =
        columns_of({"w", "a", "y", "b", "c"}, {.label_column = "y", .word_column = "w", .skip_columns = {"c"}});
    EXPECT_TRUE(by_name.header);
    EXPECT_EQ(by_name.find(ColumnRole::Label), 2U);
    EXPECT_EQ(by_name.find(ColumnRole::Word), 0U);
    EXPECT_EQ(by_name.coordinate_names(), (Fields{"a", "b"}));
    EXPECT_EQ(by_name.dimension(), 2U);
    const TableColumns by_number = columns_of({"cat", "1", "7"}, {.label_column = "2", .word_column = "0"});
    EXPECT_FALSE(by_number.header);
    EXPECT_EQ(by_number.roles, (Roles{ColumnRole::Word, coordinate, ColumnRole::Label}));
}

TEST(TableColumns, TextIsLeftOutOnRequest) {
    const Fields header{"day", "label", "a", "city", "word"};
    const Fields data{"2026-11-30", "7", "1.5", "Bern", "x"};
    const TableColumns columns = columns_of(header, {.skip_text = true}, data);
    EXPECT_EQ(columns.roles,
              (Roles{ColumnRole::Skipped, ColumnRole::Label, coordinate, ColumnRole::Skipped, ColumnRole::Word}));
    ASSERT_EQ(columns.notes.size(), 1U);
    expect_holds(columns.notes.front(), {"left out", "column 1 (\"day\")", "column 4 (\"city\")"});
    const TableColumns named =
        columns_of({"day", "a", "city"}, {.label_column = "city", .skip_text = true}, {"2026-11-30", "1.5", "Bern"});
    EXPECT_EQ(named.roles, (Roles{ColumnRole::Skipped, coordinate, ColumnRole::Label}));
    EXPECT_TRUE(columns_of({"a", "b"}, {.skip_text = true}, {"1", "2"}).notes.empty());
    expect_input_error(
        [&] {
            static_cast<void>(columns_of({"day", "x", "city", "y"}, {}, {"2026-11-30", "u", "Bern", "2"}));
        },
        {"x", "one can be labels and one words", "skip-text"});
}

TEST(TableColumns, ANumberIsANameOnlyWhereAHeaderIsCertain) {
    EXPECT_EQ(columns_of({"5", "0", "6"}, {.label_column = "0"}).find(ColumnRole::Label), 0U);
    EXPECT_EQ(columns_of({"5", "0", "6"}, {.header = Header::Present, .label_column = "0"}).find(ColumnRole::Label),
              1U);
}

TEST(TableColumns, NamesSayWhatColumnsAre) {
    EXPECT_EQ(columns_of({"word", "a", "label"}, {}, {"x", "1", "c"}).roles,
              (Roles{ColumnRole::Word, coordinate, ColumnRole::Label}));
    EXPECT_EQ(columns_of({"a", "label", "word"}, {}, {"1", "7", "8"}).roles,
              (Roles{coordinate, ColumnRole::Label, ColumnRole::Word}));
    EXPECT_EQ(columns_of({"a", "Class"}, {}, {"1", "x"}).roles, (Roles{coordinate, ColumnRole::Label}));
    EXPECT_EQ(columns_of({"a", "class"}, {}, {"1", "2"}).suspect, 1U);
    EXPECT_EQ(columns_of({"a", "label"}, {.word_column = "label"}, {"1", "x"}).roles,
              (Roles{coordinate, ColumnRole::Word}));
    EXPECT_EQ(columns_of({"id", "a", "index"}, {}, {"1", "1.5", "0.5"}).roles,
              (Roles{ColumnRole::RowId, coordinate, coordinate}));
}

TEST(TableColumns, OptionsNameColumnsAsTheUserWouldType) {
    const TableColumns columns = columns_of({"a", "b c", "7", "a", "", "d"}, {.header = Header::Present});
    EXPECT_EQ(columns.option_value(0), "a");
    EXPECT_EQ(columns.option_value(1), "1") << "a blank";
    EXPECT_EQ(columns.option_value(3), "3") << "the first a is another";
    EXPECT_EQ(columns.option_value(5), "d");
    EXPECT_EQ(columns_of({"1", "2"}).option_value(1), "1");
}

TEST(TableColumns, ColumnsThatAreNotThereAreACallersMistake) {
    const auto message = [](const Fields& first, const ReadOptions& options) {
        return message_of<InvalidArgument>([&] { static_cast<void>(columns_of(first, options)); });
    };
    expect_holds(message({"a", "b"}, {.label_column = "c"}), {"label_column = c", "\"a\", \"b\"", "0 to 1"});
    expect_holds(message({"1", "2"}, {.word_column = "2"}), {"word_column = 2", "0 to 1"});
    expect_holds(message({"a", "b"}, {.skip_columns = {"a", "z"}}), {"skip_column = z", "0 to 1"});
    expect_holds(message({"a", "b"}, {.label_column = "1", .word_column = "b"}), {"word_column = b", "labels"});
    expect_holds(message({"a", "b"}, {.word_column = "1", .skip_columns = {"b"}}), {"skip_column = b", "words"});
    expect_holds(message({"a", "b"}, {.skip_columns = {"b", "1"}}), {"skip_column = 1", "twice"});
    expect_holds(message({"cat", "2"}, {.word_column = "cat"}), {"word_column = cat"});
    expect_holds(message({"a", "b"}, {.header = Header::Absent, .label_column = "a"}), {"label_column = a"});
}

TEST(TableColumns, SomethingMustBeLeftForTheCoordinates) {
    expect_input_error(
        [] {
            static_cast<void>(columns_of({"a", "b"}, {.label_column = "a", .word_column = "b"}));
        },
        {"x", "no column of numbers"});
    expect_input_error(
        [] {
            static_cast<void>(columns_of({"a", "b"}, {}, {"x", "y"}));
        },
        {"x", "no column of numbers"});
}

}  // namespace
}  // namespace isogon::table_columns_test
