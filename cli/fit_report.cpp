#include "fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quantity.hpp"

namespace isogon::cli {

namespace {

/// The first few: svd alone has a singular value for each dimension.
std::string numbers_text(const Summary& summary) {
    constexpr std::size_t most = 12;
    auto numbers = summary.counts;
    numbers.insert(numbers.end(), summary.measures.begin(), summary.measures.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) {
        text += fmt::format("  {:<28} {:.6g}\n", numbers[i].first, numbers[i].second);
    }
    return numbers.size() <= most ? text : text + fmt::format("  and {} more in --json\n", numbers.size() - most);
}

}  // namespace

std::string phases_text(const Summary& summary) {
    std::string text;
    for (const auto& [phase, seconds] : summary.seconds) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, human_seconds(seconds));
    }
    return text.empty() ? text : " (" + text + ")";
}

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

std::string result_text(const FitReport& report, const Summary& summary, const Session& session) {
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {}\n", report.output, report.points,
                                   report.dimension, report.input_dimension, report.method);
    text += fmt::format("{}: {}\n", name(summary.termination), summary.message);
    text += fmt::format("{}{}, {} threads, seed {}, peak memory {}\n", human_seconds(session.seconds()),
                        phases_text(summary), summary.threads, summary.seed, human_bytes(peak_memory_bytes()));
    text += numbers_text(summary);
    return text;
}

}  // namespace isogon::cli
