#pragma once
#include <string>

#include "isogon/report/chart.hpp"

namespace isogon {

/// A map as an SVG file by itself: every point a dot in the colour of its class, with a legend of up to 12 classes. The
/// farthest hundredth of the points may lie outside. Both axes have one scale. <title> and <desc> say in words what is
/// shown; no text is markup. Throws InvalidArgument unless the points have two numbers, which are finite, and a class
/// for each of them or none, below the number of names. O(n log n); some 10 bytes a point.
[[nodiscard]] std::string map_picture(const ChartMap& map);

}  // namespace isogon
