#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/report/chart.hpp"

namespace isogon {

/// Where a report comes from. Empty texts and missing numbers are not known, and left out.
struct ChartOrigin {
    std::string program{};  ///< "isogon 0.1.0"
    std::string date{};     ///< "2026-11-22T05:00:00Z"
    std::string command{};
    std::string machine{};  ///< "2 cores, AMD EPYC"
    std::optional<double> memory_bytes{};
    std::optional<double> seconds{};
};

/// What a report of kind "charts" shows.
struct ChartDocument {
    std::string title{};
    ChartOrigin made{};
    std::vector<std::string> warnings{};  ///< plain sentences
    std::vector<std::string> notes{};     ///< likewise
    std::vector<ChartTable> tables{};
    std::vector<Chart> charts{};
    std::vector<ChartMap> maps{};
};

/// The document as the JSON that the report's page reads (docs/report_data.md, kind "charts"), in one line. Every '<'
/// is written \u003c, and U+2028 and U+2029 are escaped, so that no text in it can end the element of the page that
/// holds it; bytes that are not UTF-8 become U+FFFD; numbers that are not finite become null, and points of a curve
/// with one are left out. The same bytes for the same document. O(its size).
[[nodiscard]] std::string chart_document(const ChartDocument& document);

/// A table as comma-separated values: a line of columns, then its rows; numbers to all digits; texts in quotes where
/// they hold a comma, a quote or a line end.
[[nodiscard]] std::string table_csv(const ChartTable& table);

}  // namespace isogon
