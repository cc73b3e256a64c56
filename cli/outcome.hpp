#pragma once
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "json.hpp"

namespace isogon::cli {

/// What a verb hands to main: the same result for programs and for people, and how the program should end.
struct Outcome {
    Json json;
    std::string text;                   ///< whole lines; empty when there is nothing to tell
    std::vector<std::string> warnings;  ///< for stderr, unless --quiet
    ExitCode code = ExitCode::Ok;
    std::vector<std::string> mistakes;  ///< for stderr, one a line before the failure
    std::string failure;                ///< with a code other than Ok: the sentence for stderr
};

}  // namespace isogon::cli
