#pragma once
#include <array>
#include <string>

#include "isogon/core/summary.hpp"

namespace isogon::cli {

/// What the program returns; scripts rely on these numbers. docs/exit_codes.md tells more, and is tested.
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

/// All of them, as the help of every verb tells them.
inline constexpr std::array exit_codes{ExitCodeMeaning{ExitCode::Ok, "done"},
                                       ExitCodeMeaning{ExitCode::Unusable, "no usable result or not written"},
                                       ExitCodeMeaning{ExitCode::Usage, "usage"},
                                       ExitCodeMeaning{ExitCode::BadInput, "bad input"},
                                       ExitCodeMeaning{ExitCode::OverLimit, "over a limit"},
                                       ExitCodeMeaning{ExitCode::Interrupted, "interrupted"}};

/// How the program ends after a run that only its context ends early.
[[nodiscard]] ExitCode exit_code(Termination termination);

/// How the program ends after a fit; `any` tells whether there is a result at all.
[[nodiscard]] ExitCode exit_code(const Summary& summary, bool any);

/// The sentence for stderr that belongs to it. `written` is the file that holds the best result so far, or empty.
[[nodiscard]] std::string failure_text(ExitCode code, const std::string& written, const Summary& summary);

}  // namespace isogon::cli
