#pragma once
#include <string>
#include <string_view>

namespace isogon::cli {

/// The paper that a source ("Saul 2022, figure 3") is of, in full; "" for none that is known.
[[nodiscard]] std::string citation_of(std::string_view source);

}  // namespace isogon::cli
