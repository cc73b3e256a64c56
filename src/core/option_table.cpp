#include "isogon/core/option_table.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace isogon {

namespace {

std::string number_text(double value) {
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

/// What values would do, for a message: "must be a whole number of at least 1".
std::string expectation(const OptionSpec& spec) {
    if (spec.kind == OptionKind::Flag) {
        return "must be true or false";
    }
    if (spec.kind == OptionKind::Choice) {
        return "must be one of " + join(spec.choices);
    }
    std::string text = spec.kind == OptionKind::Integer ? "must be a whole number" : "must be a number";
    if (spec.minimum) {
        text += (spec.open ? " above " : " of at least ") + number_text(*spec.minimum);
    }
    if (spec.maximum) {
        text += (spec.minimum ? " and" : "") + std::string(spec.open ? " below " : " at most ") +
                number_text(*spec.maximum);
    }
    return text + (spec.automatic ? ", or auto" : "");
}

[[noreturn]] void reject(const OptionSpec& spec, const std::string& value) {
    throw InvalidArgument(spec.name, value, expectation(spec));
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
        std::string operator()(double v) const { return number_text(v); }
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
        good = (spec.kind == OptionKind::Integer || spec.kind == OptionKind::Number) &&
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

}  // namespace isogon
