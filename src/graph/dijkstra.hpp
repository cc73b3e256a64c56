#pragma once
#include <vector>

#include "isogon/core/sparse_matrix.hpp"

namespace isogon {

/// Lengths of shortest paths from one source to all points, infinity where none leads (Dijkstra 1959, with a binary
/// heap). O((points + entries) log points) time.
[[nodiscard]] std::vector<double> dijkstra(const WideSparseMatrix& graph, Index source);

}  // namespace isogon
