#pragma once
#include <string>
#include <vector>

namespace isogon {

/// The files that a pattern of the shell means: "in/part-*.npy", with * (any text), ? (any character) and [a-z] in any
/// part of the path; a leading dot is matched by a dot only. Sorted by their bytes, not by the locale, so that every
/// machine has the same order. A name without such characters is returned unchanged, whether the file exists or not;
/// and so is the name of an existing file. Throws InputError for a pattern that no file matches, and for a folder in
/// its path that cannot be read.
[[nodiscard]] std::vector<std::string> expand_pattern(const std::string& pattern);

/// The names missing in a numbered series: "part-2.npy" for part-0.npy, part-1.npy and part-3.npy. Names form a series
/// if they differ in one number only, and more of them exist than are missing. A missing last name is not detected,
/// unless the names contain the total, as in "x-00001-of-00004.npy". Several series are examined separately; names in
/// which several numbers differ (dates) form none. Returns at most `most` names. O(n log n).
[[nodiscard]] std::vector<std::string> missing_names(const std::vector<std::string>& names, std::size_t most = 20);

}  // namespace isogon
