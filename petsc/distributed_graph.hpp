#pragma once
#include <optional>
#include <span>
#include <vector>

#include "distributed_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "methods/spectral.hpp"

namespace isogon {

/// The undirected graph of neighbour lists of which every rank has those of its own points, by the numbers of all:
/// symmetric_graph() of graph/symmetric_graph.hpp, row for row the same. Every edge goes
/// once to the rank at its other end. Throws as that does, on all ranks.
[[nodiscard]] DistributedMatrix distributed_graph(const NeighborLists& own_lists, Index points, const RankGroup& ranks);

/// Weights in place of distances, the same as graph/affinities.hpp has; a sigma of none is default_sigma() of the whole
/// graph and is written there. Throws as those do; InvalidArgument for perplexities, whose weights are not symmetric
/// before they have travelled once more.
[[nodiscard]] DistributedMatrix distributed_affinities(DistributedMatrix graph, AffinityKind kind,
                                                       std::optional<double>& sigma, Index neighbor,
                                                       const RankGroup& ranks);

/// The rows that no chain of nonzero entries joins to one of `sources`, ascending, on every rank. Every rank sends a
/// forest of its own entries, 8 bytes a point at most.
[[nodiscard]] std::vector<Index> unreached_rows(const DistributedMatrix& matrix, std::span<const Index> sources,
                                                const RankGroup& ranks);

/// Throws InputError on all ranks unless the graph, in which an edge is an entry whatever its value, is in one piece.
void require_connected(const DistributedMatrix& graph, const RankGroup& ranks);

/// Own points and those that their lists name, and the lists by places among these: what weights are made of.
struct PointsOfLists {
    Points own{};
    Points points{};               ///< own and listed ones, by ascending number
    std::vector<Index> numbers{};  ///< numbers of `points` in the whole
    NeighborLists lists{};         ///< by places in `points`
};

/// Reads them from a source that every rank can see, a file or an array: no message is sent.
[[nodiscard]] PointsOfLists points_of_lists(const RowSource& source, const NeighborLists& own_lists, Range own);

}  // namespace isogon
