#pragma once
#include "isogon/core/points.hpp"

namespace isogon::fuzz {

/// The points that all archives of the corpus are made of: few, so that an execution takes little time. Checkpoints go
/// on with these very ones.
[[nodiscard]] inline Points example_points() {
    Points points(24, 6);
    std::uint32_t state = 7;
    for (float& value : points.values()) {
        state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator
        value = static_cast<float>(state >> 8U) * 0x1p-24F;
    }
    return points;
}

}  // namespace isogon::fuzz
