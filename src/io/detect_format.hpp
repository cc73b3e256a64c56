#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

#include "io/byte_stream.hpp"
#include "isogon/io/format.hpp"

namespace isogon {

/// The format of a file whose name tells nothing, from its first bytes. Empty when they could be anything.
[[nodiscard]] std::optional<Format> format_from_bytes(std::string_view first_bytes);

/// What the caller said, else by name, else by first bytes; throws InputError naming the remedy if nothing tells.
[[nodiscard]] Format detect_format(ByteStream& stream, const std::filesystem::path& path,
                                   const std::optional<Format>& said);

}  // namespace isogon
