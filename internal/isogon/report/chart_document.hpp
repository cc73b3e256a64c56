#pragma once
#include <string>
#include <vector>

#include "isogon/report/chart.hpp"
#include "isogon/report/report.hpp"

namespace isogon {

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
