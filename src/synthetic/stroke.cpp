#include "synthetic/stroke.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

namespace {

constexpr float smallest_step = 1e-4F;  // keeps slopes finite where knots coincide

/// From one knot to the next: how far, and the direction as change per unit of distance.
struct Step {
    float length = smallest_step;
    Place slope;
};

Step step_between(const Place& from, const Place& to) {
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const float length = std::max(smallest_step, std::sqrt(dx * dx + dy * dy));
    return {length, {dx / length, dy / length}};
}

/// Slope at the middle one of three places of the parabola through them.
Place parabola_slope(const Step& before, const Step& after) {
    const float total = before.length + after.length;
    return {(after.length * before.slope.x + before.length * after.slope.x) / total,
            (after.length * before.slope.y + before.length * after.slope.y) / total};
}

/// Slope at a free end or a corner: what makes the piece a parabola, so that the curve goes on bending up to the end.
Place free_slope(const Step& step, const Place& slope_at_other_end) {
    return {2.0F * step.slope.x - slope_at_other_end.x, 2.0F * step.slope.y - slope_at_other_end.y};
}

Place hermite(const Place& from, const Place& slope_from, const Place& to, const Place& slope_to, float length,
              float t) {
    const float s = 1.0F - t;
    const float a = (1.0F + 2.0F * t) * s * s;
    const float b = t * s * s * length;
    const float c = t * t * (3.0F - 2.0F * t);
    const float d = -t * t * s * length;
    return {a * from.x + b * slope_from.x + c * to.x + d * slope_to.x,
            a * from.y + b * slope_from.y + c * to.y + d * slope_to.y};
}

}  // namespace

std::vector<Place> trace(std::span<const Knot> stroke, int pieces) {
    std::vector<Place> line;
    if (stroke.empty()) {
        return line;
    }
    line.reserve(1 + (stroke.size() - 1) * static_cast<std::size_t>(pieces));
    line.push_back(stroke.front().place);
    Step previous;
    for (std::size_t k = 0; k + 1 < stroke.size(); ++k) {
        const Step here = step_between(stroke[k].place, stroke[k + 1].place);
        const bool smooth_start = k > 0 && !stroke[k].corner;
        const bool smooth_end = k + 2 < stroke.size() && !stroke[k + 1].corner;
        Place start = here.slope;
        Place end = here.slope;
        if (smooth_start) {
            start = parabola_slope(previous, here);
        }
        if (smooth_end) {
            end = parabola_slope(here, step_between(stroke[k + 1].place, stroke[k + 2].place));
        }
        if (smooth_start && !smooth_end) {
            end = free_slope(here, start);
        } else if (smooth_end && !smooth_start) {
            start = free_slope(here, end);
        }
        for (int piece = 1; piece <= pieces; ++piece) {
            const float t = static_cast<float>(piece) / static_cast<float>(pieces);
            line.push_back(hermite(stroke[k].place, start, stroke[k + 1].place, end, here.length, t));
        }
        previous = here;
    }
    return line;
}

}  // namespace isogon
