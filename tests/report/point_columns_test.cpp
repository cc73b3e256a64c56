#include "report/point_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/report_data.hpp"

namespace isogon::point_columns_test {

namespace {

using support::Json;

constexpr double day = 86400.0;

Json written(const std::vector<PointColumn>& columns) {
    JsonWriter json;
    json.begin_object();
    write_columns(json, columns);
    json.end_object();
    return Json::parse(json.json())["columns"];
}

Json written(const std::vector<std::string>& values) {
    return written(std::vector<PointColumn>{{"c", values}})[0];
}

Json names_of(const Json& column) {
    return Json::parse(support::unpacked(support::from_base64(column["names"]["gzip"].get<std::string>())));
}

TEST(PointColumns, DatesAreSecondsSince1970) {
    EXPECT_EQ(parse_date("1970-01-01"), 0.0);
    EXPECT_EQ(parse_date("2000-03-01"), 11017 * day);
    EXPECT_EQ(parse_date("1969-12-31T23:59:59.5Z"), -0.5);
    EXPECT_EQ(parse_date("1970-01-02 01:30"), day + 5400.0);
    EXPECT_EQ(parse_date("1970-01-02T00:00:00+02:00"), day - 7200.0);
    EXPECT_EQ(parse_date("1970-01-02T00:00-0130"), day + 5400.0);
}

TEST(PointColumns, WhatIsNoDateIsNone) {
    for (const char* text :
         {"", "1970", "1970-02-30", "1970-13-01", "70-01-01", "1970-1-1", "1970-01-01x", "1970/01/01", "1970-01-01T",
          "1970-01-01T24:00", "1970-01-01T10:60", "1970-01-01 10:00:00.", "1970-01-01T10:00+2", "19700101"}) {
        EXPECT_EQ(parse_date(text), std::nullopt) << text;
    }
}

TEST(PointColumns, NumbersAreThoseThatGiveTheirTextBack) {
    EXPECT_EQ(parse_fact("1.5e3"), 1500.0);
    EXPECT_EQ(parse_fact("-0.25"), -0.25);
    EXPECT_EQ(parse_fact("+7"), 7.0);
    EXPECT_EQ(parse_fact("0"), 0.0);
    for (const char* text : {"", "-", "007", "-01", "12345678901234567890", "1,5", "5%", "1e999", "0x10", "1 2"}) {
        EXPECT_EQ(parse_fact(text), std::nullopt) << text;
    }
}

TEST(PointColumns, AreOfNumbersOrDatesWhereAllKnownValuesAre) {
    const Json numbers = written(std::vector<std::string>{"1", "", "2.5", "inf"});
    EXPECT_EQ(numbers["kind"], "number");
    const std::vector<double> values = support::numbers(numbers["values"]);
    EXPECT_EQ(values[2], 2.5);
    EXPECT_TRUE(std::isnan(values[1]) && std::isnan(values[3]));
    const Json dates = written(std::vector<std::string>{"1970-01-02", ""});
    EXPECT_EQ(dates["kind"], "date");
    EXPECT_EQ(support::numbers(dates["values"])[0], day);
    EXPECT_EQ(written(std::vector<std::string>{"1", "1970-01-02"})["kind"], "text");
    EXPECT_EQ(written(std::vector<std::string>{"1", "one"})["kind"], "text");
}

TEST(PointColumns, TextsAreNamesAndPlacesAmongThem) {
    const Json column = written(std::vector<std::string>{"b", "", "a", "b"});
    EXPECT_EQ(names_of(column), Json::parse(R"(["a","b"])"));
    EXPECT_EQ(support::numbers(column["index"]), (std::vector<double>{1, 2, 0, 1}));
    std::vector<std::string> many(300);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = std::to_string(i) + "x";
    }
    EXPECT_EQ(written(many)["index"]["type"], "uint16");
}

TEST(PointColumns, WithoutAValueAreOmitted) {
    const std::vector<PointColumn> columns{{"none", {"", ""}}, {"some", {"x", ""}}};
    EXPECT_EQ(written(columns).size(), 1U);
    EXPECT_EQ(written(columns)[0]["name"], "some");
    EXPECT_EQ(empty_columns(columns), std::vector<std::string_view>{"none"});
    EXPECT_TRUE(written(std::vector<PointColumn>{}).is_null());
}

TEST(PointColumns, RowsAreChosen) {
    const std::vector<PointColumn> columns{{"c", {"x", "y", "z"}}};
    const std::vector<std::uint32_t> chosen{2, 0};
    EXPECT_EQ(chosen_rows(columns, chosen)[0].values, (std::vector<std::string>{"z", "x"}));
}

}  // namespace

}  // namespace isogon::point_columns_test
