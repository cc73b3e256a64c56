#pragma once
#include <span>
#include <vector>

#include "synthetic/stroke.hpp"

namespace isogon {

/// One way to write a digit, in a box about one unit high: strokes in the order in which they are written.
struct Glyph {
    double share = 1.0;  ///< of the people who write the digit; shares of a digit sum to 1
    std::vector<Stroke> strokes;
};

/// The ways in which people write `digit`, 0 to 9. Designed for this library by hand; no font is used.
[[nodiscard]] std::span<const Glyph> glyphs_of(int digit);

/// The glyph that a number from [0, 1) falls to, when each takes its share of the interval in turn. Not for no glyphs.
[[nodiscard]] const Glyph& choose_glyph(std::span<const Glyph> glyphs, double share);

}  // namespace isogon
