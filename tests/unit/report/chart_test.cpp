#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <regex>

#include "isogon/core/error.hpp"
#include "isogon/report/chart.hpp"

namespace isogon::chart_test {

namespace {

TEST(Chart, RolesAndScalesHaveTheNamesOfTheReportsData) {
    EXPECT_STREQ(name(SeriesRole::Ours), "ours");
    EXPECT_STREQ(name(SeriesRole::Published), "published");
    EXPECT_STREQ(name(SeriesRole::Baseline), "baseline");
    EXPECT_STREQ(name(SeriesRole::Other), "other");
    EXPECT_STREQ(name(AxisScale::Linear), "linear");
    EXPECT_STREQ(name(AxisScale::Log), "log");
}

TEST(Chart, AMissingNumberIsAnEmptyCell) {
    EXPECT_EQ(cell_of(2.5), ChartCell(2.5));
    EXPECT_EQ(cell_of({}), ChartCell());
}

Chart example() {
    return {.title = "Angles",
            .x = {"dimensions", AxisScale::Log},
            .y = {"degrees", AxisScale::Linear},
            .series = {{"tsm", SeriesRole::Ours, {{{4, 16}, {8, 6}, {16, 2}}}},
                       {"TSM", SeriesRole::Published, {{{4, 16.2}, {8, 6.3}}}},
                       {"svd", SeriesRole::Baseline, {{{4, 25}, {8, 20}, {16, 14}}}}},
            .note = "read off by eye"};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t number = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++number;
    }
    return number;
}

/// The points of all polylines of a kind, as they are drawn in the plot (below the legend).
std::vector<std::vector<std::array<double, 2>>> curves(const std::string& svg, const std::string& role) {
    std::vector<std::vector<std::array<double, 2>>> found;
    const std::regex line("<polyline class='line " + role + "'[^>]*points='([^']*)'");
    const std::regex pair("([-0-9.]+),([-0-9.]+)");
    for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end; ++it) {
        const std::string points = (*it)[1];
        found.emplace_back();
        for (std::sregex_iterator p(points.begin(), points.end(), pair); p != end; ++p) {
            found.back().push_back({std::atof((*p)[1].str().c_str()), std::atof((*p)[2].str().c_str())});
        }
    }
    return found;
}

TEST(LineChart, EveryPointStandsWhereItsValuesSay) {
    const std::string svg = line_chart(example());
    const auto ours = curves(svg, "ours");
    ASSERT_EQ(ours.size(), 2U);  // the legend's and the plot's
    const auto& places = ours[1];
    ASSERT_EQ(places.size(), 3U);
    EXPECT_NEAR(places[1][0] - places[0][0], places[2][0] - places[1][0], 0.11);  // doublings, on a logarithmic axis
    const double degree = (places[1][1] - places[0][1]) / 10.0;                   // down is positive
    EXPECT_GT(degree, 0.0);
    EXPECT_NEAR(places[2][1] - places[1][1], 4.0 * degree, 0.11);
    const auto baseline = curves(svg, "baseline");
    ASSERT_EQ(baseline.size(), 2U);
    EXPECT_NEAR(baseline[1][0][0], places[0][0], 0.11);
    EXPECT_NEAR(places[0][1] - baseline[1][0][1], 9.0 * degree, 0.2);
}

TEST(LineChart, HasTitleLegendAxesNoteAndWords) {
    const std::string svg = line_chart(example());
    EXPECT_EQ(svg.substr(0, 4), "<svg");
    EXPECT_NE(svg.find("</svg>\n"), std::string::npos);
    for (const char* words : {">Angles<", ">dimensions<", ">degrees<", ">tsm<", ">TSM<", ">svd<", ">read off by eye<",
                              "role='img'", "prefers-color-scheme: dark", ">16<", ">25<"}) {
        EXPECT_NE(svg.find(words), std::string::npos) << words;
    }
    EXPECT_NE(svg.find("<desc>Angles. degrees over dimensions. tsm: 16 at 4, 6 at 8, 2 at 16. TSM (published): 16.2"),
              std::string::npos);
    EXPECT_EQ(svg.find("http", svg.find("2000/svg") + 1), std::string::npos);  // nothing from outside
}

TEST(LineChart, PublishedCurvesHaveTheColourOfOurs) {
    const std::string svg = line_chart(example());
    const std::regex stroke("class='line (ours|published|baseline)' stroke='([^']*)'");
    std::map<std::string, std::string> colours;
    for (std::sregex_iterator it(svg.begin(), svg.end(), stroke), end; it != end; ++it) {
        colours[(*it)[1]] = (*it)[2];
    }
    EXPECT_EQ(colours["ours"], colours["published"]);
    EXPECT_NE(colours["ours"], colours["baseline"]);
}

