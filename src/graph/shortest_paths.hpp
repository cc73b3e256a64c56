#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "core/parallel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The number of sources of a block of for_each_shortest_path_block(), which are searched together in vectors.
inline constexpr std::size_t sources_in_path_block = 8;

/// A callback for the lengths from sources[range.begin] up to range.end, row by row: lengths[(s - range.begin) * n + i]
/// is the length of the shortest path from sources[s] to point i. They are valid during the call.
using PathVisitor = std::function<void(Range range, std::span<const double> lengths)>;

/// Lengths of shortest paths over a graph of distances (graph/symmetric_graph.hpp) from every one of `sources` to all
/// points, block by block of 8 sources, so that the matrix of all need not exist. `visit` is called once for each block
/// from several threads at once and must write only what belongs to its range. 0 from a source to itself; infinity
/// where there is no path: callers refuse that (graph/components.hpp) or omit it.
///
/// The result equals that of Dijkstra's algorithm bit for bit: the minimum over paths of the sum of edges, rounded
/// after every edge from the source on. It is computed for eight sources at once, in forward and backward sweeps over
/// the points in the order of their distance from an outermost one. A point is visited again only if a neighbour has
/// come nearer; no heap is needed. For graphs in which points are visited too often, Dijkstra's algorithm is used
/// instead.
///
/// Throws InvalidArgument (what is no graph, a source that is no point), LimitExceeded; Interruption when the context
/// ends the run. Memory shortest_paths_bytes() without the matrix.
void for_each_shortest_path_block(const CsrMatrix<double>& graph, std::span<const Index> sources,
                                  const PathVisitor& visit, const RunContext& context = {});

/// The matrix of all lengths: row s holds those from sources[s].
[[nodiscard]] MultiVector<double> shortest_paths(const CsrMatrix<double>& graph, std::span<const Index> sources,
                                                 const RunContext& context = {});

/// Memory of the first function in addition to its input: a copy of the graph, and 150 bytes a point and thread.
[[nodiscard]] std::uint64_t shortest_paths_bytes(Index points, Offset entries, const RunContext& context);

}  // namespace isogon
