#pragma once
#include <array>
#include <string>

#include "isogon/core/summary.hpp"

namespace isogon::cli {

/// Exit codes of the program; scripts rely on these numbers. Described in docs/exit_codes.md, which is tested.
enum class ExitCode {
    Ok = 0,
    Unusable = 1,      ///< the run ended without a result that can be used, or the result could not be written
    Usage = 2,         ///< bad options, or an output that exists or cannot be written, found before work starts
    BadInput = 3,      ///< the input files
    OverLimit = 5,     ///< memory or time
    Interrupted = 130  ///< Ctrl-C: 128 + SIGINT, as shells count
};

struct ExitCodeMeaning {
    ExitCode code;
    const char* meaning;
};

/// All codes, as the help of every verb lists them.
inline constexpr std::array exit_codes{ExitCodeMeaning{ExitCode::Ok, "done"},
                                       ExitCodeMeaning{ExitCode::Unusable, "no usable result or not written"},
                                       ExitCodeMeaning{ExitCode::Usage, "usage"},
                                       ExitCodeMeaning{ExitCode::BadInput, "bad input"},
                                       ExitCodeMeaning{ExitCode::OverLimit, "over a limit"},
                                       ExitCodeMeaning{ExitCode::Interrupted, "interrupted"}};

/// Exit code of a run that only its context can end early.
[[nodiscard]] ExitCode exit_code(Termination termination);

/// Exit code after a fit; `any`: whether there is a result at all.
[[nodiscard]] ExitCode exit_code(const Summary& summary, bool any);

/// The message for stderr with that code. `written`: the file that holds the best result so far, or empty.
[[nodiscard]] std::string failure_text(ExitCode code, const std::string& written, const Summary& summary);

}  // namespace isogon::cli
