#pragma once
#include <filesystem>

#include "isogon/io/output.hpp"

namespace isogon {

/// The format to write: as said, else by the file's name. Throws OutputError when neither tells.
[[nodiscard]] Format format_to_write(const std::filesystem::path& path, const WriteOptions& options);

}  // namespace isogon
