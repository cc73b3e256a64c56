#pragma once
#include <span>
#include <vector>

namespace isogon {

/// A place in the plane: x to the right, y down, as in images.
struct Place {
    float x = 0.0F;
    float y = 0.0F;
};

/// A place that the pen passes; at a corner it turns sharply, elsewhere smoothly.
struct Knot {
    Place place;
    bool corner = false;
};

/// What the pen draws from setting down to lifting.
using Stroke = std::vector<Knot>;

/// The curve through the knots as a polyline of `pieces` equal steps of the parameter between neighbouring knots,
/// 1 + pieces * (knots - 1) places. Between knots it is a cubic Hermite curve whose slopes at inner knots are those of
/// the parabola through three knots, spaced by their distances: no overshoot where knots are uneven; at
/// ends and corners the slope is free. Knots that coincide are allowed. Empty for no knots. O(knots * pieces).
[[nodiscard]] std::vector<Place> trace(std::span<const Knot> stroke, int pieces);

/// One way to write a digit, in a box about one unit high: strokes in the order in which they are written.
struct Glyph {
    double share = 1.0;  ///< of the people who write the digit; shares of a digit sum to 1
    std::vector<Stroke> strokes;
};

/// The ways in which people write `digit`, 0 to 9. Designed for this library by hand; no font is used.
[[nodiscard]] std::span<const Glyph> glyphs_of(int digit);

/// Selects a glyph by a number in [0, 1), which is divided into intervals of the glyphs' shares. There must be a glyph.
[[nodiscard]] const Glyph& choose_glyph(std::span<const Glyph> glyphs, double share);

}  // namespace isogon
