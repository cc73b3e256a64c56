#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// Lengths of shortest paths from one source to all points, infinity where there is none (Dijkstra 1959, with a binary
/// heap). O((points + entries) log points) time.
[[nodiscard]] std::vector<double> dijkstra(const CsrMatrix<double>& graph, Index source);

/// A graph with renumbered points.
struct RenumberedGraph {
    CsrMatrix<double> graph;
    std::vector<Index> old_numbers;  ///< by new number
    std::vector<Index> new_numbers;  ///< by old number
};

/// Points by their distance from an outermost one, component by component: most shortest paths then run through
/// numbers that rise, or fall, over long sections, so that one sweep over the points follows each section to its end;
/// and neighbours are near in memory. Costs two runs of Dijkstra's algorithm.
[[nodiscard]] RenumberedGraph renumber_for_paths(const CsrMatrix<double>& graph);

}  // namespace isogon
