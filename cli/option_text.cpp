#include "option_text.hpp"

#include <fmt/format.h>

namespace isogon::cli {

namespace {

std::string bounds_text(const OptionSpec& spec) {
    std::string text;
    if (spec.minimum) {
        text = (spec.open ? "above " : "at least ") + to_text(*spec.minimum);
    }
    if (spec.maximum) {
        text += (text.empty() ? "" : " and ") + std::string(spec.open ? "below " : "at most ") + to_text(*spec.maximum);
    }
    return text;
}

std::string choices_text(const std::vector<std::string>& choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool last = i + 1 == choices.size();
        text += (i == 0 ? "" : last ? " or " : ", ") + choices[i];
    }
    return text;
}

}  // namespace

std::string describe_values(const OptionSpec& spec) {
    std::string text = "default " + to_text(spec.default_value);
    const std::string range = spec.kind == OptionKind::Choice ? choices_text(spec.choices) : bounds_text(spec);
    const std::string needs = describe_needs(spec);
    return text + (range.empty() ? "" : "; " + range) + (needs.empty() ? "" : "; " + needs);
}

std::string options_text(const std::vector<OptionSpec>& specs) {
    std::string text;
    for (const auto& spec : specs) {
        text += fmt::format("  --{}  ({})\n      {}\n", spec.name, describe_values(spec), spec.help);
    }
    return text;
}

OptionValues options_as_used(const std::vector<OptionSpec>& specs, const OptionValues& given) {
    OptionValues used = given;
    for (const auto& spec : specs) {
        used.emplace(spec.name, spec.default_value);
    }
    return used;
}

}  // namespace isogon::cli
