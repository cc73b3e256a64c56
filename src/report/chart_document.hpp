#pragma once
// Charts, tables and maps: what they are made of, and the document of them that a page shows.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/report/report.hpp"

namespace isogon {

/// The origin of a curve's numbers, which determines its style.
enum class SeriesRole { Ours, Baseline, Other };

/// "ours", "baseline", "other"
[[nodiscard]] constexpr const char* name(SeriesRole role) {
    switch (role) {
        case SeriesRole::Ours: return "ours";
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
    std::optional<std::array<double, 2>> range{};  ///< shown at least: the same in charts that are compared
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

/// Which numbers of a column are best.
enum class Best { None, Lowest, Highest };

struct ChartTable {
    std::string title{};
    std::vector<std::string> columns{};
    std::vector<std::vector<ChartCell>> rows{};  ///< each with a cell for every column
    std::string note{};                          ///< empty: none
    std::vector<Best> best{};                    ///< empty, or one a column
    std::vector<ChartCell> chance{};             ///< empty, or what chance would give, a cell for every column
};

/// Points in the plane, with the classes that colour them.
struct ChartMap {
    std::string title{};
    Points coordinates{};  ///< two numbers each
    Classes labels{};      ///< empty, or one a point
};

/// The contents of a report of kind "charts".
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

}  // namespace isogon
