#include "program/exit_code.hpp"

namespace isogon::cli {

ExitCode exit_code(Termination termination) {
    switch (termination) {
        case Termination::TimeLimit: return ExitCode::OverLimit;
        case Termination::Cancelled: return ExitCode::Interrupted;
        default: return ExitCode::Ok;
    }
}

ExitCode exit_code(const Summary& summary, bool any) {
    const ExitCode code = exit_code(summary.termination);
    return !summary.usable() || (code == ExitCode::Ok && !any) ? ExitCode::Unusable : code;
}

std::string failure_text(ExitCode code, const std::string& written, const Summary& summary) {
    const std::string saved = written.empty() ? "nothing was written" : "the best result so far is in " + written;
    switch (code) {
        case ExitCode::OverLimit: return "stopped by --time-limit; " + saved + "; " + summary.message;
        case ExitCode::Interrupted: return "interrupted; " + saved + "; " + summary.message;
        default: return "no usable result, " + saved + ": " + summary.message;
    }
}

}  // namespace isogon::cli
