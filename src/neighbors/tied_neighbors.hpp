#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/kept_neighbors.hpp"
#include "neighbors/metric_rows.hpp"

// How every measure counts neighbours where several points are equally near.
//
// Ties of the inputs are nobody's fault: where points tie for the last of the k places, any of them will do, and the
// choice is the one that is best for the outputs. Ties of the outputs earn nothing: each of the points that tie is as
// likely to be among the k as the others, and a measure is its mean over all their orders. So an exact copy of binary,
// count or rating data is perfect, a map that puts all points at one place is chance, and the order of the rows decides
// nothing. Without ties these are the measures as everybody defines them.
namespace isogon {

/// How near two points are, as float64 has it, and by how much the rounding of their coordinates to float32 may have
/// moved that.
struct MeasuredPair {
    double nearness = 0.0;  ///< half the squared distance; 1 - cosine; the negated product; or the distance
    double rounding = 0.0;
};

/// Measures a pair by any metric. The rounding is 2^-23 of the coordinates, twice the largest: enough for sums of many
/// and for inputs that were rounded twice. O(D).
[[nodiscard]] MeasuredPair measure_pair(std::span<const float> a, std::span<const float> b, Metric metric);

/// Whether two pairs are equally near up to rounding, as pairs of binary, count and rating data are in any unit,
/// standardized or turned.
[[nodiscard]] inline bool tie(const MeasuredPair& one, const MeasuredPair& other) {
    return std::abs(one.nearness - other.nearness) <= one.rounding + other.rounding;
}

/// How many of the k nearest of one point in x are among those in y. "Inside" is nearer than the points that tie at the
/// k-th place; these have the places that the ones inside leave.
struct NeighborOverlap {
    Index inside_x = 0;
    Index inside_y = 0;
    Index tied_y = 0;
    Index inside_both = 0;
    Index inside_x_tied_y = 0;
    Index tied_x_inside_y = 0;
    Index tied_both = 0;

    /// The expected number of points among both, and the probability that all k are. Whole numbers without ties. O(k).
    [[nodiscard]] double kept(Index k) const;
    [[nodiscard]] double all_kept(Index k) const;
};

/// The hypergeometric distribution: the probability that so many of `marked` items are among `drawn` of `all`, for
/// `least` and the numbers above it.
struct DrawnCounts {
    Index least = 0;
    std::vector<double> probabilities{};

    /// O(min(marked, drawn)); no more than `all` of either.
    DrawnCounts(Index all, Index marked, Index drawn);
};

/// Counts the neighbours of some points that are kept, point by point.
class KeptCount {
public:
    explicit KeptCount(Index k) : k_(k) {}

    /// `in_order`: whether all are kept, and in their order.
    void add(Index row, const NeighborOverlap& overlap, bool in_order);
    /// Without rows all shares are 1.
    [[nodiscard]] KeptNeighbors finish();

private:
    Index k_;
    double common_ = 0.0;
    double all_ = 0.0;
    std::size_t in_order_ = 0;
    KeptNeighbors kept_;
};

/// Lists of some rows; `of.points` may be empty where they are not known: then places in the lists stand for distances.
struct ListedNeighbors {
    const NeighborLists& lists;
    SearchedPoints of;
};

/// Compares lists of k neighbours in x with those in y; list r of both is of row numbers[r], which is none of its own
/// neighbours. The lists of y hold one more neighbour, if there is one, to tell whether it ties with the k-th. O(rows k
/// D), for rows whose outputs tie O(n (D + d)) each. Throws Interruption.
[[nodiscard]] KeptNeighbors count_kept(std::span<const Index> numbers, const ListedNeighbors& x,
                                       const ListedNeighbors& y, const RunContext& context);

/// Among the points that tie for the last places of a list, prefers those that `found` lists too: points that both list
/// are kept. `lists` are of all rows, with distances; `found` are as long. O(n k D). Throws Interruption.
void choose_ties(NeighborLists& lists, const SearchedPoints& searched, const NeighborLists& found,
                 const RunContext& context);

}  // namespace isogon
