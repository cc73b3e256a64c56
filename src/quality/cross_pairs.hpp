#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "quality/tile_angles.hpp"

namespace isogon {

/// Directions of inputs and of their coordinates, as pack_directions returns them, in the same order.
struct DirectionPair {
    PackedPoints x;
    PackedPoints y;
};

/// Results of the pass over all pairs (placed, fitted).
struct CrossPairs {
    PairSums sums;
    Index alone = 0;      ///< placed points with no fitted point above the threshold in x; zero vectors are among them
    double recall = 0.0;  ///< share of the nearest fitted points in x that are among the nearest in y;
                          ///< over the placed points that are not zero in x, 1 without any
};

/// Compares the cosines of placed points with all fitted ones in x with those in y. A zero vector is at right angles to
/// all. `neighbors` is at most the number of fitted points; equally near ones go by the smaller index.
/// One pass by bands of 48 placed points: the same bits for any number of threads. Throws Interruption.
/// Time O(placed fitted (D + d)).
[[nodiscard]] CrossPairs compare_cross_pairs(const DirectionPair& placed, const DirectionPair& fitted, double threshold,
                                             Index neighbors, const RunContext& context);

/// Bytes of the comparison: for each thread two bands of cosines, 48 with all fitted points, and some lists.
[[nodiscard]] std::uint64_t cross_pairs_bytes(Index placed, Index fitted, Index neighbors, int threads);

}  // namespace isogon
