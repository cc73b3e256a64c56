#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Which points are joined. Either: i and j if one of them lists the other, so that every point has at least k edges.
/// Both: only if each lists the other, which removes edges of outliers and hubs, and may isolate points.
enum class GraphSymmetry { Either, Both };

/// The undirected graph of neighbour lists within one set of points: a symmetric n x n matrix whose entries are
/// distances, in the unit of the lists. Where both lists have a distance, rounded differently, the smaller one is used.
/// Duplicates are joined by entries of value 0: an edge is an entry, whatever its value. No point is joined to itself;
/// a point in its own list is ignored.
///
/// Throws InputError (lists that do not belong to `lists.count()` points; a distance below 0, as inner products can
/// be), InvalidArgument (lists without distances), LimitExceeded. O(n k) time, memory symmetric_graph_bytes().
[[nodiscard]] CsrMatrix<double> symmetric_graph(NeighborLists lists, GraphSymmetry symmetry,
                                                const RunContext& context = {});

/// Memory in addition to the lists, with the graph that is returned: up to 2 n k entries, three times.
[[nodiscard]] std::uint64_t symmetric_graph_bytes(Index points, Index neighbors);

/// A check of given graphs and weights. Throws InvalidArgument naming the first row that is wrong unless the matrix is
/// valid, square and equal to its transpose bit for bit, with no entry on the diagonal and none below 0. O(entries),
/// without another matrix beside it where there is nothing wrong.
void require_graph(const CsrMatrix<double>& graph, const RunContext& context = {});

}  // namespace isogon
