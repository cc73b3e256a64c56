#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "report/packed_array.hpp"

namespace isogon {

/// The index of a missing neighbour.
inline constexpr Index no_point = std::numeric_limits<Index>::max();

/// The k nearest of every point, nearest first, with their angles or distances on both sides, stored as whole numbers.
struct ComparedLists {
    std::vector<Index> index{};        ///< row i's begin at i * k; by angle no_point where i is a zero vector
    std::vector<std::uint16_t> in{};   ///< angle or distance in the inputs; no_number where there is no point
    std::vector<std::uint16_t> out{};  ///< the same in the coordinates
};

struct ComparedNeighbors {
    Index size = 0;  ///< k
    bool by_distance = false;
    ComparedLists input{};                ///< nearest in the inputs
    ComparedLists output{};               ///< nearest in the coordinates
    Scaling in_scaling = angle_scaling;   ///< of both lists' `in`
    Scaling out_scaling = angle_scaling;  ///< of both lists' `out`
    double recall = 1.0;  ///< share of the true neighbours that were found, where not all pairs were compared
};

/// The neighbours of x and of y (as many rows) by angle, or by Euclidean distance. k < n. By angle a zero vector is at
/// right angles to all, and has no neighbours of its own: among equals they would be those of the smallest numbers, in
/// x and y alike. Throws as find_neighbors(); Interruption. Time of two searches and O(n k (D + d)).
[[nodiscard]] ComparedNeighbors compare_neighbors(const PointsView& x, const PointsView& y, Index k, bool by_distance,
                                                  std::uint64_t seed, const RunContext& context);

/// The angle between a and b in degrees, from their directions: 2 atan2(|u - v|, |u + v|), good to all digits at any
/// angle (Kahan, "How futile are mindless assessments of roundoff", 2006, section 12). 90 if one of them is zero.
[[nodiscard]] double angle_between(std::span<const float> a, std::span<const float> b, double length_a,
                                   double length_b);

/// |a - b|.
[[nodiscard]] double distance_between(std::span<const float> a, std::span<const float> b);

}  // namespace isogon
