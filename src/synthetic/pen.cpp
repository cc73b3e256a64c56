#include "synthetic/pen.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

namespace {

/// First and last pixel, both within, along one axis that a piece of line may touch; last < first for none.
struct Reach {
    int first = 0;
    int last = -1;
};

Reach reach(float a, float b, float margin, int size) {
    const auto limit = static_cast<float>(size);
    return {static_cast<int>(std::ceil(std::clamp(std::min(a, b) - margin, 0.0F, limit))),
            static_cast<int>(std::floor(std::clamp(std::max(a, b) + margin, -1.0F, limit - 1.0F)))};
}

/// 0 below 0, 1 above 1, smooth between.
float smooth_ramp(float t) {
    t = std::clamp(t, 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// The darkness that the piece of line from a to b gives to one place.
float darkness(const PenPoint& a, const PenPoint& b, float x, float y, float softness) {
    const float dx = b.place.x - a.place.x;
    const float dy = b.place.y - a.place.y;
    const float px = x - a.place.x;
    const float py = y - a.place.y;
    const float squared = dx * dx + dy * dy;
    const float t = squared > 0.0F ? std::clamp((px * dx + py * dy) / squared, 0.0F, 1.0F) : 0.0F;
    const float ex = px - t * dx;
    const float ey = py - t * dy;
    const float distance = std::sqrt(ex * ex + ey * ey);
    const float radius = a.radius + t * (b.radius - a.radius);
    return (a.ink + t * (b.ink - a.ink)) * smooth_ramp(0.5F + (radius - distance) / softness);
}

void draw_piece(std::span<float> image, int height, int width, const PenPoint& a, const PenPoint& b, float softness) {
    const float margin = std::max(a.radius, b.radius) + 0.5F * softness;
    const Reach rows = reach(a.place.y, b.place.y, margin, height);
    const Reach columns = reach(a.place.x, b.place.x, margin, width);
    for (int row = rows.first; row <= rows.last; ++row) {
        float* pixels = image.data() + static_cast<std::ptrdiff_t>(row) * width;
        for (int column = columns.first; column <= columns.last; ++column) {
            const float value = darkness(a, b, static_cast<float>(column), static_cast<float>(row), softness);
            pixels[column] = std::max(pixels[column], value);
        }
    }
}

}  // namespace

void draw_line(std::span<float> image, int height, int width, std::span<const PenPoint> line, float softness) {
    if (line.size() == 1) {
        draw_piece(image, height, width, line.front(), line.front(), softness);
    }
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        draw_piece(image, height, width, line[k], line[k + 1], softness);
    }
}

}  // namespace isogon
