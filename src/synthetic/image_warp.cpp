#include "synthetic/image_warp.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

namespace {

/// A place along one side: between pixel `first` and the next, `share` of the way.
struct Between {
    std::size_t first;
    std::size_t next;
    float share;
};

Between place_along(float at, Index side) {
    const float kept = std::clamp(at, 0.0F, static_cast<float>(side - 1));
    const auto first = static_cast<std::size_t>(kept);
    return {first, std::min<std::size_t>(first + 1, side - 1), kept - static_cast<float>(first)};
}

float blend(float a, float b, float share) {
    return (1.0F - share) * a + share * b;  // not a + share (b - a), which could overflow
}

}  // namespace

void warp_image(std::span<const float> from, WarpShape shape, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to) {
    const float middle_x = 0.5F * static_cast<float>(shape.width - 1);
    const float middle_y = 0.5F * static_cast<float>(shape.height - 1);
    std::size_t pixel = 0;
    for (Index row = 0; row < shape.height; ++row) {
        const float y = static_cast<float>(row) - middle_y;
        for (Index column = 0; column < shape.width; ++column, ++pixel) {
            const float x = static_cast<float>(column) - middle_x;
            const Between h = place_along(middle_x + map.xx * x + map.xy * y + shift_x[pixel], shape.width);
            const Between v = place_along(middle_y + map.yx * x + map.yy * y + shift_y[pixel], shape.height);
            const auto upper = from.subspan(v.first * shape.width, shape.width);
            const auto lower = from.subspan(v.next * shape.width, shape.width);
            to[pixel] = blend(blend(upper[h.first], upper[h.next], h.share),
                              blend(lower[h.first], lower[h.next], h.share), v.share);
        }
    }
}

void thicken(std::span<const float> from, WarpShape shape, float gain, std::span<float> to) {
    const std::size_t width = shape.width;
    if (gain == 0.0F) {
        std::copy(from.begin(), from.end(), to.begin());
        return;
    }
    for (std::size_t y = 0; y < shape.height; ++y) {
        const std::size_t above = y > 0 ? y - 1 : y;
        const std::size_t below = std::min<std::size_t>(y + 1, shape.height - 1);
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t left = x > 0 ? x - 1 : x;
            const std::size_t right = std::min(x + 1, width - 1);
            const float along_x = 0.5F * from[y * width + right] - 0.5F * from[y * width + left];
            const float along_y = 0.5F * from[below * width + x] - 0.5F * from[above * width + x];
            const float steepness = std::sqrt(along_x * along_x + along_y * along_y);
            to[y * width + x] = from[y * width + x] + gain * steepness;
        }
    }
}

}  // namespace isogon
