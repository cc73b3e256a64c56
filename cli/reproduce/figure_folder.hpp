#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "isogon/report/chart_document.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Before work starts: throws UsageError if the folder of a figure could not be written, or holds something and
/// --overwrite is not given. The folder that it is to be in must be there. Makes nothing.
void require_figure_folder(const std::filesystem::path& folder, const Session& session);

/// Writes a figure: data.json, report.html, each table as .csv, each chart and map as .svg and .csv. All of them are
/// written aside first, so that a full disk leaves the folder as it was; then they take their places, and what an
/// earlier one of the figure has left (chart-9.svg) goes. Files of other names stay. Returns their names with the
/// folder. Throws OutputError.
[[nodiscard]] std::vector<std::string> write_figure_folder(const std::filesystem::path& folder,
                                                           const ChartDocument& document, Session& session);

}  // namespace isogon::cli
