#include "synthetic/handwriting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace isogon {

namespace {

constexpr float smallest_step = 1e-4F;  // keeps slopes finite where knots coincide

/// A step from one knot to the next: its length, and the direction as change per unit of distance.
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

/// Slope at a free end or a corner: makes the piece a parabola, so that the curvature continues up to the end.
Place free_slope(const Step& step, const Place& slope_at_other_end) {
    return {2.0F * step.slope.x - slope_at_other_end.x, 2.0F * step.slope.y - slope_at_other_end.y};
}

/// An end of a piece of the curve.
struct End {
    Place place;
    Place slope;
};

Place hermite(const End& from, const End& to, float length, float t) {
    const float s = 1.0F - t;
    const float a = (1.0F + 2.0F * t) * s * s;
    const float b = t * s * s * length;
    const float c = t * t * (3.0F - 2.0F * t);
    const float d = -t * t * s * length;
    return {a * from.place.x + b * from.slope.x + c * to.place.x + d * to.slope.x,
            a * from.place.y + b * from.slope.y + c * to.place.y + d * to.slope.y};
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
        End start{stroke[k].place, here.slope};
        End end{stroke[k + 1].place, here.slope};
        if (smooth_start) {
            start.slope = parabola_slope(previous, here);
        }
        if (smooth_end) {
            end.slope = parabola_slope(here, step_between(stroke[k + 1].place, stroke[k + 2].place));
        }
        if (smooth_start && !smooth_end) {
            end.slope = free_slope(here, start.slope);
        } else if (smooth_end && !smooth_start) {
            start.slope = free_slope(here, end.slope);
        }
        for (int piece = 1; piece <= pieces; ++piece) {
            const float t = static_cast<float>(piece) / static_cast<float>(pieces);
            line.push_back(hermite(start, end, here.length, t));
        }
        previous = here;
    }
    return line;
}

