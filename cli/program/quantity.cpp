#include "program/quantity.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

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
    if (most < std::numeric_limits<std::int64_t>::max()) {  // which no double is
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

}  // namespace isogon::cli
