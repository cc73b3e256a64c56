#include "isogon/report/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <regex>

namespace isogon::line_chart_test {
namespace {

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

}  // namespace
}  // namespace isogon::line_chart_test
