#pragma once
#include <string>

#include "isogon/io/dataset.hpp"

namespace isogon::cli {

/// Tables that isogon writes have a header line that begins with "word" or ends in "label" when words or labels are in
/// them. Fills in the columns of `options` that the user left open, if the first line of the file says so: without
/// that, labels would be taken for one more coordinate. Other formats and files that cannot be read are left alone.
void find_own_columns(const std::string& path, ReadOptions& options);

}  // namespace isogon::cli
