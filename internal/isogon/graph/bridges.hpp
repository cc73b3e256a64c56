#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Connects the components of a graph of distances by the edges of a minimum spanning tree between components: one edge
/// fewer than components. Boruvka's algorithm: in each round every component but the largest finds the nearest point
/// outside itself. A connected graph is returned unchanged. Edges are exact neighbours (neighbors/exact_neighbors.hpp)
/// under `metric`, which must be that of the graph, in the graph's unit of length.
///
/// Time: a round evaluates all pairs of a point outside the largest component with a point of another component, s n D
/// multiplications for s such points, at most n^2 D. The number of rounds is at most the binary logarithm of the number
/// of components, usually two. Memory bridge_bytes().
/// Throws InvalidArgument (what is no graph; another number of points; inner products, which are no distances),
/// InputError (NaN), LimitExceeded; Interruption when the context ends the run.
[[nodiscard]] CsrMatrix<double> bridge_components(const PointsView& points, Metric metric, CsrMatrix<double> graph,
                                                  const RunContext& context = {});

/// Memory in addition to the input: the points in another order, the search, and a second copy of the graph.
[[nodiscard]] std::uint64_t bridge_bytes(Index points, Index dimension, Offset entries);

}  // namespace isogon
