#pragma once
#include <cstdint>
#include <vector>

namespace isogon {

/// What a visit of all pairs knows of each point by itself: how far to believe its place.
struct PointAngles {
    /// Mean of |angle in y - angle in x| over the point's pairs above the threshold in x, itself not counted; 0 without
    /// any.
    std::vector<double> deviation_degrees{};
    std::vector<std::uint64_t> pairs{};  ///< how many those are; 0: a zero vector or isolated
};

}  // namespace isogon
