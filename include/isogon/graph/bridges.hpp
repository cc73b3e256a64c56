#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Joins the components of a graph of distances by the shortest edges that join them all, those of a minimum spanning
/// tree between components, and gives it back with as many edges more as there were components too many: Boruvka's
/// rounds, in each of which every component but the largest finds the nearest point outside itself. A connected graph
/// comes back as it was. Edges are exact neighbours (neighbors/exact_neighbors.hpp) under `metric`, which must be that
/// of the graph, in the graph's unit of length.
///
/// Time: a round looks at all pairs of a point outside the largest component with a point of another, s n D
/// multiplications for s such points, at most n^2 D; rounds are at most the logarithm of the number of components, and
/// two are usual. Memory bridge_bytes().
/// Throws InvalidArgument (what is no graph; another number of points; inner products, which are no distances),
/// InputError (NaN), LimitExceeded; Interruption when the context ends the run.
[[nodiscard]] CsrMatrix<double> bridge_components(const PointsView& points, Metric metric, CsrMatrix<double> graph,
                                                  const RunContext& context = {});

/// What it takes beside its input: the points in another order, what the search takes, and the graph once more.
[[nodiscard]] std::uint64_t bridge_bytes(Index points, Index dimension, Offset entries);

}  // namespace isogon
