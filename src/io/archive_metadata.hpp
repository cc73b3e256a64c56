#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isogon/core/archive.hpp"

namespace isogon {

/// The part of an archive that is stored as text in the __metadata__ of its file.
using ArchiveMetadata = std::map<std::string, std::string, std::less<>>;

/// "0.1.0"
[[nodiscard]] std::string_view isogon_version();

/// All but the arrays, with a checksum of eight zeros. Throws InvalidArgument for names and texts that the file cannot
/// hold, and for options that are not finite.
[[nodiscard]] ArchiveMetadata to_metadata(const Archive& archive);

/// The inverse. Throws SafetensorsFault for a file of another program, one of a newer format, and anything that
/// to_metadata() cannot have written. Unknown keys are ignored.
[[nodiscard]] Archive archive_from(const ArchiveMetadata& metadata);

/// Eight lower-case hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::uint32_t checksum);

/// The checksum of a file is stored in its header and computed with its own digits set to zero. Finds the digits in the
/// text of the header, replaces them by zeros and returns them. Empty if there are none.
[[nodiscard]] std::optional<std::string> take_checksum(std::string& header_text);
/// The position of those digits; npos if there are none.
[[nodiscard]] std::size_t checksum_position(std::string_view header_text);

}  // namespace isogon
