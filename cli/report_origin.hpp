#pragma once
#include "isogon/report/report.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Program, date (UTC), command line, machine, memory and seconds of this run so far.
[[nodiscard]] ReportOrigin report_origin(const Session& session);

}  // namespace isogon::cli
