#include "program/option_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

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

namespace {

/// The contract of the command line calls the dimension --dim; -d is short for it, and -k for the number of neighbours.
std::string spelling(const OptionSpec& spec) {
    if (spec.kind == OptionKind::Flag) {
        return "--" + spec.name + ",!--no-" + spec.name;
    }
    if (spec.name == "neighbors") {
        return "-k,--neighbors";
    }
    return spec.name == "dimension" ? "-d,--dim,--dimension" : "--" + spec.name;
}

std::string type_text(const OptionSpec& spec) {
    switch (spec.kind) {
        case OptionKind::Flag: return "";
        case OptionKind::Integer: return "N";
        case OptionKind::Number: return spec.automatic ? "auto|NUMBER" : "NUMBER";
        case OptionKind::Choice: return "WORD";
    }
    return "";
}

const OptionSpec* find(const std::vector<OptionSpec>& specs, const std::string& name) {
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

}  // namespace

OptionFlags::OptionFlags(CLI::App& app, std::string noun, std::vector<OptionOwner> owners)
    : noun_(std::move(noun)), owners_(std::move(owners)) {
    std::vector<const OptionSpec*> first_specs;
    for (const auto& owner : owners_) {
        for (const auto& spec : owner.specs) {
            const bool known =
                std::any_of(flags_.begin(), flags_.end(), [&](const Flag& flag) { return flag.name == spec.name; });
            if (!known) {
                flags_.push_back({spec.name, {}, nullptr});
                first_specs.push_back(&spec);
            }
        }
    }
    // Only now, as CLI11 stores pointers to the texts of the flags.
    for (std::size_t i = 0; i < flags_.size(); ++i) {
        add_flag(app, flags_[i], *first_specs[i]);
    }
}

void OptionFlags::add_flag(CLI::App& app, Flag& flag, const OptionSpec& spec) {
    const std::string help = help_of(spec.name);
    if (spec.kind == OptionKind::Flag) {
        flag.option = app.add_flag(spelling(spec), flag.text, help);
    } else {
        flag.option = app.add_option(spelling(spec), flag.text, help)->type_name(type_text(spec));
    }
    flag.option->group(owners_.size() == 1 ? "Options" : "Options of " + group_of(spec.name));
}

/// The owners that have the option, or those that do not if these are fewer: a list of all is too long.
std::string OptionFlags::group_of(const std::string& option) const {
    std::string others;
    std::size_t without = 0;
    for (const auto& owner : owners_) {
        if (find(owner.specs, option) == nullptr) {
            others += (without++ == 0 ? " but " : ", ") + owner.name;
        }
    }
    return 2 * without < owners_.size() ? "every " + noun_ + others : owners_of(option);
}

std::string OptionFlags::owners_of(const std::string& option) const {
    std::string names;
    for (const auto& owner : owners_) {
        if (find(owner.specs, option) != nullptr) {
            names += (names.empty() ? "" : ", ") + owner.name;
        }
    }
    return names;
}

/// One text if all owners agree, else one for each of them.
std::string OptionFlags::help_of(const std::string& option) const {
    std::vector<std::pair<std::string, std::string>> texts;  // names of owners, what they say
    for (const auto& owner : owners_) {
        if (const OptionSpec* spec = find(owner.specs, option)) {
            const std::string text = spec->help + " (" + describe_values(*spec) + ")";
            const auto same = std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.second == text; });
            if (same == texts.end()) {
                texts.emplace_back(owner.name, text);
            } else {
                same->first += ", " + owner.name;
            }
        }
    }
    if (texts.size() == 1) {
        return texts.front().second;
    }
    std::string help;
    for (const auto& [names, text] : texts) {
        help.append(help.empty() ? "" : " | ").append(names).append(": ").append(text);
    }
    return help;
}

bool OptionFlags::any() const {
    return std::any_of(flags_.begin(), flags_.end(), [](const Flag& flag) { return flag.option->count() > 0; });
}

OptionValues OptionFlags::values(const std::string& owner, const std::vector<std::string>& varied) const {
    const auto chosen =
        std::find_if(owners_.begin(), owners_.end(), [&](const OptionOwner& o) { return o.name == owner; });
    OptionValues list;
    for (const auto& flag : flags_) {
        if (flag.option->count() == 0) {
            continue;
        }
        const OptionSpec* spec = chosen == owners_.end() ? nullptr : find(chosen->specs, flag.name);
        if (spec == nullptr) {
            throw InvalidArgument("--" + flag.name, flag.text,
                                  "the " + noun_ + " " + owner + " has no such option; it belongs to " +
                                      owners_of(flag.name) + "; leave it out");
        }
        OptionSpec named = *spec;
        named.name = "--" + named.name;
        list.emplace(flag.name, parse_option(named, flag.text));
    }
    if (chosen != owners_.end()) {
        require_effect(chosen->specs, list, varied);
    }
    return list;
}

}  // namespace isogon::cli
