#pragma once
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

/// How many candidates to keep for k neighbours: some more, since keys are rounded and the last ones may change places
/// when their distances are computed with care.
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

/// Turns the candidates of all pairs into lists: distances with care, in their order, the k nearest. A row whose list
/// the rounding of the keys could have changed (something left out may be nearer than the k-th) is searched once more,
/// by distances alone; with data of some spread that is no row or few. `self`: whether a query may be its own
/// neighbour, in such a search.
[[nodiscard]] NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k,
                                           SelfAllowed self, const RunContext& context);

}  // namespace isogon
