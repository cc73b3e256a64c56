#pragma once
#include <optional>
#include <string>

#include "cli11_types.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon::cli {

/// What every verb takes, as the command line spells it.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    bool overwrite = false;              ///< verbs that write only
    std::optional<std::string> threads;  ///< empty: as many as the machine has
    std::optional<std::string> memory_limit;
    std::optional<std::string> time_limit;
    std::string command;  ///< the whole command, for reports
};

void add_common_options(CLI::App& app, CommonOptions& options, bool writes);

/// Throws InvalidArgument for a bad number. The time limit counts from this call.
[[nodiscard]] RunContext make_context(const CommonOptions& options, std::stop_token stop);

}  // namespace isogon::cli
