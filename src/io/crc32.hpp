#pragma once
#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace isogon {

/// CRC-32, as zip archives have it, of bytes that follow others whose checksum is `before`; 0: none.
[[nodiscard]] inline std::uint32_t crc32_of(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace isogon
