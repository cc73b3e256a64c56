#pragma once
#include <string>

#include "isogon/quality/score.hpp"
#include "json.hpp"

namespace isogon::cli {

/// The measures of a score by name, with what they were taken over.
[[nodiscard]] Json to_json(const Score& score);
[[nodiscard]] std::string described(const Score& score);

}  // namespace isogon::cli
