#pragma once
#include <string>
#include <vector>

#include "isogon/core/option_table.hpp"

namespace isogon::cli {

/// "default 0.9; at least 0 and at most 1", "default auto; above 0 and below 1", "default fast; fast or paper"
[[nodiscard]] std::string describe_values(const OptionSpec& spec);

/// A table of options for people, one block each: flag, values, help.
[[nodiscard]] std::string options_text(const std::vector<OptionSpec>& specs);

/// Defaults overlaid with what was given.
[[nodiscard]] OptionValues options_as_used(const std::vector<OptionSpec>& specs, const OptionValues& given);

}  // namespace isogon::cli
