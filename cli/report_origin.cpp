#include "report_origin.hpp"

#include "machine.hpp"

namespace isogon::cli {

ReportOrigin report_origin(const Session& session) {
    return {.program = "isogon " ISOGON_VERSION,
            .date = date_text(),
            .command = session.command(),
            .machine = machine_text(),
            .memory_bytes = peak_memory_bytes(),
            .seconds = session.seconds()};
}

}  // namespace isogon::cli
