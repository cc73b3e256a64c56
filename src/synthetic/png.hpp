#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// A grey image row by row, one byte a pixel.
struct Sheet {
    Index height = 0;
    Index width = 0;
    std::vector<std::uint8_t> pixels;
};

/// Many small images as one large one: each point is an image of height x width values row by row, and `columns` of
/// them are placed side by side (fewer if there are fewer images), row under row. Values are rounded and clipped to 0
/// ... 255; NaN and the pixels after the last image become 0. Throws InvalidArgument for no images, no columns, a
/// height times width that is not the dimension, or a sheet of more than 2^31 - 1 pixels a side (what PNG allows).
/// O(pixels) time and bytes.
[[nodiscard]] Sheet contact_sheet(PointsView images, Index height, Index width, Index columns);

/// The bytes of a PNG file (ISO/IEC 15948) of a grey image of 8 bits, given row by row. Throws InvalidArgument for a
/// side of 0 or above 2^31 - 1 pixels, and for a number of pixels that is not height * width. O(pixels) time; about
/// twice the image in memory.
[[nodiscard]] std::vector<std::uint8_t> encode_png(std::span<const std::uint8_t> pixels, Index height, Index width);

}  // namespace isogon
