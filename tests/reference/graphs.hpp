#pragma once
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "graph/symmetric_graph.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

/// Graphs for tests, as dense matrices and as lists made the slow way.
namespace isogon::reference {

support::Matrix dense(const CsrMatrix<double>& matrix);

/// The k nearest by Euclidean distance of every row; of `self`, a row is not its own neighbour.
NeighborLists euclidean_lists(const support::Matrix& rows, const support::Matrix& points, Index k, bool self);

NeighborLists euclidean_lists(const Points& points, Index k);

/// Distances along edges to the k nearest, in either direction.
CsrMatrix<double> graph_of(const Points& points, Index k);

struct Edge {
    Index from = 0;
    Index to = 0;
    double length = 0.0;
};

/// The graph of some edges, each given once.
CsrMatrix<double> graph_of(Index count, const std::vector<Edge>& edges);

/// Lengths of shortest paths from `source`, each the least sum rounded edge by edge from the source on: every edge is
/// tried until nothing changes.
std::vector<double> path_lengths(const CsrMatrix<double>& graph, Index source);

/// Graphs that shortest paths find awkward: digit-like, a sheet, duplicates, parts, a ring, a star, an isolated point.
std::vector<CsrMatrix<double>> awkward_graphs();

/// Points in a row, each joined to the next by an edge of the given length.
CsrMatrix<double> path_graph(const std::vector<double>& lengths);

}  // namespace isogon::reference
