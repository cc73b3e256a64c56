#include "compare/compare_plan.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "isogon/core/error.hpp"
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

/// Adds "recipe=paper" to the options of the variant.
void add_option(MethodVariant& variant, const Method& method, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError("--methods " + variant.name + ": " + text +
                         " must be an option of the method and its value, such as tsm:recipe=paper");
    }
    const std::string name = text.substr(0, equals);
    if (name == "dim" || name == "dimension") {
        throw UsageError("--methods " + variant.name + ": the dimensions are those of --dims");
    }
    const OptionSpec* spec = find(method, name);
    if (spec == nullptr) {
        throw InvalidArgument(
            "--methods " + variant.name, name,
            "the method " + method.name + " has no such option; isogon methods " + method.name + " lists them");
    }
    OptionSpec named = *spec;
    named.name = "--methods " + method.name + ":" + name + "=";
    if (!variant.options.emplace(name, parse_option(named, text.substr(equals + 1))).second) {
        throw UsageError("--methods " + variant.name + ": " + name + " is there twice");
    }
}

/// Whether a common threshold has an effect on this variant.
bool takes_threshold(const MethodVariant& variant, const Method& method) {
    if (find(method, "graph") == nullptr) {
        return find(method, "threshold") != nullptr;
    }
    const auto graph = variant.options.find("graph");
    return graph != variant.options.end() && to_text(graph->second) == "tsm";
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

MethodVariant parse_variant(const std::string& text, const std::string& all) {
    const std::vector<std::string> parts = split(text, ':');
    const Method& method = comparable_method(parts.front(), all);
    if (find(method, "dimension") == nullptr) {
        throw InvalidArgument("--methods", text, "has no dimension to vary; leave it out");
    }
    MethodVariant variant{text, method.name, {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        add_option(variant, method, parts[i]);
    }
    try {
        require_effect(method.options, variant.options);
    } catch (const InvalidArgument& error) {
        const std::string rest = std::string(error.what()).substr((error.field() + " = ").size());
        throw UsageError("--methods " + method.name + ":" + error.field() + "=" + rest);
    }
    return variant;
}

}  // namespace

std::vector<MethodVariant> parse_variants(const std::string& text, std::optional<std::int64_t> seed,
                                          std::optional<double> threshold) {
    std::vector<MethodVariant> variants;
    for (const auto& part : split(text, ',')) {
        MethodVariant variant = parse_variant(part, text);
        const Method& method = find_method(variant.method);
        if (std::any_of(variants.begin(), variants.end(),
                        [&](const MethodVariant& other) { return other.name == variant.name; })) {
            throw UsageError("--methods " + text + ": " + variant.name + " is there twice");
        }
        if (seed && find(method, "seed") != nullptr) {
            variant.options.emplace("seed", *seed);
        }
        if (threshold && takes_threshold(variant, method)) {
            variant.options.emplace("threshold", *threshold);
        }
        variants.push_back(std::move(variant));
    }
    return variants;
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

FitRequest fit_of(const MethodVariant& variant, std::int64_t dimension) {
    FitRequest wanted{variant.method, variant.options};
    wanted.options["dimension"] = dimension;
    return wanted;
}

}  // namespace isogon::cli
