#pragma once
#include <string>
#include <vector>

namespace isogon {

/// The names that a numbered series lacks: "part-2.npy" where there are part-0.npy, part-1.npy and part-3.npy. Names
/// are a series if they differ in one number only, and more of it is there than is missing; a last name cannot be
/// missed, unless the names say how many there are, as in "x-00001-of-00004.npy". Several series are looked at each by
/// itself, and names in which several numbers differ (dates) are none. At most `most` are named. O(n log n).
[[nodiscard]] std::vector<std::string> missing_names(const std::vector<std::string>& names, std::size_t most = 20);

}  // namespace isogon
