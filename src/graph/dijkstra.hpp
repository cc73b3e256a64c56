#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// Lengths of shortest paths from one source to all points, infinity where none leads (Dijkstra 1959, with a binary
/// heap). O((points + entries) log points) time.
[[nodiscard]] std::vector<double> dijkstra(const CsrMatrix<double>& graph, Index source);

}  // namespace isogon
