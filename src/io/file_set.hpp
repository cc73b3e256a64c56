#pragma once
// The files that a pattern means, and the digest or the text of one.

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

/// All bytes of a file, as they are. Throws InputError as all readers do: for a folder, a device, an empty file.
[[nodiscard]] std::string file_text(const std::filesystem::path& path);

/// SHA-256 of all bytes of a file, as sha256sum prints it. Identifies a file by its content, wherever it is stored. One
/// pass in pieces of 1 MB. Throws InputError for a file that cannot be read or is empty; Interruption when the context
/// ends the run.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path, const RunContext& context = {});

}  // namespace isogon
