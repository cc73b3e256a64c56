#pragma once
// Numbers as text, and what is said of those that are none.

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "isogon/core/error.hpp"

namespace isogon {

/// Reads all of `text` as a number; std::errc{} if it is one within the range of its type.
template <class Number>
[[nodiscard]] std::errc parse_all(std::string_view text, Number& value) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    // Checked beyond the range as well: "888...8e" is no number.
    return parsed.ptr != end ? std::errc::invalid_argument : parsed.ec;
}

enum class NumberFault { None, NotANumber, OutOfRange };

/// Reads all of `text` as a float32: an optional sign, digits, "nan" or "inf" in any case. A point is the decimal
/// separator in every locale; numbers too small for float32 become zero. Spaces are the caller's to trim.
[[nodiscard]] NumberFault parse_float(std::string_view text, float& value);

/// The same as a float64.
[[nodiscard]] NumberFault parse_double(std::string_view text, double& value);

/// Reads all of `text` as a whole number; "5.0" and "5e0" are accepted as well, as numpy.savetxt writes them.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// `text` without blanks at its ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// `text` in quotes for a message: at most 40 bytes of it, with '?' for all but printable ASCII.
[[nodiscard]] std::string in_quotes(std::string_view text, char quote = '"');

/// Why `text` is no number, for a message.
[[nodiscard]] std::string number_trouble(NumberFault fault, std::string_view text);

/// Where `text` is a number as people write it and no number of a table, as "0.1%", "1,234.5" or "0,5": what it has
/// and what to do, for a message; else "".
[[nodiscard]] std::string notation_trouble(std::string_view text);

/// Where `text` is several numbers between semicolons, tabs, commas, bars or blanks, though a table separates them by
/// `delimiter`: ": the values seem to be separated by semicolons, ..." and what to do, for a message; else "".
[[nodiscard]] Text separator_trouble(std::string_view text, char delimiter);

/// Appends the shortest text that reads back as the same bits.
template <class Number>
void append_number(std::string& out, Number value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    out.append(text.data(), end.ptr);
}

/// Whether `text` is two or more numbers separated by `separator`, with blanks at their ends or none. A comma may be
/// the decimal point.
[[nodiscard]] bool is_numbers_between(std::string_view text, char separator);

/// A number with a decimal comma, with a point instead; empty for anything else.
[[nodiscard]] std::string with_decimal_point(std::string_view text);

}  // namespace isogon
