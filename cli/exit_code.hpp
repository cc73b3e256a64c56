#pragma once

namespace isogon::cli {

/// What the program returns; scripts rely on these numbers.
enum class ExitCode {
    Ok = 0,
    Unusable = 1,      ///< the run ended without a result that can be used, or the result could not be written
    Usage = 2,         ///< bad options, or an output that exists or cannot be written, found before work starts
    BadInput = 3,      ///< the input files
    OverLimit = 5,     ///< memory or time
    Interrupted = 130  ///< Ctrl-C: 128 + SIGINT, as shells count
};

}  // namespace isogon::cli
