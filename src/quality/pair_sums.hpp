#pragma once
#include <cstdint>

#include "isogon/pairs/tile_kernel.hpp"
#include "quality/tile_angles.hpp"

namespace isogon {

/// What pairs of points add up to: how many are above the threshold in x, in y and in both, and by how much the angles
/// of those above it in x differ.
struct PairSums {
    double deviation = 0.0;  ///< radians
    std::uint64_t in_x = 0;
    std::uint64_t in_y = 0;
    std::uint64_t in_both = 0;

    void add(const PairSums& other);
    /// Equation 11 of Saul 2022, the mean over the pairs in x, in degrees; 0 without any.
    [[nodiscard]] double mean_degrees() const;
    /// Equation 12: the pairs in both, of those in either; 1 without any.
    [[nodiscard]] double jaccard() const;
};

/// Adds the pairs of one tile to `sums`, and collects the places of those above the threshold in x; `hits.values` are
/// by how many radians their angles differ. The threshold is positive, so places past the last point are in no pair.
void add_tile(TileAngles& x_angle, TileAngles& y_angle, float threshold, PairSums& sums, TileEntries& hits);

}  // namespace isogon
