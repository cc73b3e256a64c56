#include "common_options.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "quantity.hpp"

namespace isogon::cli {

namespace {

/// Far above any machine of today; keeps a slip of the keyboard from asking for a million threads.
constexpr int most_threads = 4096;

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& options, bool writes) {
    const std::string group = "Running";
    if (writes) {
        app.add_flag("--overwrite", options.overwrite, "Replace an output that exists; without it that is refused")
            ->group(group);
    }
    app.add_flag("--json", options.json,
                 "Print one JSON object on stdout and nothing else; a failure is {\"error\": {\"kind\", \"message\", "
                 "\"exit_code\"}}")
        ->group(group);
    app.add_flag("--quiet", options.quiet, "No progress, log or warnings on stderr; errors still appear")->group(group);
    app.add_option("--threads", options.threads,
                   "Threads to use; default: as many as the machine has. Results do not depend on it")
        ->type_name("N")
        ->group(group);
    app.add_option("--memory-limit", options.memory_limit,
                   "Refuse, before work starts, what needs more: 8G, 500M, 2GiB")
        ->type_name("SIZE")
        ->group(group);
    app.add_option("--time-limit", options.time_limit,
                   "Stop after 90s, 5m or 1h with the best result so far (exit code 5)")
        ->type_name("TIME")
        ->group(group);
}

RunContext make_context(const CommonOptions& options, std::stop_token stop) {
    RunContext context;
    context.stop = std::move(stop);
    if (options.threads) {
        context.threads = static_cast<int>(parse_whole("--threads", *options.threads, 1, most_threads));
    }
    if (options.memory_limit) {
        context.memory_limit = parse_bytes("--memory-limit", *options.memory_limit);
    }
    if (options.time_limit) {
        context.limit_seconds(parse_seconds("--time-limit", *options.time_limit));
    }
    return context;
}

}  // namespace isogon::cli
