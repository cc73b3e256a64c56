#pragma once
// Columns of facts about points, as the document holds them.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isogon/report/report.hpp"
#include "report/json_writer.hpp"

namespace isogon {

/// Seconds from 1970 to a date of ISO 8601 as YYYY-MM-DD, perhaps with T or a blank, HH:MM, :SS, a fraction, and Z or
/// +HH:MM; without the last, of UTC. Empty for any other text.
[[nodiscard]] std::optional<double> parse_date(std::string_view text);

/// A number of a column. Empty for a text, and for what a number would not give back: codes as 007 and whole numbers of
/// more than 15 digits.
[[nodiscard]] std::optional<double> parse_fact(std::string_view text);

/// Writes "columns", null without any. A column is of numbers or of dates if all known values are, else of texts; one
/// without a known value is omitted. O(all text, times log n).
void write_columns(JsonWriter& json, std::span<const PointColumn> columns);

/// Names of the columns without a known value, which are omitted.
[[nodiscard]] std::vector<std::string_view> empty_columns(std::span<const PointColumn> columns);

}  // namespace isogon
