#pragma once
#include <span>

#include "isogon/core/types.hpp"

namespace isogon {

/// Images row by row.
struct WarpShape {
    Index height = 0;
    Index width = 0;
};

/// (x, y) -> (xx x + xy y, yx x + yy y), about the centre of an image; x to the right, y down.
struct LinearMap {
    float xx = 1.0F;
    float xy = 0.0F;
    float yx = 0.0F;
    float yy = 1.0F;
};

/// The pixel at (x, y) of `to` is `from` read at map(x, y) + (shift_x, shift_y)(x, y), bilinearly between pixels;
/// beyond the border the border goes on. All spans hold one number a pixel. Values stay within those of `from`.
void warp_image(std::span<const float> from, WarpShape shape, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to);

/// to = from + gain |grad from|, by central differences: bright lines grow by `gain` pixels on each side, or shrink
/// where it is negative, to first order. Values may leave the range of `from`.
void thicken(std::span<const float> from, WarpShape shape, float gain, std::span<float> to);

}  // namespace isogon
