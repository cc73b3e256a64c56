#pragma once
#include <functional>
#include <string>
#include <vector>

#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Result of a verb: JSON for programs, text for people, and the exit code.
struct Outcome {
    Json json;
    std::string text;                   ///< complete lines; may be empty
    std::vector<std::string> warnings;  ///< for stderr, unless --quiet
    ExitCode code = ExitCode::Ok;
    std::string failure;  ///< message for stderr if the code is not Ok
    std::string written;  ///< the file of the result, if it has been written
};

/// Sets code, failure and warnings as a run has ended; `any`: whether there is a result at all.
void set_end(Outcome& outcome, const Summary& summary, bool any);

/// Runs a verb whose flags have been parsed. Throws what describe_current_exception() classifies.
using Command = std::function<Outcome(Session&)>;

/// Each adds the flags and the help of one verb to `app`, and returns what runs it.
Command add_embed(CLI::App& app);
Command add_transform(CLI::App& app);
Command add_extend(CLI::App& app);
Command add_decompose(CLI::App& app);
Command add_reconstruct(CLI::App& app);
Command add_score(CLI::App& app);
Command add_report(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_neighbors(CLI::App& app);
Command add_quantize(CLI::App& app);
Command add_threshold(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_convert(CLI::App& app);
Command add_info(CLI::App& app);
Command add_methods(CLI::App& app);

}  // namespace isogon::cli
