#include "isogon/core/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace isogon {

namespace {

std::string shortest_decimal(double value) {
    std::string text(32, '\0');
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    text.resize(static_cast<std::size_t>(end.ptr - text.data()));
    return text;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

bool below_zero(std::string_view value) {
    return value.starts_with('-');
}

bool beyond_field(const OptionSpec& spec, std::string_view value) {
    std::int64_t whole = 0;
    const auto result = std::from_chars(value.data(), value.data() + value.size(), whole);
    if (result.ptr != value.data() + value.size()) {
        return false;
    }
    return result.ec == std::errc::result_out_of_range || whole > spec.largest || whole < spec.smallest;
}

/// The valid values, for a message: "must be a whole number of at least 1".
std::string expectation(const OptionSpec& spec, const std::string& value) {
    if (spec.kind == OptionKind::Flag) {
        return "must be true or false";
    }
    if (spec.kind == OptionKind::Choice) {
        return "must be one of " + join(spec.choices) + did_you_mean(value, spec.choices);
    }
    const bool whole = spec.kind == OptionKind::Integer;
    const bool passed = whole && beyond_field(spec, value);
    // The bound of the table. The range of the field type is added only for a value outside it, except that a seed is
    // never below 0.
    const auto bound = [&](const std::optional<double>& given, std::int64_t held, bool this_side) {
        const bool tells = whole && ((passed && this_side) || held == 0);
        return given ? shortest_decimal(*given) : tells ? std::to_string(held) : std::string();
    };
    const std::string least = bound(spec.minimum, spec.smallest, below_zero(value));
    const std::string most = bound(spec.maximum, spec.largest, !below_zero(value));
    std::string text = whole ? "must be a whole number" : "must be a number";
    if (!least.empty()) {
        text += (spec.open ? " above " : " of at least ") + least;
    }
    if (!most.empty()) {
        text += (least.empty() ? "" : " and") + std::string(spec.open ? " below " : " at most ") + most;
    }
    return text + (spec.automatic ? ", or auto" : "");
}

[[noreturn]] void reject(const OptionSpec& spec, const std::string& value) {
    throw InvalidArgument(spec.name, value, expectation(spec, value));
}

bool within(const OptionSpec& spec, double value) {
    if (!std::isfinite(value)) {
        return false;
    }
    const bool above = !spec.minimum || (spec.open ? value > *spec.minimum : value >= *spec.minimum);
    const bool below = !spec.maximum || (spec.open ? value < *spec.maximum : value <= *spec.maximum);
    return above && below;
}

template <class Number>
OptionValue parse_number(const OptionSpec& spec, std::string_view text) {
    Number value{};
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) {
        reject(spec, std::string(text));
    }
    return value;
}

}  // namespace

std::string to_text(const OptionValue& value) {
    struct Writer {
        std::string operator()(std::monostate) const { return "auto"; }
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return shortest_decimal(v); }
        std::string operator()(const std::string& v) const { return v; }
    };
    return std::visit(Writer{}, value);
}

void check_option(const OptionSpec& spec, const OptionValue& value) {
    bool good = false;
    if (std::holds_alternative<std::monostate>(value)) {
        good = spec.automatic;
    } else if (std::holds_alternative<bool>(value)) {
        good = spec.kind == OptionKind::Flag;
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        const bool held = spec.kind == OptionKind::Number || (*whole >= spec.smallest && *whole <= spec.largest);
        good = (spec.kind == OptionKind::Integer || spec.kind == OptionKind::Number) && held &&
               within(spec, static_cast<double>(*whole));
    } else if (const auto* number = std::get_if<double>(&value)) {
        good = spec.kind == OptionKind::Number && within(spec, *number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
        for (const auto& choice : spec.choices) {
            good = good || choice == *word;
        }
    }
    if (!good) {
        reject(spec, to_text(value));
    }
}

OptionValue parse_option(const OptionSpec& spec, std::string_view text) {
    OptionValue value;
    if (spec.automatic && text == "auto") {
        return value;
    }
    switch (spec.kind) {
        case OptionKind::Flag:
            if (text != "true" && text != "false") {
                reject(spec, std::string(text));
            }
            value = text == "true";
            break;
        case OptionKind::Integer: value = parse_number<std::int64_t>(spec, text); break;
        case OptionKind::Number: value = parse_number<double>(spec, text); break;
        case OptionKind::Choice: value = std::string(text); break;
    }
    check_option(spec, value);
    return value;
}

namespace {

const OptionSpec* find(const std::vector<OptionSpec>& specs, const std::string& name) {
    for (const auto& spec : specs) {
        if (spec.name == name) {
            return &spec;
        }
    }
    return nullptr;
}

std::string either(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return text;
}

bool meets_need(const OptionNeed& need, const OptionSpec& other, const OptionValue& value) {
    if (need.values.empty()) {
        return value != other.default_value;
    }
    return std::find(need.values.begin(), need.values.end(), to_text(value)) != need.values.end();
}

}  // namespace

std::string describe_needs(const OptionSpec& spec) {
    std::string text;
    for (const auto& need : spec.needs) {
        text +=
            (text.empty() ? "with " : " and ") + need.option + (need.values.empty() ? "" : " ") + either(need.values);
    }
    return text;
}

void require_effect(const std::vector<OptionSpec>& specs, const OptionValues& given,
                    const std::vector<std::string>& varied) {
    for (const auto& spec : specs) {
        const auto value = given.find(spec.name);
        if (value == given.end()) {
            continue;
        }
        for (const auto& need : spec.needs) {
            const OptionSpec* other = find(specs, need.option);
            if (other == nullptr || std::find(varied.begin(), varied.end(), need.option) != varied.end()) {
                continue;
            }
            const auto found = given.find(need.option);
            const OptionValue& now = found == given.end() ? other->default_value : found->second;
            if (!meets_need(need, *other, now)) {
                throw InvalidArgument(spec.name, to_text(value->second),
                                      {"has an effect only with ", Text::option(other->name),
                                       (need.values.empty() ? "" : " ") + either(need.values) + ", and that is " +
                                           to_text(now) + ": give it too, or leave this out"});
            }
        }
    }
}

}  // namespace isogon
