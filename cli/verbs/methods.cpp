#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "decomposition/decompose.hpp"
#include "isogon/registry/registry.hpp"
#include "program/option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

constexpr const char* defaults_fit =
    "Defaults fit small data: --dim is at most the numbers of a point and one fewer than there are points, "
    "--neighbors\n"
    "at most all other points. What is given is taken as it is, or refused.";

Json method_json(const Method& method) {
    return {{"name", method.name},
            {"title", method.title},
            {"source", method.source},
            {"options", cli::to_json(method.options)}};
}

Outcome describe_one(const Method& method) {
    Outcome outcome;
    outcome.text = fmt::format("{}: {}\nSource: {}\n\nOptions:\n{}\n{}\n", method.name, method.title, method.source,
                               options_text(method.options), defaults_fit);
    outcome.json = method_json(method);
    return outcome;
}

Outcome list_all() {
    Outcome outcome;
    Json list = Json::array();
    for (const auto& method : methods()) {
        outcome.text += fmt::format("{:<12} {}\n", method.name, method.title);
        list.push_back(method_json(method));
    }
    outcome.text += "isogon methods NAME shows options and source\n";
    // Verbs with options like a method's, for scripts/method_options.
    const Json decompose{{"name", "decompose"}, {"options", cli::to_json(decompose_option_table().specs())}};
    outcome.json = {{"methods", list}, {"verbs", Json::array({decompose})}};
    return outcome;
}

}  // namespace

Command add_methods(CLI::App& app) {
    const auto name = std::make_shared<std::string>();
    app.add_option("NAME", *name, "Show the options and the source of this method");
    app.footer(
        "Examples:\n"
        "  isogon methods\n"
        "  isogon methods tsm\n"
        "  isogon methods --json");
    return [name](Session&) { return name->empty() ? list_all() : describe_one(find_method(*name)); };
}

}  // namespace isogon::cli
