#include "compare/compare_plan.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "isogon/core/text.hpp"
#include "isogon/methods/registry.hpp"
#include "program/failure.hpp"
#include "program/quantity.hpp"

namespace isogon::cli {

namespace {

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t cut = text.find(between);
        parts.emplace_back(text.substr(0, cut));
        if (cut == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(cut + 1);
    }
}

const OptionSpec* find(const Method& method, std::string_view name) {
    const auto found = std::find_if(method.options.begin(), method.options.end(),
                                    [&](const OptionSpec& spec) { return spec.name == name; });
    return found == method.options.end() ? nullptr : &*found;
}

/// "recipe=paper" into the contender's options.
void add_option(Contender& contender, const Method& method, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError("--methods " + contender.name + ": " + text +
                         " must be an option of the method and its value, such as tsm:recipe=paper");
    }
    const std::string name = text.substr(0, equals);
    if (name == "dim" || name == "dimension") {
        throw UsageError("--methods " + contender.name + ": the dimensions are those of --dims");
    }
    const OptionSpec* spec = find(method, name);
    if (spec == nullptr) {
        throw InvalidArgument(
            "--methods " + contender.name, name,
            "the method " + method.name + " has no such option; isogon methods " + method.name + " lists them");
    }
    OptionSpec named = *spec;
    named.name = "--methods " + method.name + ":" + name + "=";
    if (!contender.options.emplace(name, parse_option(named, text.substr(equals + 1))).second) {
        throw UsageError("--methods " + contender.name + ": " + name + " is there twice");
    }
}

/// Whether a threshold for all has a meaning here.
bool takes_threshold(const Contender& contender, const Method& method) {
    if (find(method, "graph") == nullptr) {
        return find(method, "threshold") != nullptr;
    }
    const auto graph = contender.options.find("graph");
    return graph != contender.options.end() && to_text(graph->second) == "tsm";
}

/// Throws InvalidArgument that names the flag, and those that can be compared.
const Method& comparable_method(const std::string& name, const std::string& text) {
    std::string names;
    std::vector<std::string> known;
    for (const auto& method : methods()) {
        if (method.name == name) {
            return method;
        }
        if (find(method, "dimension") != nullptr) {
            known.push_back(method.name);
            names += (names.empty() ? "" : ", ") + method.name;
        }
    }
    throw InvalidArgument("--methods", text,
                          (name.empty() ? "a name is missing; each" : "no method is called " + name + "; each") +
                              std::string(" must be one of ") + names + did_you_mean(name, known));
}

Contender parse_contender(const std::string& text, const std::string& all) {
    const std::vector<std::string> parts = split(text, ':');
    const Method& method = comparable_method(parts.front(), all);
    if (find(method, "dimension") == nullptr) {
        throw InvalidArgument("--methods", text, "has no dimension to vary; leave it out");
    }
    Contender contender{text, method.name, {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        add_option(contender, method, parts[i]);
    }
    try {
        require_effect(method.options, contender.options);
    } catch (const InvalidArgument& error) {
        const std::string rest = std::string(error.what()).substr((error.field() + " = ").size());
        throw UsageError("--methods " + method.name + ":" + error.field() + "=" + rest);
    }
    return contender;
}

}  // namespace

std::vector<Contender> parse_contenders(const std::string& text, std::optional<std::int64_t> seed,
                                        std::optional<double> threshold) {
    std::vector<Contender> contenders;
    for (const auto& part : split(text, ',')) {
        Contender contender = parse_contender(part, text);
        const Method& method = find_method(contender.method);
        if (std::any_of(contenders.begin(), contenders.end(),
                        [&](const Contender& other) { return other.name == contender.name; })) {
            throw UsageError("--methods " + text + ": " + contender.name + " is there twice");
        }
        if (seed && find(method, "seed") != nullptr) {
            contender.options.emplace("seed", *seed);
        }
        if (threshold && takes_threshold(contender, method)) {
            contender.options.emplace("threshold", *threshold);
        }
        contenders.push_back(std::move(contender));
    }
    return contenders;
}

std::vector<std::int64_t> parse_dimensions(const std::string& flag, const std::string& text) {
    std::vector<std::int64_t> dimensions;
    for (const auto& part : split(text, ',')) {
        dimensions.push_back(parse_whole(flag, part, 1, std::numeric_limits<std::int32_t>::max()));
        if (std::count(dimensions.begin(), dimensions.end(), dimensions.back()) > 1) {
            throw InvalidArgument(flag, text, part + " is there twice; leave one out");
        }
    }
    return dimensions;
}

FitRequest fit_of(const Contender& contender, std::int64_t dimension) {
    FitRequest wanted{contender.method, contender.options};
    wanted.options["dimension"] = dimension;
    return wanted;
}

}  // namespace isogon::cli
