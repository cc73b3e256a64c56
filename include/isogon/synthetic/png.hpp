#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// The bytes of a PNG file (ISO/IEC 15948) of a grey image of 8 bits, given row by row. Throws InvalidArgument for a
/// side of 0 or above 2^31 - 1 pixels, and for a number of pixels that is not height * width. O(pixels) time; about
/// twice the image in memory.
[[nodiscard]] std::vector<std::uint8_t> encode_png(std::span<const std::uint8_t> pixels, Index height, Index width);

}  // namespace isogon
