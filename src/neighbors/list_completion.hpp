#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

/// A neighbour and how far it is.
struct Neighbor {
    float distance = 0.0F;
    Index index = 0;

    /// Nearer first, equal distances by index.
    [[nodiscard]] bool operator<(const Neighbor& other) const {
        return distance != other.distance ? distance < other.distance : index < other.index;
    }
};

/// The number of candidates to keep for k neighbours. It is larger than k: keys are rounded, and the order of the last
/// ones may change when their full distances are computed.
[[nodiscard]] Index candidates_for(Index k);

/// The candidates of a query with their distances, nearest first. The query itself is dropped unless `self` allows it.
[[nodiscard]] std::vector<Neighbor> measured(const MetricSpace& space, Index query,
                                             std::span<const NearestSelection::Candidate> candidates, SelfAllowed self);

/// The k nearest of all points by their distances alone. O(n D).
[[nodiscard]] std::vector<Neighbor> nearest_of_all(const MetricSpace& space, Index query, Index k, SelfAllowed self);

/// Lists for so many rows, to be filled.
[[nodiscard]] NeighborLists empty_lists(Index rows, Index k);
/// Writes the first of `sorted` as the list of a row.
void write_list(std::span<const Neighbor> sorted, Index row, NeighborLists& lists);

/// Turns the candidates of all pairs into lists of the k nearest: computes their full distances and sorts by distance,
/// equal ones by index. A row whose list the rounding of keys could have changed (a point outside the candidates may be
/// nearer than the k-th, or as near with a smaller index) is searched again: keys, then the distances of all points
/// that may be as near as the k-th. For typical data these are few rows or none; with whole numbers and many ties they
/// may be all. `self`: whether a query may be its own neighbour in that second search. Throws InputError for a
/// neighbour at a distance beyond float32.
[[nodiscard]] NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k,
                                           SelfAllowed self, const RunContext& context);

/// Memory of the second search in addition to that of the first.
[[nodiscard]] std::uint64_t list_completion_bytes(Index queries, Index dimension, Index k);

/// Throws InputError, which names a row and its neighbour, if their distance exceeds float32.
void require_distances(const NeighborLists& lists);

}  // namespace isogon
