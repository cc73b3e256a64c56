#pragma once
#include <string>

#include "exit_code.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/core/types.hpp"
#include "session.hpp"

namespace isogon::cli {

/// How a fit went, for people: what embed says of it, however its points were held.
struct FitReport {
    std::string output;  ///< the file
    std::string method;
    Index points = 0;
    Index dimension = 0;
    Index input_dimension = 0;
};

/// How the program ends after a run that only its context ends early.
[[nodiscard]] ExitCode exit_code(Termination termination);
/// " (weights 3.1 s, solution 0.5 s)", or nothing.
[[nodiscard]] std::string phases_text(const Summary& summary);

/// How the program ends after a fit; `any` tells whether there is a result at all.
[[nodiscard]] ExitCode exit_code(const Summary& summary, bool any);

/// The sentence for stderr that belongs to it. `written` is the file that holds the best result so far, or empty.
[[nodiscard]] std::string failure_text(ExitCode code, const std::string& written, const Summary& summary);

[[nodiscard]] std::string result_text(const FitReport& report, const Summary& summary, const Session& session);

}  // namespace isogon::cli
