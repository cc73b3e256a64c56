#pragma once
#include <cstdint>
#include <string>

namespace isogon {

/// "70,000": digits in groups of three, as people read large numbers.
[[nodiscard]] std::string count_text(std::uint64_t count);

/// "1 point", "70,000 points"
[[nodiscard]] std::string points_count_text(std::uint64_t count);

}  // namespace isogon
