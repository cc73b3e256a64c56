#include "report/chart_document.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon::chart_document_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

ChartDocument example() {
    ChartDocument document;
    document.title = "Comparison";
    document.made = {.program = "isogon 0", .date = "2026-11-22T05:00:00Z", .seconds = 1.5};
    document.notes = {"a note"};
    document.tables = {{"scores", {"method", "d", "jaccard"}, {{"svd", 4.0, 0.25}, {"tsm", 4.0, {}}}, "of 10 points"}};
    document.charts = {{"Jaccard",
                        {"dimensions", AxisScale::Log},
                        {"index", AxisScale::Linear},
                        {{"svd", SeriesRole::Baseline, {{{4.0, 0.25}, {8.0, infinite}}}},
                         {"tsm", SeriesRole::Ours, {}},
                         {"map", SeriesRole::Other, {}}},
                        ""}};
    return document;
}

TEST(ChartDocument, IsTheJsonThatThePageReads) {
    EXPECT_EQ(
        chart_document(example()),
        R"({"format":"isogon-report","version":1,"kind":"charts","title":"Comparison",)"
        R"("made":{"program":"isogon 0","date":"2026-11-22T05:00:00Z","seconds":1.5},"warnings":[],"notes":["a note"],)"
        R"("tables":[{"title":"scores","columns":["method","d","jaccard"],)"
        R"("rows":[["svd",4,0.25],["tsm",4,null]],"note":"of 10 points"}],)"
        R"("charts":[{"title":"Jaccard","x":{"label":"dimensions","scale":"log"},)"
        R"("y":{"label":"index","scale":"linear"},)"
        R"("series":[{"name":"svd","role":"baseline","points":[[4,0.25]]},{"name":"tsm","role":"ours","points":[]},)"
        R"({"name":"map","role":"other","points":[]}],"note":null}],"maps":null})");
}

TEST(ChartDocument, RangesAndTheBestAreThereIfTheyAreGiven) {
    ChartDocument document = example();
    document.charts[0].x.range = {2.0, 64.0};
    document.tables[0].best = {Best::None, Best::Lowest, Best::Highest};
    document.tables[0].chance = {std::string("chance"), {}, 0.5};
    const std::string json = chart_document(document);
    EXPECT_NE(json.find(R"("x":{"label":"dimensions","scale":"log","range":[2,64]})"), std::string::npos);
    EXPECT_NE(json.find(R"("best":[null,"low","high"],"chance":["chance",null,0.5],"note":"of 10 points")"),
              std::string::npos);
}

TEST(ChartDocument, AMapIsItsCoordinatesAndClasses) {
    ChartDocument document;
    document.maps = {{"plain", Points(3, 2), {}}, {"classes", Points(3, 2), {{"a", "b"}, {0, 1, 1}}}};
    const std::string json = chart_document(document);
    EXPECT_NE(json.find(R"("maps":[{"title":"plain","coordinates":{"type":"uint16","shape":[3,2],)"),
              std::string::npos);
    EXPECT_NE(json.find(R"("labels":null},{"title":"classes",)"), std::string::npos);
    EXPECT_NE(json.find(R"("labels":{"names":["a","b"],"index":{"type":"uint8","shape":[3],)"), std::string::npos);
    document.maps[0].coordinates = Points(3, 3);
    EXPECT_THROW(static_cast<void>(chart_document(document)), InvalidArgument);
}

TEST(ChartDocument, AMissingNumberIsAnEmptyCell) {
    EXPECT_EQ(cell_of(2.5), ChartCell(2.5));
    EXPECT_EQ(cell_of({}), ChartCell());
}

}  // namespace
}  // namespace isogon::chart_document_test
