#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace isogon {

/// Reads names, one a line, as they stand: any text, spaces and all; plain or gzip. A blank line is an empty name, but
/// for blank lines at the end of the file, which are stepped over. Throws InputError naming the file: a line over 64
/// MiB, no line at all, and as every reader does for files that are missing, no regular files, or damaged as gzip. One
/// pass; memory that of the names.
[[nodiscard]] std::vector<std::string> read_names(const std::filesystem::path& path);

}  // namespace isogon
