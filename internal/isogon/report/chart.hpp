#pragma once
// Charts, tables and maps: what they are made of, each as a file by itself, and the document that a page shows.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/report/report.hpp"

namespace isogon {

/// The origin of a curve's numbers, which determines its style.
enum class SeriesRole { Ours, Published, Baseline, Other };

/// "ours", "published", "baseline", "other"
[[nodiscard]] constexpr const char* name(SeriesRole role) {
    switch (role) {
        case SeriesRole::Ours: return "ours";
        case SeriesRole::Published: return "published";
        case SeriesRole::Baseline: return "baseline";
        default: return "other";
    }
}

enum class AxisScale { Linear, Log };

/// "linear", "log"
[[nodiscard]] constexpr const char* name(AxisScale scale) {
    return scale == AxisScale::Log ? "log" : "linear";
}

struct ChartAxis {
    std::string label{};
    AxisScale scale = AxisScale::Linear;
};

/// A curve through its points, in their order. A point that the axes cannot show (not finite; not above zero on a
/// logarithmic one) is omitted.
struct ChartSeries {
    std::string name{};
    SeriesRole role = SeriesRole::Ours;
    std::vector<std::array<double, 2>> points{};
};

struct Chart {
    std::string title{};
    ChartAxis x{};
    ChartAxis y{};
    std::vector<ChartSeries> series{};
    std::string note{};  ///< empty: none
};

/// Nothing, a number or a text.
using ChartCell = std::variant<std::monostate, double, std::string>;

/// A number that may be missing.
[[nodiscard]] inline ChartCell cell_of(const std::optional<double>& number) {
    ChartCell cell;
    if (number) {
        cell = *number;
    }
    return cell;
}

struct ChartTable {
    std::string title{};
    std::vector<std::string> columns{};
    std::vector<std::vector<ChartCell>> rows{};  ///< each with a cell for every column
    std::string note{};                          ///< empty: none
};

/// Points in the plane, with the classes that colour them.
struct ChartMap {
    std::string title{};
    Points coordinates{};  ///< two numbers each
    Classes labels{};      ///< empty, or one a point
};

/// A chart as an SVG file by itself: title, legend, axes with ticks, curves with markers, the note below. Ours are
/// lines with filled dots, published ones dashed with rings in the colours of ours in the same order, baselines grey.
/// Colours that are distinguishable for the colour-blind (Okabe and Ito 2008), for light and dark pages; <title> and
/// <desc> describe the content for screen readers. No text of the chart, whatever its bytes, is markup. The same bytes
/// for the same chart. O(points).
[[nodiscard]] std::string line_chart(const Chart& chart);

/// The chart as text: its title, and the name and points of every series; of a series with many points the ends only.
[[nodiscard]] std::string chart_in_words(const Chart& chart);

/// A map as an SVG file by itself: every point a dot in the colour of its class, with a legend of up to 12 classes. The
/// farthest hundredth of the points may lie outside. Both axes have one scale. <title> and <desc> describe the content;
/// no text is markup. Throws InvalidArgument unless the points have two numbers, which are finite, and a class for each
/// of them or none, below the number of names. O(n log n); some 10 bytes a point.
[[nodiscard]] std::string map_picture(const ChartMap& map);

/// What a report of kind "charts" shows.
struct ChartDocument {
    std::string title{};
    ReportOrigin made{};
    std::vector<std::string> warnings{};  ///< plain sentences
    std::vector<std::string> notes{};     ///< likewise
    std::vector<ChartTable> tables{};
    std::vector<Chart> charts{};
    std::vector<ChartMap> maps{};
};

/// The document as the JSON that the report's page reads (docs/report_data.md, kind "charts"), in one line. Numbers
/// that are not finite become null, and points of a curve with one are omitted; no text can end the element of the page
/// that holds it, and bytes that are not UTF-8 become U+FFFD. The same bytes for the same document. Throws
/// InvalidArgument for a map of other than two numbers a point. O(its size).
[[nodiscard]] std::string chart_document(const ChartDocument& document);

/// A table as comma-separated values: a line of columns, then its rows; numbers to all digits; texts in quotes where
/// they hold a comma, a quote or a line end.
[[nodiscard]] std::string table_csv(const ChartTable& table);

}  // namespace isogon
