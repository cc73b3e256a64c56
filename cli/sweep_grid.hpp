#pragma once
#include <string>
#include <vector>

#include "isogon/methods/sweep.hpp"

namespace isogon::cli {

/// Reads --grid NAME=V1,V2,... for each of `texts`: names are options of the method or of landmarks, "dim" is short for
/// the dimension. Throws UsageError for a text of another form and InvalidArgument for an option that there is not and
/// a value out of bounds.
[[nodiscard]] std::vector<SweepAxis> parse_grid(const std::string& method, const std::vector<std::string>& texts);

}  // namespace isogon::cli
