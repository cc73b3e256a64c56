#pragma once
#include <string>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon::cli {

/// What "--rows 0:100" picks of `count` rows: all for an empty text; first:end as Python slices, either left out; one
/// number or some, "3,1,4"; else a file of whole numbers (.npy, .csv, ...). Throws InvalidArgument naming `flag` for
/// what picks nothing or more than there is, InputError for the file.
[[nodiscard]] std::vector<Index> parse_selection(const std::string& flag, const std::string& text, Index count);

}  // namespace isogon::cli