TEST(LineChart, NoTextIsMarkup) {
    Chart chart = example();
    const std::string hostile = "</title><script>alert(1)</script>''&\x01\xff" + std::string(10000, 'x');
    chart.title = chart.x.label = chart.y.label = chart.note = chart.series[0].name = hostile;
    const std::string svg = line_chart(chart);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(count(svg, "</title>"), 1U);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(LineChart, WhatCannotBeShownIsLeftOut) {
    Chart chart = example();
    const double nan = std::nan("");
    const double infinite = std::numeric_limits<double>::infinity();
    chart.series[0].points = {{{4, 16}, {nan, 3}, {8, nan}, {0, 5}, {-2, 5}, {8, infinite}, {1e308, -1e308}, {16, 2}}};
    const std::string svg = line_chart(chart);
    EXPECT_EQ(curves(svg, "ours")[1].size(), 2U);
    EXPECT_EQ(count(svg.substr(svg.find("</desc>")), "nan"), 0U);
    EXPECT_EQ(count(svg.substr(svg.find("</desc>")), ">inf"), 0U);
    for (const Chart& empty : {Chart{}, Chart{.title = "none", .series = {{"a", SeriesRole::Ours, {}}}}}) {
        EXPECT_NE(line_chart(empty).find("</svg>"), std::string::npos);
    }
}

TEST(LineChart, LongCurvesHaveNoMarkersAndShortWords) {
    Chart chart{.title = "loss", .series = {{"a", SeriesRole::Ours, {}}}};
    for (int i = 0; i < 250; ++i) {
        chart.series[0].points.push_back({static_cast<double>(i), 1.0 / (1.0 + i)});
    }
    const std::string svg = line_chart(chart);
    EXPECT_EQ(count(svg, "<circle"), 1U);  // of the legend
    EXPECT_EQ(chart_in_words(chart), "loss.  over . a: 1 at 0, and so on, 0.004 at 249.");
}

ChartMap example_map() {
    ChartMap map{"four points", Points(4, 2), {{"a", "b"}, {0, 1, 1, 0}}};
    const float places[][2] = {{0, 0}, {10, 0}, {10, 5}, {0, 5}};
    for (Index i = 0; i < 4; ++i) {
        map.coordinates[i][0] = places[i][0];
        map.coordinates[i][1] = places[i][1];
    }
    return map;
}

TEST(MapPicture, EveryPointIsADotOfItsClass) {
    const std::string svg = map_picture(example_map());
    // 420 across for 10, the same scale up, about the middle: y = 40 + 210 -+ 105.
    EXPECT_NE(svg.find("stroke='#4e79a7' d='M16.0,355.0h0M16.0,145.0h0'"), std::string::npos) << svg;
    EXPECT_NE(svg.find("stroke='#f28e2b' d='M436.0,355.0h0M436.0,145.0h0'"), std::string::npos);
    EXPECT_NE(svg.find("<title>four points</title>"), std::string::npos);
    EXPECT_NE(svg.find(">a</text>"), std::string::npos);
}

TEST(MapPicture, AwkwardMapsAreDrawn) {
    EXPECT_NE(map_picture({}).find("</svg>"), std::string::npos);
    ChartMap one = example_map();
    one.coordinates = Points(1, 2);
    one.labels = {};
    one.title = "<script>";
    const std::string svg = map_picture(one);
    EXPECT_NE(svg.find("M226.0,250.0h0"), std::string::npos);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
}

TEST(MapPicture, FarPointsDoNotShrinkTheRest) {
    ChartMap map{"", Points(1000, 2), {}};
    for (Index i = 0; i < 1000; ++i) {
        map.coordinates[i][0] = static_cast<float>(i % 10);
        map.coordinates[i][1] = static_cast<float>(i / 100);
    }
    map.coordinates[0][0] = 1e6F;
    const std::string svg = map_picture(map);
    EXPECT_NE(svg.find("M436.0,"), std::string::npos);  // 9 is the right end
}

TEST(MapPicture, RefusesWhatIsNoMap) {
    const auto refuses = [](auto change) {
        ChartMap map = example_map();
        change(map);
        EXPECT_THROW(static_cast<void>(map_picture(map)), InvalidArgument);
    };
    refuses([](ChartMap& map) { map.coordinates = Points(4, 3); });
    refuses([](ChartMap& map) { map.labels.index.pop_back(); });
    refuses([](ChartMap& map) { map.labels.index[2] = 2; });
    ChartMap bad = example_map();
    bad.coordinates[1][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(map_picture(bad)), InputError);
}

}  // namespace

}  // namespace isogon::chart_test
