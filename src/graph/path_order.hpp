#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// Lengths of shortest paths from one source to all points, infinity where none leads (Dijkstra 1959, with a binary
/// heap). O((points + entries) log points) time.
[[nodiscard]] std::vector<double> dijkstra(const CsrMatrix<double>& graph, Index source);

/// A graph whose points have been given new numbers.
struct RenumberedGraph {
    CsrMatrix<double> graph;
    std::vector<Index> old_numbers;  ///< by new number
    std::vector<Index> new_numbers;  ///< by old number
};

/// Points by their distance from an outermost one, component by component: most shortest paths then run through
/// numbers that rise, or fall, for long stretches, which one sweep over the points follows to their end; and neighbours
/// lie near each other in memory. As long as two sources of Dijkstra's algorithm.
[[nodiscard]] RenumberedGraph renumber_for_paths(const CsrMatrix<double>& graph);

}  // namespace isogon
