#include "io/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isogon {

namespace {

/// Removes a leading plus, which std::from_chars does not accept.
std::string_view without_plus(std::string_view text) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return plus ? text.substr(1) : text;
}

/// Whether a number beyond the range of float64 is too small, rather than too large. Its first digit that is not zero
/// is at the power of ten `magnitude`.
bool is_tiny(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    const std::string_view digits = text.substr(0, e);
    const std::size_t first = digits.find_first_of("123456789");
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const double magnitude = static_cast<double>(point) - static_cast<double>(first);
    if (e == std::string_view::npos) {
        return magnitude < 0.0;
    }
    double exponent = 0.0;  // the text may be of any length
    for (const char c : text.substr(e + 1)) {
        exponent = c >= '0' && c <= '9' ? 10.0 * exponent + (c - '0') : exponent;
    }
    return magnitude + (text[e + 1] == '-' ? -exponent : exponent) < 0.0;
}

/// The slow path: std::from_chars reports numbers too large and too small alike.
NumberFault settle_range(std::string_view text, float& value) {
    double wide = 0.0;
    const bool beyond_double = parse_all(text, wide) != std::errc{};
    if (beyond_double ? !is_tiny(text) : std::abs(wide) >= 1.0) {
        return NumberFault::OutOfRange;
    }
    value = beyond_double ? 0.0F : static_cast<float>(wide);
    return NumberFault::None;
}

}  // namespace

NumberFault parse_float(std::string_view text, float& value) {
    text = without_plus(text);
    const std::errc error = parse_all(text, value);
    if (error == std::errc::result_out_of_range) {
        return settle_range(text, value);
    }
    return error == std::errc{} ? NumberFault::None : NumberFault::NotANumber;
}

