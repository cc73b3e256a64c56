#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "isogon/core/sparse_matrix.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "support/dense_matrices.hpp"

/// Graphs for tests, as dense matrices and as lists made the slow way.
namespace isogon::reference {

inline support::Matrix dense(const WideSparseMatrix& matrix) {
    support::Matrix result = support::Matrix::Zero(matrix.rows, matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result(i, matrix.row_indices(i)[k]) = matrix.row_values(i)[k];
        }
    }
    return result;
}

/// The k nearest by Euclidean distance of every row; of `self`, a row is not its own neighbour.
inline NeighborLists euclidean_lists(const support::Matrix& rows, const support::Matrix& points, Index k, bool self) {
    NeighborLists lists{.size = k};
    for (Index i = 0; i < rows.rows(); ++i) {
        std::vector<float> away(static_cast<std::size_t>(points.rows()));
        std::vector<Index> order;
        for (Index j = 0; j < points.rows(); ++j) {
            away[j] = static_cast<float>((rows.row(i) - points.row(j)).norm());
            if (!self || i != j) {
                order.push_back(j);
            }
        }
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return away[a] < away[b]; });
        for (Index a = 0; a < k; ++a) {
            lists.indices.push_back(order[a]);
            lists.distances.push_back(away[order[a]]);
        }
    }
    return lists;
}

inline NeighborLists euclidean_lists(const Points& points, Index k) {
    const support::Matrix x = support::to_matrix(points);
    return euclidean_lists(x, x, k, true);
}

/// Distances along edges to the k nearest, whoever lists whom.
inline WideSparseMatrix graph_of(const Points& points, Index k) {
    return symmetric_graph(euclidean_lists(points, k), GraphSymmetry::Either);
}

struct Edge {
    Index from = 0;
    Index to = 0;
    double length = 0.0;
};

/// The graph of some edges, each given once.
inline WideSparseMatrix graph_of(Index count, const std::vector<Edge>& edges) {
    support::Matrix lengths = support::Matrix::Constant(count, count, -1.0);
    for (const Edge& edge : edges) {
        lengths(edge.from, edge.to) = lengths(edge.to, edge.from) = edge.length;
    }
    WideSparseMatrix graph{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < count; ++j) {
            if (lengths(i, j) >= 0.0) {
                graph.indices.push_back(j);
                graph.values.push_back(lengths(i, j));
            }
        }
        graph.offsets.push_back(graph.indices.size());
    }
    return graph;
}

/// Points in a row, each joined to the next by an edge of the given length.
inline WideSparseMatrix path_graph(const std::vector<double>& lengths) {
    std::vector<Edge> edges;
    for (Index i = 0; i < lengths.size(); ++i) {
        edges.push_back({i, i + 1, lengths[i]});
    }
    return graph_of(static_cast<Index>(lengths.size() + 1), edges);
}

}  // namespace isogon::reference
