#pragma once
#include <cstdint>

namespace isogon::zip_signature {

// By which the records of a zip archive begin (APPNOTE 6.3).
inline constexpr std::uint32_t local = 0x04034b50;
inline constexpr std::uint32_t entry = 0x02014b50;
inline constexpr std::uint32_t wide_end = 0x06064b50;
inline constexpr std::uint32_t wide_locator = 0x07064b50;
inline constexpr std::uint32_t end = 0x06054b50;

}  // namespace isogon::zip_signature
