#include "report/point_columns.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "report/packed_array.hpp"

namespace isogon {

namespace {

/// Takes characters from the front of a text.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    /// One of these characters; 0 if another one follows.
    char take(std::string_view any) {
        if (rest_.empty() || any.find(rest_.front()) == std::string_view::npos) {
            return 0;
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }
    /// Exactly so many digits.
    std::optional<int> digits(std::size_t count) {
        int value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const char digit = take("0123456789");
            if (digit == 0) {
                return std::nullopt;
            }
            value = 10 * value + (digit - '0');
        }
        return value;
    }

private:
    std::string_view rest_;
};

constexpr double minute = 60.0;
constexpr double hour = 60.0 * minute;
constexpr double day = 24.0 * hour;

std::optional<double> days_since_1970(Scanner& scanner) {
    const auto year = scanner.digits(4);
    const bool first = scanner.take("-") != 0;
    const auto month = scanner.digits(2);
    const bool second = scanner.take("-") != 0;
    const auto in_month = scanner.digits(2);
    if (!year || !first || !month || !second || !in_month) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*in_month))};
    return date.ok() ? std::optional(double(std::chrono::sys_days(date).time_since_epoch().count())) : std::nullopt;
}

/// HH:MM or, where `with_colon` is not required, HHMM.
std::optional<double> hours_and_minutes(Scanner& scanner, bool needs_colon) {
    const auto hours = scanner.digits(2);
    const bool colon = scanner.take(":") != 0;
    const auto minutes = scanner.digits(2);
    if (!hours || !minutes || *hours > 23 || *minutes > 59 || (needs_colon && !colon)) {
        return std::nullopt;
    }
    return *hours * hour + *minutes * minute;
}

std::optional<double> seconds_of_minute(Scanner& scanner) {
    const auto whole = scanner.digits(2);
    if (!whole || *whole > 60) {
        return std::nullopt;
    }
    double seconds = *whole;
    if (scanner.take(".,") != 0) {
        double place = 0.1;
        char digit = scanner.take("0123456789");
        if (digit == 0) {
            return std::nullopt;
        }
        for (; digit != 0; digit = scanner.take("0123456789")) {
            seconds += place * (digit - '0');
            place /= 10.0;
        }
    }
    return seconds;
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
    Scanner scanner(text);
    const auto days = days_since_1970(scanner);
    if (!days) {
        return std::nullopt;
    }
    double seconds = *days * day;
    if (scanner.at_end()) {
        return seconds;
    }
    const bool parted = scanner.take("T ") != 0;
    const auto minutes = hours_and_minutes(scanner, true);
    if (!parted || !minutes) {
        return std::nullopt;
    }
    seconds += *minutes;
    if (scanner.take(":") != 0) {
        const auto more = seconds_of_minute(scanner);
        if (!more) {
            return std::nullopt;
        }
        seconds += *more;
    }
    const char zone = scanner.take("Z+-");
    if (zone == '+' || zone == '-') {
        const auto offset = hours_and_minutes(scanner, false);
        if (!offset) {
            return std::nullopt;
        }
        seconds += zone == '+' ? -*offset : *offset;
    }
    return scanner.at_end() ? std::optional(seconds) : std::nullopt;
}

std::optional<double> parse_fact(std::string_view text) {
    constexpr std::size_t exact_digits = 15;
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool whole = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool padded = digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
    if (digits.empty() || padded || (whole && digits.size() > exact_digits)) {
        return std::nullopt;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

namespace {

/// All values by `parse`, not a number where one is unknown; empty if a known one is none, or none is known.
template <class Parse>
std::vector<double> parsed(const std::vector<std::string>& values, Parse parse) {
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const std::string& text : values) {
        const std::optional<double> value =
            text.empty() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : parse(text);
        if (!value) {
            return {};
        }
        // What is infinite has no place on a scale.
        numbers.push_back(std::isfinite(*value) ? *value : std::numeric_limits<double>::quiet_NaN());
    }
    return numbers;
}

bool knows_any(const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](double value) { return std::isfinite(value); });
}

bool is_empty(const PointColumn& column) {
    return std::all_of(column.values.begin(), column.values.end(), [](const auto& text) { return text.empty(); });
}

void write_numbers(JsonWriter& json, std::string_view kind, const std::vector<double>& values) {
    json.text("kind", kind).key("values");
    write_array(json, values, {values.size()});
}

void write_texts(JsonWriter& json, const std::vector<std::string>& values) {
    std::vector<std::string_view> names(values.begin(), values.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.front().empty()) {
        names.erase(names.begin());
    }
    std::vector<std::uint32_t> index;
    index.reserve(values.size());
    for (const std::string& value : values) {
        const auto place = value.empty() ? names.end() : std::lower_bound(names.begin(), names.end(), value);
        index.push_back(static_cast<std::uint32_t>(place - names.begin()));
    }
    json.text("kind", "text").key("names").begin_object().key("gzip");
    write_packed_texts(json, names);
    json.end_object().key("index");
    // One more than there are names: unknown.
    write_small_array(json, index, names.size() + 1);
}

}  // namespace

void write_columns(JsonWriter& json, std::span<const PointColumn> columns) {
    json.key("columns");
    if (columns.empty()) {
        json.null();
        return;
    }
    json.begin_array();
    for (const PointColumn& column : columns) {
        if (is_empty(column)) {
            continue;
        }
        json.begin_object().text("name", column.name);
        if (const auto numbers = parsed(column.values, parse_fact); knows_any(numbers)) {
            write_numbers(json, "number", numbers);
        } else if (const auto dates = parsed(column.values, parse_date); knows_any(dates)) {
            write_numbers(json, "date", dates);
        } else {
            write_texts(json, column.values);
        }
        json.end_object();
    }
    json.end_array();
}

std::vector<std::string_view> empty_columns(std::span<const PointColumn> columns) {
    std::vector<std::string_view> names;
    for (const PointColumn& column : columns) {
        if (is_empty(column)) {
            names.push_back(column.name);
        }
    }
    return names;
}

}  // namespace isogon
