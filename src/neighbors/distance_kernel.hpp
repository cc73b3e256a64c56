#pragma once
#include <span>

namespace isogon {

/// |a x - b y|^2, summed in float32 over lanes of the machine's vectors: symmetric in (x, a) and (y, b) bit for bit,
/// exactly 0 for equal products, and to about six digits relative to itself however small it is, which x.y cannot give.
[[nodiscard]] double squared_difference(std::span<const float> x, float a, std::span<const float> y, float b);

/// (a x).(b y), likewise.
[[nodiscard]] double scaled_product(std::span<const float> x, float a, std::span<const float> y, float b);

}  // namespace isogon
