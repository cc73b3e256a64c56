#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "isogon/report/chart.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Checks before work starts: throws UsageError if the folder of a figure cannot be written, or is not empty without
/// --overwrite. Its parent folder must exist. Creates nothing.
void require_figure_folder(const std::filesystem::path& folder, const Session& session);

/// Writes a figure: data.json, report.html, each table as .csv, each chart and map as .svg and .csv. All files are
/// first written to a temporary folder, so that a full disk leaves the folder unchanged; then they are moved, and files
/// of an earlier version of the figure (chart-9.svg) are removed. Other files stay. Returns the paths. Throws
/// OutputError.
[[nodiscard]] std::vector<std::string> write_figure_folder(const std::filesystem::path& folder,
                                                           const ChartDocument& document, Session& session);

}  // namespace isogon::cli