namespace {

using Glyphs = std::vector<Glyph>;

constexpr Knot at(float x, float y) {
    return {{x, y}, false};
}

constexpr Knot corner(float x, float y) {
    return {{x, y}, true};
}

Glyphs zeros() {
    const Stroke oval{at(.46F, .00F), at(.18F, .18F), at(.08F, .55F), at(.30F, .98F),
                      at(.66F, .88F), at(.82F, .45F), at(.48F, .00F)};
    const Stroke crossed{at(.64F, .06F), at(.38F, .02F), at(.10F, .36F), at(.16F, .86F),
                         at(.52F, .97F), at(.82F, .56F), at(.68F, .08F), at(.38F, .08F)};
    const Stroke narrow{at(.50F, .02F), at(.26F, .26F), at(.22F, .74F), at(.42F, 1.0F),
                        at(.62F, .74F), at(.66F, .24F), at(.48F, .00F)};
    return {{.45, {oval}}, {.30, {crossed}}, {.25, {narrow}}};
}

Glyphs ones() {
    const Stroke bar{at(.52F, .00F), at(.50F, .50F), at(.48F, 1.0F)};
    const Stroke flag{at(.28F, .20F), corner(.52F, .00F), at(.50F, .50F), at(.49F, 1.0F)};
    const Stroke base{at(.24F, 1.0F), at(.50F, 1.0F), at(.78F, .99F)};
    return {{.80, {bar}}, {.13, {flag}}, {.07, {flag, base}}};
}

Glyphs twos() {
    const Stroke plain{at(.12F, .24F), at(.26F, .05F),     at(.54F, .00F), at(.72F, .18F), at(.64F, .44F),
                       at(.38F, .74F), corner(.08F, .97F), at(.44F, .94F), at(.86F, .95F)};
    const Stroke looped{at(.10F, .16F), at(.32F, .00F), at(.62F, .06F), at(.70F, .30F), at(.52F, .62F), at(.28F, .92F),
                        at(.10F, .96F), at(.08F, .82F), at(.26F, .77F), at(.52F, .88F), at(.86F, .98F)};
    const Stroke hooked{at(.16F, .30F), at(.14F, .14F), at(.36F, .00F), at(.64F, .10F),
                        at(.66F, .36F), at(.46F, .66F), at(.20F, .90F), corner(.06F, .98F),
                        at(.36F, .86F), at(.60F, .92F), at(.86F, .86F)};
    return {{.40, {plain}}, {.35, {looped}}, {.25, {hooked}}};
}

Glyphs threes() {
    const Stroke pointed{at(.10F, .12F), at(.36F, .00F), at(.62F, .12F), at(.58F, .34F), corner(.30F, .46F),
                         at(.62F, .54F), at(.72F, .76F), at(.50F, .97F), at(.08F, .94F)};
    const Stroke looped{at(.12F, .06F), at(.42F, .00F), at(.66F, .14F), at(.54F, .40F), at(.32F, .50F), at(.30F, .44F),
                        at(.54F, .48F), at(.74F, .66F), at(.66F, .92F), at(.36F, 1.0F), at(.06F, .86F)};
    const Stroke flat{at(.10F, .03F), corner(.70F, .02F), corner(.36F, .38F), at(.64F, .46F),
                      at(.74F, .72F), at(.50F, .97F),     at(.06F, .90F)};
    return {{.52, {pointed}}, {.33, {looped}}, {.15, {flat}}};
}

Glyphs fours() {
    const Stroke elbow{at(.16F, .00F), at(.09F, .26F), corner(.06F, .52F), at(.40F, .55F), at(.80F, .50F)};
    const Stroke stem{at(.68F, .04F), at(.65F, .50F), at(.60F, 1.0F)};
    const Stroke closed{at(.62F, .02F), corner(.06F, .60F), at(.42F, .60F), at(.86F, .56F)};
    const Stroke closed_stem{at(.62F, .02F), at(.59F, .50F), at(.56F, 1.0F)};
    const Stroke bowl{at(.14F, .02F), at(.08F, .26F), at(.16F, .45F), at(.40F, .48F), at(.64F, .36F)};
    const Stroke bowl_stem{at(.74F, .00F), at(.66F, .40F), at(.58F, .72F), at(.54F, 1.0F)};
    return {{.48, {elbow, stem}}, {.17, {closed, closed_stem}}, {.35, {bowl, bowl_stem}}};
}

Glyphs fives() {
    const Stroke body{at(.26F, .06F), corner(.18F, .44F), at(.44F, .40F), at(.68F, .58F),
                      at(.60F, .88F), at(.34F, 1.0F),     at(.06F, .92F)};
    const Stroke bar{at(.26F, .06F), at(.50F, .04F), at(.84F, .00F)};
    const Stroke single{at(.80F, .02F), corner(.32F, .06F), corner(.20F, .42F), at(.46F, .42F),
                        at(.66F, .64F), at(.54F, .92F),     at(.26F, 1.0F),     at(.04F, .88F)};
    const Stroke curved{at(.82F, .04F), at(.50F, .03F), at(.26F, .14F), at(.24F, .34F), at(.46F, .48F),
                        at(.64F, .68F), at(.52F, .93F), at(.26F, 1.0F), at(.04F, .90F)};
    return {{.38, {body, bar}}, {.37, {single}}, {.25, {curved}}};
}

Glyphs sixes() {
    const Stroke round{at(.58F, .00F), at(.30F, .20F), at(.12F, .52F), at(.14F, .86F), at(.36F, 1.0F),
                       at(.62F, .88F), at(.64F, .64F), at(.42F, .56F), at(.18F, .74F)};
    const Stroke straight{at(.36F, .00F), at(.20F, .30F), at(.10F, .64F), at(.22F, .95F), at(.48F, .98F),
                          at(.64F, .80F), at(.52F, .62F), at(.28F, .66F), at(.14F, .82F)};
    const Stroke curled{at(.72F, .05F), at(.46F, .06F), at(.20F, .34F), at(.10F, .68F), at(.26F, .97F),
                        at(.56F, .94F), at(.66F, .68F), at(.46F, .52F), at(.20F, .64F), at(.12F, .78F)};
    return {{.42, {round}}, {.33, {straight}}, {.25, {curled}}};
}

Glyphs sevens() {
    const Stroke plain{at(.08F, .08F), at(.40F, .06F), corner(.76F, .02F),
                       at(.56F, .40F), at(.42F, .72F), at(.34F, 1.0F)};
    const Stroke serif{at(.08F, .24F),     corner(.10F, .07F), at(.42F, .08F),
                       corner(.74F, .04F), at(.60F, .44F),     at(.50F, 1.0F)};
    const Stroke round{at(.06F, .16F), at(.24F, .02F), at(.50F, .08F), at(.72F, .07F),
                       at(.66F, .30F), at(.48F, .62F), at(.36F, 1.0F)};
    const Stroke bar{at(.28F, .54F), at(.52F, .52F), at(.78F, .49F)};
    return {{.42, {plain}}, {.17, {serif}}, {.25, {round}}, {.16, {plain, bar}}};
}

Glyphs eights() {
    const Stroke closed{at(.66F, .12F), at(.44F, .00F), at(.22F, .14F), at(.30F, .36F), at(.50F, .52F), at(.66F, .76F),
                        at(.50F, .98F), at(.22F, .94F), at(.16F, .72F), at(.40F, .50F), at(.62F, .32F), at(.66F, .10F)};
    const Stroke open{at(.78F, .06F), at(.50F, .02F), at(.24F, .12F), at(.26F, .34F), at(.50F, .52F), at(.62F, .76F),
                      at(.44F, .99F), at(.20F, .90F), at(.22F, .68F), at(.46F, .46F), at(.72F, .20F)};
    const Stroke upper{at(.44F, .48F), at(.22F, .30F), at(.34F, .02F), at(.60F, .06F), at(.64F, .32F), at(.44F, .48F)};
    const Stroke lower{at(.44F, .48F), at(.18F, .68F), at(.24F, .96F), at(.56F, .97F), at(.66F, .70F), at(.44F, .48F)};
    return {{.50, {closed}}, {.30, {open}}, {.20, {upper, lower}}};
}

Glyphs nines() {
    const Stroke straight{at(.62F, .14F), at(.40F, .00F),     at(.14F, .14F), at(.12F, .36F), at(.34F, .46F),
                          at(.58F, .32F), corner(.66F, .08F), at(.62F, .50F), at(.58F, 1.0F)};
    const Stroke hooked{at(.66F, .16F), at(.42F, .00F),     at(.16F, .14F), at(.16F, .38F), at(.42F, .44F),
                        at(.64F, .24F), corner(.69F, .12F), at(.68F, .54F), at(.52F, .94F), at(.20F, .96F)};
    const Stroke swept{at(.50F, .02F), at(.22F, .10F), at(.10F, .30F), at(.28F, .44F), at(.54F, .34F),
                       at(.64F, .10F), at(.52F, .02F), at(.62F, .24F), at(.50F, .62F), at(.34F, 1.0F)};
    return {{.50, {straight}}, {.20, {hooked}}, {.30, {swept}}};
}

}  // namespace

std::span<const Glyph> glyphs_of(int digit) {
    static const std::array<Glyphs, 10> all{zeros(), ones(),  twos(),   threes(), fours(),
                                            fives(), sixes(), sevens(), eights(), nines()};
    return all.at(static_cast<std::size_t>(digit));
}

const Glyph& choose_glyph(std::span<const Glyph> glyphs, double share) {
    for (const Glyph& glyph : glyphs.first(glyphs.size() - 1)) {
        share -= glyph.share;
        if (share < 0.0) {
            return glyph;
        }
    }
    return glyphs.back();
}

}  // namespace isogon
