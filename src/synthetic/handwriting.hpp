#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/random.hpp"

// Handwritten digits: the shapes of the digits as strokes (glyphs), and a person's way to write them.
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

/// The knots that the pen passes from setting down to lifting.
using Stroke = std::vector<Knot>;

/// The curve through the knots as a polyline of `pieces` equal steps of the parameter between neighbouring knots,
/// 1 + pieces * (knots - 1) places. Between knots it is a cubic Hermite curve whose slopes at inner knots are those of
/// the parabola through three knots, spaced by their distances: no overshoot where knots are uneven; at
/// ends and corners the slope is free. Knots that coincide are allowed. Empty for no knots. O(knots * pieces).
[[nodiscard]] std::vector<Place> trace(std::span<const Knot> stroke, int pieces);

/// One way to write a digit, in a box about one unit high: strokes in the order in which they are written.
struct Glyph {
    double share = 1.0;  ///< share of the people who write the digit so; shares of a digit sum to 1
    std::vector<Stroke> strokes;
};

/// The ways in which people write `digit`, 0 to 9. Designed for this library by hand; no font is used.
[[nodiscard]] std::span<const Glyph> glyphs_of(int digit);

/// Selects a glyph by a number in [0, 1), which is divided into intervals of the glyphs' shares. There must be a glyph.
[[nodiscard]] const Glyph& choose_glyph(std::span<const Glyph> glyphs, double share);

/// Where the pen is, how wide its line is there, and how dark.
struct PenPoint {
    Place place;          ///< pixels; the centre of the pixel in row r and column c is at x = c, y = r
    float radius = 1.0F;  ///< half the width of the line, pixels
    float ink = 1.0F;     ///< darkness of the middle of the line, 1 is full
};

/// The points that the pen passes from setting down to lifting.
using PenLine = std::vector<PenPoint>;

/// A grey image to draw on, row by row; 0 is paper.
struct Paper {
    std::span<float> pixels;
    int height = 0;
    int width = 0;
};

/// Draws a line: every pixel becomes the darker of what it was and the ink of
/// the nearest piece of the line, times a coverage that falls smoothly from 1 to 0 over `softness` pixels (> 0) about
/// the edge of the pen. Parts outside the image are cut off. O(points * pixels near them).
void draw_line(const Paper& paper, std::span<const PenPoint> line, float softness);

/// One wave of a smooth displacement of the plane: shift * sin(along . place + phase).
struct Wave {
    Place shift;
    Place along;
    float phase = 0.0F;
};

/// The parameters of one handwriting sample: all random deformations of a glyph except the displacements of its knots.
/// Lengths are in units of the glyph's height unless they say pixels.
struct Hand {
    float knot_spread = 0.0F;  ///< standard deviation of a knot about its place
    float end_spread = 0.0F;   ///< standard deviation of the stretch of a stroke's ends, of the distance between knots
    std::array<Wave, 3> waves{};
    float slant = 0.0F;     ///< sideways shift from the foot to the head, positive to the right
    float rotation = 0.0F;  ///< radians
    float aspect = 1.0F;    ///< width over the glyph's own width
    float taper = 0.0F;     ///< how much wider the head is than the foot
    float size = 20.0F;     ///< pixels: the larger side of what is drawn
    Place shift;            ///< pixels: the centre of mass from the middle of the image
    float radius = 1.0F;    ///< pixels: half the width of the line
    float ink = 1.0F;       ///< darkness of the line, above 1 is too much ink: saturated
    float softness = 1.0F;  ///< pixels over which the edge of the line fades
    float pressure = 0.0F;  ///< relative change of radius and ink along the line, largest
    float pressure_phase = 0.0F;
    float pressure_turns = 1.0F;  ///< waves of the pressure along the strokes
};

/// A hand at random. `variation` scales every deformation: 0 writes the glyphs as they were designed, 1 like people.
/// `brightness` is the standard deviation of the logarithm of the ink.
[[nodiscard]] Hand random_hand(Random& random, double variation, double brightness);

/// The glyph as this hand writes it into a square image of `side` pixels: fitted to the hand's size with its aspect
/// kept, the centre of its ink in the middle of the image but for the hand's shift, or as near to it as the border lets
/// it without cutting off ink. Draws the knots' jitter.
[[nodiscard]] std::vector<PenLine> write_glyph(const Glyph& glyph, const Hand& hand, int side, Random& random);

}  // namespace isogon
