#pragma once
#include "isogon/core/points.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// Such a row has no direction, hence no angles.
[[nodiscard]] inline bool is_zero(const PackedPoints& points, Index i) {
    for (Index k = 0; k < points.depth(); ++k) {
        if (points.at(i, k) != 0.0F) {
            return false;
        }
    }
    return true;
}

}  // namespace isogon
