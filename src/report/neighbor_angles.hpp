#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Stands where a list has no neighbour.
inline constexpr Index no_point = std::numeric_limits<Index>::max();

/// The k nearest by angle of every point, nearest first, with what became of their angles.
struct AngleLists {
    std::vector<Index> index{};        ///< row i's begin at i * k; no_point where i is a zero vector
    std::vector<std::uint16_t> in{};   ///< angle in the inputs, as angle_code() has it
    std::vector<std::uint16_t> out{};  ///< angle in the coordinates
};

struct NeighborAngles {
    Index size = 0;       ///< k
    AngleLists input{};   ///< nearest in the inputs
    AngleLists output{};  ///< nearest in the coordinates
    double recall = 1.0;  ///< share of the true neighbours that were found, where not all pairs were looked at
};

/// The neighbours of x and of y (as many rows). k < n. A zero vector is at right angles to all, and has no neighbours
/// of its own: among equals they would be those of the smallest numbers, in x and y alike. Throws as find_neighbors();
/// Interruption. Time of two searches and O(n k (D + d)).
[[nodiscard]] NeighborAngles find_neighbor_angles(const PointsView& x, const PointsView& y, Index k, std::uint64_t seed,
                                                  const RunContext& context);

/// The angle between a and b in degrees, from their directions: 2 atan2(|u - v|, |u + v|), good to all digits at any
/// angle (Kahan, "How futile are mindless assessments of roundoff", 2006, section 12). 90 if one of them is zero.
[[nodiscard]] double angle_between(std::span<const float> a, std::span<const float> b, double length_a,
                                   double length_b);

}  // namespace isogon
