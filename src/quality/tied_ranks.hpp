#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "neighbors/tied_neighbors.hpp"
#include "quality/nearness.hpp"

// Measures from the order of all points by nearness to one of them, in x and in y: neighbours kept, how far others are
// beyond them, votes. Ties count as neighbors/tied_neighbors.hpp says.
namespace isogon {

/// The k nearest: those nearer than the points that tie for the last places, and these.
struct NearestSet {
    Index k = 0;
    std::vector<Index> inside{};  ///< nearest first
    std::vector<Index> tied{};    ///< ascending; as many as the inside ones leave of k, or more
    double kth = 0.0;             ///< their key

    [[nodiscard]] Index open() const { return k - static_cast<Index>(inside.size()); }
    [[nodiscard]] bool is_open() const { return tied.size() > open(); }
};

/// The nearest by keys; k is below the number of other points. Equal keys tie.
[[nodiscard]] NearestSet nearest_outputs(std::span<const double> keys, Index k);
/// The same for inputs, whose keys tie up to rounding: those that tie with the k-th are made equal.
[[nodiscard]] NearestSet nearest_inputs(const KeyOrigin& origin, Index k, std::span<double> keys);

/// One point's keys in x and y, and its nearest by them.
struct ComparedRow {
    std::span<const double> x_keys;
    std::span<const double> y_keys;
    const NearestSet& x;
    const NearestSet& y;
};

[[nodiscard]] NeighborOverlap overlap_of(const ComparedRow& row);
/// Whether all neighbours are kept in the same order: none stands before a nearer one of x, and none that x tells apart
/// tie in y. `half_row`: KeyOrigin's, in x.
[[nodiscard]] bool are_in_order(const ComparedRow& row, double half_row);
/// How many of k neighbours a y with all points at one place keeps.
[[nodiscard]] double kept_by_chance(const NearestSet& x, Index others);

/// Sum of the excess over k of the ranks in x of the k nearest in y, the nearest having rank 1: the loss of a point's
/// trustworthiness. The rank is 1 and the number of nearer points. O(n) for each of up to some dozens of points beyond
/// the k nearest, O(n log n) for any number.
[[nodiscard]] double false_excess(const ComparedRow& row);
/// The same of the k nearest in x and their ranks in y, the loss of continuity.
[[nodiscard]] double lost_excess(const ComparedRow& row);

/// Whether the most frequent label among the nearest is `truth`: 1 or 0, its share where several are. Labels below 0
/// are unknown and do not vote: nothing where `truth` is one, or all of the nearest have one. Points that tie for the
/// last places share these evenly; the point itself, which is left out, would be one of them, so labels within one such
/// vote of the most frequent are as frequent.
[[nodiscard]] std::optional<double> vote_for(std::int64_t truth, const NearestSet& nearest,
                                             std::span<const std::int64_t> labels);

}  // namespace isogon
