#pragma once
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The points as a pairwise objective weighs them, and their lengths: all 1 (every pair counts alike), or their own
/// over the root of the mean square (a pair counts by |x_i|^2 |x_j|^2). Zero vectors keep length 0.
struct WeightedPoints {
    Points points;               ///< of divided points those of this rank
    std::vector<float> lengths;  ///< of all
};

/// O(n D) time and memory. Collective.
[[nodiscard]] WeightedPoints weighted_points(const DistributedPoints& all, bool unit, const RunContext& context);

}  // namespace isogon
