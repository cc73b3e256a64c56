#pragma once
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

/// Whether the cosine of x and y is above a threshold t > 0, decided in float64 without a root or a quotient: x.y > 0
/// and (x.y)^2 > t^2 |x|^2 |y|^2, which is exact for whole numbers and thresholds such as 0.5. O(D).
[[nodiscard]] bool is_above(std::span<const float> x, std::span<const float> y, double threshold);

/// Cosines of a tile as float32 has them are wrong in their last digits, and `values[k] > float(threshold)` with them
/// where a cosine is the threshold or near it. Moves those that rounding may have put on the wrong side, by no more
/// than that rounding, to the right one. `points` are those that the tile's rows and columns count. O(D) for each of
/// them.
void settle_edge(const PointsView& points, double threshold, const PairTile& tile, float* values);

}  // namespace isogon
