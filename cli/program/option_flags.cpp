#include "program/option_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "program/former_flags.hpp"

namespace isogon::cli {

namespace {

using Units = std::map<std::string, double, std::less<>>;

/// The value times its unit, or nothing if the text is not a finite number above zero followed by one of `units`.
std::optional<double> parse_with_unit(std::string_view text, const Units& units) {
    double value = 0.0;
    const auto* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    std::string unit(rest, end);
    for (char& letter : unit) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    const auto found = units.find(unit);
    if (found == units.end() || !std::isfinite(value) || value <= 0.0) {
        return std::nullopt;
    }
    return value * found->second;
}

const Units& byte_units() {
    static const Units units{{"", 1.0},       {"b", 1.0},      {"k", 1e3},      {"kb", 1e3},    {"m", 1e6},
                             {"mb", 1e6},     {"g", 1e9},      {"gb", 1e9},     {"t", 1e12},    {"tb", 1e12},
                             {"kib", 0x1p10}, {"mib", 0x1p20}, {"gib", 0x1p30}, {"tib", 0x1p40}};
    return units;
}

}  // namespace

std::uint64_t parse_bytes(const std::string& option, std::string_view text) {
    const auto bytes = parse_with_unit(text, byte_units());
    // 2^63 rather than 2^64: sums of a few such numbers must not wrap around.
    if (!bytes || *bytes < 1.0 || *bytes >= 0x1p63) {
        throw InvalidArgument(option, std::string(text),
                              "must be a size above zero such as 8G, 500M or 2GiB (k, M, G, T: powers of 1000; KiB, "
                              "MiB, GiB, TiB: powers of 1024)");
    }
    return static_cast<std::uint64_t>(*bytes);
}

double parse_seconds(const std::string& option, std::string_view text, bool or_zero) {
    static const Units units{{"", 1.0}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}};
    constexpr double longest = 10000.0 * 3600.0;
    if (or_zero && text == "0") {
        return 0.0;
    }
    const auto seconds = parse_with_unit(text, units);
    if (!seconds || *seconds > longest) {
        throw InvalidArgument(option, std::string(text),
                              std::string(or_zero ? "must be 0 or" : "must be") +
                                  " a time above zero and at most 10000h, such as 90s, 5m or 1.5h");
    }
    return *seconds;
}

std::int64_t parse_whole(const std::string& option, std::string_view text, std::int64_t least, std::int64_t most) {
    OptionSpec spec;
    spec.name = option;
    spec.kind = OptionKind::Integer;
    spec.minimum = static_cast<double>(least);
    if (most < std::numeric_limits<std::int64_t>::max()) {  // no double equals that maximum
        spec.maximum = static_cast<double>(most);
    }
    return std::get<std::int64_t>(parse_option(spec, text));
}

double parse_cosine(const std::string& option, std::string_view text) {
    OptionSpec spec;
    spec.name = option;
    spec.kind = OptionKind::Number;
    spec.minimum = 0.0;
    spec.maximum = 1.0;
    spec.open = true;
    const OptionValue value = parse_option(spec, text);
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? *number : static_cast<double>(std::get<std::int64_t>(value));
}

std::string parse_choice(const std::string& option, std::string_view text, const std::vector<std::string>& choices) {
    OptionSpec spec;
    spec.name = option;
    spec.kind = OptionKind::Choice;
    spec.choices = choices;
    return std::get<std::string>(parse_option(spec, text));
}

std::string human_seconds(double seconds) {
    if (seconds < 10.0) {
        return fmt::format("{:.2f} s", seconds);
    }
    if (seconds < 100.0) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) {
        return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    }
    return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string phases_text(const Summary& summary) {
    std::string text;
    for (const auto& [phase, seconds] : summary.seconds) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, human_seconds(seconds));
    }
    return text.empty() ? text : " (" + text + ")";
}

std::string number_lines(const std::vector<std::pair<std::string, double>>& numbers) {
    std::string text;
    for (const auto& [name, number] : numbers) {
        text += fmt::format("  {:<28} {:.6g}\n", name, number);
    }
    return text;
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& table, std::string_view between) {
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& cells : table) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            widths[i] = std::max(widths[i], cells[i].size());
        }
    }
    std::vector<std::string> lines;
    for (const auto& cells : table) {
        lines.emplace_back();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            lines.back() += fmt::format("{}{:>{}}", i == 0 ? "" : between, cells[i], widths[i]);
        }
    }
    return lines;
}

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

std::string help_and_values(const OptionSpec& spec) {
    return spec.help + " (" + describe_values(spec) + ")";
}

}  // namespace

template <class Value>
CLI::Option* add_value(CLI::App& app, const std::string& flag, Value& value, const std::string& help) {
    const std::size_t space = flag.find(' ');
    return app.add_option(flag.substr(0, space), value, help)->type_name(flag.substr(space + 1));
}

template CLI::Option* add_value(CLI::App&, const std::string&, std::string&, const std::string&);
template CLI::Option* add_value(CLI::App&, const std::string&, std::vector<std::string>&, const std::string&);
template CLI::Option* add_value(CLI::App&, const std::string&, std::optional<std::string>&, const std::string&);
template CLI::Option* add_value(CLI::App&, const std::string&, std::optional<int>&, const std::string&);

FlagGroup::FlagGroup(CLI::App& app, const std::string& name) : app_(app) {
    app.option_defaults()->group(name);
}

FlagGroup::~FlagGroup() {
    app_.option_defaults()->group("Options");  // CLI11's own
}

void OptionFlags::add(CLI::App& app, std::string noun, std::vector<OptionOwner> owners) {
    noun_ = std::move(noun);
    owners_ = std::move(owners);
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
        if (find_option(owner.specs, option) == nullptr) {
            others += (without++ == 0 ? " but " : ", ") + owner.name;
        }
    }
    return 2 * without < owners_.size() ? "every " + noun_ + others : owners_of(option);
}

std::string OptionFlags::owners_of(const std::string& option) const {
    std::string names;
    for (const auto& owner : owners_) {
        if (find_option(owner.specs, option) != nullptr) {
            names += (names.empty() ? "" : ", ") + owner.name;
        }
    }
    return names;
}

/// One text if all owners agree, else one for each of them.
std::string OptionFlags::help_of(const std::string& option) const {
    std::vector<std::pair<std::string, std::string>> texts;  // names of owners, what they say
    for (const auto& owner : owners_) {
        if (const OptionSpec* spec = find_option(owner.specs, option)) {
            const std::string text = help_and_values(*spec);
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

void OptionFlags::show_options_of(const std::string& owner) {
    const auto shown = std::ranges::find(owners_, owner, &OptionOwner::name);
    for (const auto& flag : flags_) {
        if (shown != owners_.end()) {
            const OptionSpec* spec = find_option(shown->specs, flag.name);
            flag.option->group(spec == nullptr ? "" : "Options of " + owner);
            flag.option->description(spec == nullptr ? "" : help_and_values(*spec));
        }
    }
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
        const OptionSpec* spec = chosen == owners_.end() ? nullptr : find_option(chosen->specs, flag.name);
        if (spec == nullptr) {
            const std::string_view instead =
                owner == "faithful" ? in_place_of("embed", "--" + flag.name) : std::string_view();
            throw InvalidArgument("--" + flag.name, flag.text,
                                  "the " + noun_ + " " + owner + " has no such option; it belongs to " +
                                      owners_of(flag.name) + "; " +
                                      (instead.empty() ? "leave it out" : std::string(instead)));
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
