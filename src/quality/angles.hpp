#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/quality/score.hpp"

namespace isogon {

/// Equations 11 and 12 of Saul 2022, and other results of the same pass over all pairs.
struct AngleScore {
    double mean_deviation_degrees = 0.0;
    double jaccard = 1.0;
    double sparsity = 1.0;  ///< share of ordered pairs i != j of x at or below the threshold
    Index isolated = 0;     ///< points of x, not zero vectors, that no other point is above the threshold with
};

/// Points of a score with their directions, as pack_directions() packs them.
struct DirectedPoints {
    PointsView points;
    const PackedPoints& directions;
};

/// Compares the angles of y with those of x over the pairs of x above `threshold`. Pairs are ordered and the diagonal
/// counts, as in the paper: a point that is no zero vector is above the threshold with itself, and its deviation is 0.
/// A zero vector is in no pair; where only y has one, it counts as at right angles to all. Without a single pair the
/// deviation is 0 and the Jaccard index 1. The counts are exact (settle_edge); the sum is taken in float64 by rows of
/// tiles: the same bits for any number of threads. `points`, if not null, receives what belongs to each point. Throws
/// Interruption. O(n^2 (D + d)) time; 48 bytes a tile row and 16 bytes a point.
[[nodiscard]] AngleScore compare_angles(const DirectedPoints& x, const DirectedPoints& y, double threshold,
                                        const RunContext& context, PointAngles* points = nullptr);

}  // namespace isogon
