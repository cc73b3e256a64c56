#pragma once
#include <string>

#include "isogon/report/report.hpp"

namespace isogon::cli {

/// The run that a result of `isogon embed --json` tells of. Throws InputError for any other file.
[[nodiscard]] ReportRun read_result(const std::string& path);

}  // namespace isogon::cli
