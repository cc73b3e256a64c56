#pragma once
// The files of a set: those that a pattern means, those missing in a numbered series, and the digest or the text of
// one.

#include <filesystem>
#include <string>
#include <vector>

#include "isogon/core/run_context.hpp"

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

/// All bytes of a file, as they are. Throws InputError as all readers do: for a folder, a device, an empty file.
[[nodiscard]] std::string file_text(const std::filesystem::path& path);

/// SHA-256 of all bytes of a file, as sha256sum prints it. Identifies a file by its content, wherever it is stored. One
/// pass in pieces of 1 MB. Throws InputError for a file that cannot be read or is empty; Interruption when the context
/// ends the run.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path, const RunContext& context = {});

}  // namespace isogon
