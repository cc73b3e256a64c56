#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isogon {

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

/// `text` in quotes for a message: cut short if long, with bytes that are no plain ASCII shown as '?'.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Why `text` is no number, for a message.
[[nodiscard]] std::string number_trouble(NumberFault fault, std::string_view text);

/// Where `text` is several numbers between semicolons, tabs, commas, bars or blanks, though a table separates them by
/// `delimiter`: ": the values seem to be separated by semicolons, ..." and what to do, for a message; else "".
[[nodiscard]] std::string separator_trouble(std::string_view text, char delimiter);

/// Appends the shortest text that reads back as the same bits.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);

}  // namespace isogon
