#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"

namespace isogon::cli {

/// Keys keep their order of insertion.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const OptionValue& value);  ///< "auto" for what is chosen from the data
[[nodiscard]] Json to_json(const OptionValues& values);
[[nodiscard]] Json to_json(const OptionSpec& spec);
[[nodiscard]] Json to_json(const std::vector<OptionSpec>& specs);
[[nodiscard]] Json to_json(const std::vector<std::pair<std::string, double>>& named);

/// {"points": n, "dimension": D}
[[nodiscard]] Json shape_json(const PointsView& points);

/// Adds termination, message, seconds_by_phase, counts, measures, trace, warnings, seed and threads to `json`.
void add_summary(Json& json, const Summary& summary);

/// One line. Bytes that are not UTF-8 (file names may hold any) become the replacement character.
[[nodiscard]] std::string to_line(const Json& json);

}  // namespace isogon::cli
