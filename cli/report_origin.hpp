#pragma once
#include <string>

#include "isogon/report/chart_document.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Program, date (UTC), command line, machine, memory and seconds of this run so far.
[[nodiscard]] ChartOrigin report_origin(const Session& session);

/// "2 cores, AMD EPYC 7B13"
[[nodiscard]] std::string machine_text();

}  // namespace isogon::cli
