#pragma once
#include <string_view>

namespace isogon::cli {

/// The replacement for a flag that the verb had in early builds; nothing for any other flag.
[[nodiscard]] std::string_view in_place_of(std::string_view verb, std::string_view flag);

/// The same for a verb that there was.
[[nodiscard]] std::string_view in_place_of_verb(std::string_view verb);

}  // namespace isogon::cli
