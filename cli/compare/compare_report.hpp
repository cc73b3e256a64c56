#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isogon/quality/score.hpp"
#include "isogon/report/chart.hpp"
#include "program/json.hpp"

namespace isogon::cli {

/// A fit, or coordinates from a file, and their score.
struct ComparedRow {
    std::string name;  ///< of its curve
    SeriesRole role = SeriesRole::Other;
    std::int64_t dimension = 0;
    std::optional<Score> score{};     ///< empty: refused
    std::optional<double> seconds{};  ///< of the fit alone, when it was made; empty: not made here
    bool cached = false;              ///< from the cache, where an earlier command left it
    std::string same_as{};            ///< the name under which this command made the same run before
    std::string refused{};
    std::string termination{};
    OptionValues options{};  ///< as used
    std::string file{};      ///< of coordinates from a file
};

/// A measure of rows, and its names.
struct Measure {
    std::string key;    ///< in JSON
    std::string title;  ///< of a chart
    std::string label;  ///< of its axis: up to 40 letters are shown
    std::optional<double> (*of)(const ComparedRow&);
    std::string note{};  ///< below its chart: what is measured
};

/// In the order of the columns: those of score, then the seconds. k-nn accuracy only where a row has it.
[[nodiscard]] std::vector<Measure> measures_of(const std::vector<ComparedRow>& rows);

/// Aligned columns, reasons of refused rows at the end of theirs.
[[nodiscard]] std::string table_text(const std::vector<ComparedRow>& rows);

/// [{"name": ..., "dimension": ..., "measures": {...}, "seconds": ..., "refused": null, ...}, ...]
[[nodiscard]] Json rows_json(const std::vector<ComparedRow>& rows);

/// A curve for each name over the dimension, one chart a measure; and all rows as a table.
[[nodiscard]] std::vector<Chart> charts_of(const std::vector<ComparedRow>& rows);
[[nodiscard]] ChartTable table_of(const std::vector<ComparedRow>& rows);

/// Ours for faithful, Baseline for svd and pca, Other for the rest.
[[nodiscard]] SeriesRole role_of(const std::string& method);

}  // namespace isogon::cli
