#pragma once
#include <string>
#include <vector>

namespace isogon {

/// The files that a pattern of the shell means: "in/part-*.npy", with * (any text), ? (any character) and [a-z] in any
/// part of the path; a leading dot is matched by a dot only. Sorted by their bytes, whatever the language of the
/// machine, so that every machine has the same order. A name without such characters, and one that is a file as it
/// stands, is given back as it is, whether it exists or not. Throws InputError for a pattern that no file matches, and
/// for a folder on the way that cannot be read.
[[nodiscard]] std::vector<std::string> expand_pattern(const std::string& pattern);

/// The names that a numbered series lacks: "part-2.npy" where there are part-0.npy, part-1.npy and part-3.npy. Names
/// are a series if they differ in one number only, and more of it is there than is missing; a last name cannot be
/// missed, unless the names say how many there are, as in "x-00001-of-00004.npy". Several series are looked at each by
/// itself, and names in which several numbers differ (dates) are none. At most `most` are named. O(n log n).
[[nodiscard]] std::vector<std::string> missing_names(const std::vector<std::string>& names, std::size_t most = 20);

}  // namespace isogon
