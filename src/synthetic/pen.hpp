#pragma once
#include <span>
#include <vector>

#include "synthetic/stroke.hpp"

namespace isogon {

/// Where the pen is, how wide its line is there, and how dark.
struct PenPoint {
    Place place;          ///< pixels; the centre of the pixel in row r and column c is at x = c, y = r
    float radius = 1.0F;  ///< half the width of the line, pixels
    float ink = 1.0F;     ///< darkness of the middle of the line, 1 is full
};

/// What the pen draws from setting down to lifting.
using PenLine = std::vector<PenPoint>;

/// Draws a line onto a grey image (row by row, 0 paper): every pixel becomes the darker of what it was and the ink of
/// the nearest piece of the line, times a coverage that falls smoothly from 1 to 0 over `softness` pixels (> 0) about
/// the edge of the pen. Parts outside the image are cut off. O(points * pixels near them).
void draw_line(std::span<float> image, int height, int width, std::span<const PenPoint> line, float softness);

}  // namespace isogon
