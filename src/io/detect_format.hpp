#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

#include "io/byte_stream.hpp"
#include "isogon/io/format.hpp"

namespace isogon {

/// The format of a file from its first bytes, if its name does not determine it. Empty if they are ambiguous.
[[nodiscard]] std::optional<Format> format_from_bytes(std::string_view first_bytes);

/// The format from the caller, else from the name, else from the first bytes. Throws InputError with the remedy if none
/// of them determines it.
[[nodiscard]] Format detect_format(ByteStream& stream, const std::filesystem::path& path,
                                   const std::optional<Format>& said);

}  // namespace isogon
