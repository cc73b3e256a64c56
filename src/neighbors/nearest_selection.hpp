#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/metric_space.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

// The nearest candidates of every row: kept while they are offered one by one (NearestSelection), then turned into
// lists of neighbours by their full distances (complete_lists()).
namespace isogon {

/// The best candidates of each of some rows, while they are offered one by one: a buffer for each row, and a threshold
/// that a candidate must reach to be better than the worst of the best. Larger keys are better, equal keys by smaller
/// index; what is kept does not depend on the order of the offers.
class NearestSelection {
public:
    struct Candidate {
        float key = 0.0F;
        Index index = 0;
    };

    NearestSelection(Index rows, Index keep);

    /// Takes the values of a tile as keys: v_ij for row i and, if `both`, for row j too. No other thread may use these
    /// rows during the call.
    void take_tile(const PairTile& tile, bool both);
    /// Takes the values of a tile (48 x 48) whose rows and columns stand for any rows and candidates: v_ij for row
    /// rows[i] and candidate columns[j]. At most 48 of each.
    void take_gathered(const float* values, std::span<const Index> rows, std::span<const Index> columns);
    /// Offers one candidate. Inline: it is the innermost step of every search.
    void offer(Index row, Index index, float key) {
        if (key >= thresholds_[row]) {
            push(row, {key, index});
        }
    }
    /// The best of a row, in any order: as many as were to be kept, or fewer if fewer were offered.
    [[nodiscard]] std::span<const Candidate> best(Index row);
    /// The same, best first.
    [[nodiscard]] std::span<const Candidate> finish(Index row);

    [[nodiscard]] static std::uint64_t bytes(Index rows, Index keep);

private:
    [[nodiscard]] static std::size_t capacity(Index keep);
    void push(Index row, Candidate candidate);
    void keep_best(Index row);
    void shrink(Index row);

    Index rows_;
    Index keep_;
    std::size_t capacity_;
    std::vector<float> thresholds_;  ///< padded to whole panels by infinity: "never"
    std::vector<Index> counts_;
    std::vector<Candidate> candidates_;
};

/// Marks the values of a tile (48 x 48, row-major, 64-byte aligned) that reach the threshold of their row or that of
/// their column: v_ij >= rows[i] or v_ij >= columns[j]. Both hold 48 thresholds; infinity stands for "never". False if
/// nothing is marked, as with most tiles once the thresholds are tight.
bool mark_reaching(const float* values, const float* rows, const float* columns, TilePlaces& places);

/// A key, and how many candidates reach it.
struct KeyCut {
    float key = 0.0F;
    std::size_t reached = 0;
};
/// A key that at least `keep` of some candidates reach and, if it is soon found, no more than `most`: by counting,
/// without the branches of a selection, which nothing foretells. The least key where `most` are no fewer than all.
[[nodiscard]] KeyCut cut_of(std::span<const NearestSelection::Candidate> some, std::size_t keep, std::size_t most);

/// A neighbour and how far it is.
struct Neighbor {
    float distance = 0.0F;
    Index index = 0;

    /// Nearer first, equal distances by index.
    [[nodiscard]] bool operator<(const Neighbor& other) const {
        return distance != other.distance ? distance < other.distance : index < other.index;
    }
};

/// Keeps the k nearest of those offered, as a heap, in `best`; whether this is one of them so far.
inline bool keep_nearest(const Neighbor& neighbor, Index k, std::vector<Neighbor>& best) {
    if (best.size() == k) {
        if (!(neighbor < best.front())) {
            return false;
        }
        std::pop_heap(best.begin(), best.end());
        best.pop_back();
    }
    best.push_back(neighbor);
    std::push_heap(best.begin(), best.end());
    return true;
}

/// The number of candidates to keep for k neighbours. It is larger than k: keys are rounded, and the order of the last
/// ones may change when their full distances are computed.
[[nodiscard]] Index candidates_for(Index k);

/// The candidates of a query with their distances, nearest first, without the query itself among themselves.
[[nodiscard]] std::vector<Neighbor> measured(const MetricSpace& space, Index query,
                                             std::span<const NearestSelection::Candidate> candidates);

/// The k nearest of all points by their distances alone. O(n D).
[[nodiscard]] std::vector<Neighbor> nearest_of_all(const MetricSpace& space, Index query, Index k);

/// Lists for so many rows, to be filled.
[[nodiscard]] NeighborLists empty_lists(Index rows, Index k);
/// Writes the first of `sorted` as the list of a row.
void write_list(std::span<const Neighbor> sorted, Index row, NeighborLists& lists);

/// Brings the distances of a row's list to the unit of the input (MetricSpace::in_unit_of_input()).
void restore_unit(const MetricSpace& space, Index query, NeighborLists& lists, Index row);

/// Turns the candidates of all pairs into lists of the k nearest: computes their full distances and sorts by distance,
/// equal ones by index. A row whose list the rounding of keys could have changed (a point outside the candidates may be
/// nearer than the k-th, or as near with a smaller index) is searched again: keys, then the distances of all points
/// that may be as near as the k-th. For typical data these are few rows or none; with whole numbers and many ties they
/// may be all. Throws InputError for a neighbour at a distance beyond float32.
/// The lists are those of all queries; filled are those of the rows of a range, whose candidates are complete.
[[nodiscard]] NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k, Range of,
                                           const RunContext& context);

/// Memory of the second search in addition to that of the first.
[[nodiscard]] std::uint64_t list_completion_bytes(Index queries, Index dimension, Index k);

/// Throws InputError, which names a row and its neighbour, if their distance exceeds float32.
void require_distances(const NeighborLists& lists);

}  // namespace isogon
