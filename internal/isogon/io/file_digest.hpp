#pragma once
#include <filesystem>
#include <string>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// SHA-256 of all bytes of a file, as sha256sum prints it. Identifies a file by its content, wherever it is stored. One
/// pass in pieces of 1 MB. Throws InputError for a file that cannot be read or is empty; Interruption when the context
/// ends the run.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path, const RunContext& context = {});

}  // namespace isogon