NumberFault parse_double(std::string_view text, double& value) {
    text = without_plus(text);
    const std::errc error = parse_all(text, value);
    if (error == std::errc::result_out_of_range) {
        value = 0.0;
        return is_tiny(text) ? NumberFault::None : NumberFault::OutOfRange;
    }
    return error == std::errc{} ? NumberFault::None : NumberFault::NotANumber;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    text = without_plus(text);
    std::int64_t whole = 0;
    if (parse_all(text, whole) == std::errc{}) {
        return whole;
    }
    constexpr double exact = 9007199254740992.0;  // 2^53: up to here float64 represents every whole number
    double number = 0.0;
    if (parse_all(text, number) == std::errc{} && std::abs(number) <= exact && number == std::trunc(number)) {
        return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

std::string in_quotes(std::string_view text, char quote) {
    constexpr std::size_t most = 40;
    std::string shown(text.substr(0, most));
    for (char& c : shown) {
        c = c >= ' ' && c <= '~' ? c : '?';
    }
    return quote + shown + (text.size() > most ? "..." : "") + quote;
}

std::string number_trouble(NumberFault fault, std::string_view text) {
    if (text.empty()) {
        return "is empty where a number belongs";
    }
    return in_quotes(text) + (fault == NumberFault::OutOfRange
                                  ? " is beyond the range of float32 (3.4e38); scale the data first"
                                  : " stands where a number belongs");
}

bool is_numbers_between(std::string_view text, char separator) {
    std::size_t numbers = 0;
    while (true) {
        const std::size_t end = text.find(separator);
        std::string part(trim(text.substr(0, end)));
        if (separator != ',') {
            std::replace(part.begin(), part.end(), ',', '.');
        }
        float value = 0.0F;
        const bool blank = part.empty() && separator == ' ';
        if (!blank && parse_float(part, value) == NumberFault::NotANumber) {
            return false;
        }
        numbers += blank ? 0 : 1;
        if (end == std::string_view::npos) {
            return numbers > 1;
        }
        text.remove_prefix(end + 1);
    }
}

namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Removes `part` from the front or the back of `text`, and blanks before what then stands there.
bool take_off(std::string_view& text, std::string_view part) {
    const bool front = text.starts_with(part);
    if (!front && !text.ends_with(part)) {
        return false;
    }
    text = trim(front ? text.substr(part.size()) : text.substr(0, text.size() - part.size()));
    return true;
}

/// Whether `text` is one to three digits and then groups of three, each after `separator`.
bool is_grouped(std::string_view text, std::string_view separator) {
    std::size_t end = text.find(separator);
    if (end == std::string_view::npos || end > 3 || !is_digits(text.substr(0, end))) {
        return false;
    }
    while (end != std::string_view::npos) {
        text.remove_prefix(end + separator.size());
        end = text.find(separator);
        if (const std::string_view group = text.substr(0, end); group.size() != 3 || !is_digits(group)) {
            return false;
        }
    }
    return true;
}

/// The separator of the groups of digits of a number without sign, and its decimal point; empty if it has no groups.
std::string_view group_separator(std::string_view number) {
    struct Style {
        std::string_view separator;
        char point;
    };
    constexpr std::array<Style, 6> styles{
        {{",", '.'}, {".", ','}, {"'", '.'}, {" ", ','}, {" ", '.'}, {"\xc2\xa0", ','}}};
    for (const auto& [separator, point] : styles) {
        const std::size_t end = number.find(point);
        const bool fraction = end == std::string_view::npos || is_digits(number.substr(end + 1));
        // "1.234" is a number, and "1,234" may have a decimal comma: that is said of it elsewhere.
        if (fraction && is_grouped(number.substr(0, end), separator)) {
            return separator;
        }
    }
    return {};
}

bool is_number(std::string_view text) {
    float value = 0.0F;
    return !text.empty() && parse_float(text, value) != NumberFault::NotANumber;
}

}  // namespace

std::string notation_trouble(std::string_view text) {
    std::string_view number = trim(text);
    if (number.find_first_of("0123456789") == std::string_view::npos || is_number(number)) {
        return "";
    }
    std::string said;
    if (take_off(number, "%")) {
        said = ": it has a percent sign; write the number alone";
    }
    for (const std::string_view sign : {"$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5"}) {
        said = take_off(number, sign) ? ": it has a currency sign; write the number alone" : said;
    }
    if (take_off(number, "\xe2\x88\x92")) {
        said = ": its minus is a sign of typography; write a hyphen-minus";
    } else if (number.starts_with('-') || number.starts_with('+')) {
        number.remove_prefix(1);
    }
    const bool comma = number.find('.') == std::string_view::npos && number.find(',') == number.rfind(',');
    std::string pointed(number);
    std::replace(pointed.begin(), pointed.end(), ',', '.');
    if (comma && number.find(',') != std::string_view::npos && is_number(pointed)) {
        return ": it has a decimal comma, or a comma between thousands; write a decimal point, and nothing between "
               "thousands";
    }
    if (!group_separator(number).empty()) {
        return ": it has something between its thousands; write the digits without it, and a decimal point";
    }
    return is_number(number) ? said : "";
}

Text separator_trouble(std::string_view text, char delimiter) {
    struct Separator {
        char character;
        const char* name;
        Text remedy;
    };
    const std::array<Separator, 5> separators{
        {{'\t', "tabs", {"read it as tsv (", Text::option("format"), " tsv)"}},
         {';', "semicolons", "replace each by a comma, and decimal commas by points before, as with tr or sed"},
         {',', "commas", {"read it as csv (", Text::option("format"), " csv)"}},
         {'|', "bars", "replace each by a comma, as with tr"},
         {' ', "blanks", "replace each run of them by a comma, as with tr -s ' ' ','"}}};
    for (const auto& [character, name, remedy] : separators) {
        if (character != delimiter && is_numbers_between(text, character)) {
            return {std::string(": the values of this file seem to be separated by ") + name + ", and those of " +
                        (delimiter == ',' ? "csv by commas" : "tsv by tabs") + "; ",
                    remedy};
        }
    }
    return "";
}

std::string with_decimal_point(std::string_view text) {
    const std::size_t comma = text.find(',');
    std::string pointed(text);
    if (comma == std::string_view::npos || text.find('.') != std::string_view::npos) {
        return "";
    }
    pointed[comma] = '.';
    return is_number(pointed) ? pointed : "";
}

}  // namespace isogon
