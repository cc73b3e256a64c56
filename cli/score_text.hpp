#pragma once
#include <string>

#include "isogon/quality/score.hpp"
#include "json.hpp"

namespace isogon::cli {

/// The measures of a score by name, with what they were taken over.
[[nodiscard]] Json to_json(const Score& score);
[[nodiscard]] std::string described(const Score& score);

/// "nearest by cosine": what recall is of.
[[nodiscard]] std::string nearest_text(Search search);

}  // namespace isogon::cli
