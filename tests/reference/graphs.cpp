#include "reference/graphs.hpp"

namespace isogon::reference {

support::Matrix dense(const CsrMatrix<double>& matrix) {
    support::Matrix result = support::Matrix::Zero(matrix.rows, matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result(i, matrix.row_indices(i)[k]) = matrix.row_values(i)[k];
        }
    }
    return result;
}

NeighborLists euclidean_lists(const support::Matrix& rows, const support::Matrix& points, Index k, bool self) {
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

NeighborLists euclidean_lists(const Points& points, Index k) {
    const support::Matrix x = support::to_matrix(points);
    return euclidean_lists(x, x, k, true);
}

CsrMatrix<double> graph_of(const Points& points, Index k) {
    return symmetric_graph(euclidean_lists(points, k));
}

CsrMatrix<double> graph_of(Index count, const std::vector<Edge>& edges) {
    support::Matrix lengths = support::Matrix::Constant(count, count, -1.0);
    for (const Edge& edge : edges) {
        lengths(edge.from, edge.to) = lengths(edge.to, edge.from) = edge.length;
    }
    CsrMatrix<double> graph{.rows = count, .columns = count};
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

std::vector<double> path_lengths(const CsrMatrix<double>& graph, Index source) {
    std::vector<double> lengths(graph.rows, std::numeric_limits<double>::infinity());
    lengths[source] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Index i = 0; i < graph.rows; ++i) {
            for (std::size_t k = 0; k < graph.row_indices(i).size(); ++k) {
                const double further = lengths[i] + graph.row_values(i)[k];
                double& there = lengths[graph.row_indices(i)[k]];
                changed = changed || further < there;
                there = std::min(there, further);
            }
        }
    }
    return lengths;
}

std::vector<CsrMatrix<double>> awkward_graphs() {
    std::vector<CsrMatrix<double>> graphs;
    graphs.push_back(graph_of(random_points(200, 20, 1), 6));
    graphs.push_back(graph_of(random_points(300, 2, 2), 5));
    graphs.push_back(graph_of(whole_points(120, 2, 6, 3), 4));
    graphs.push_back(graph_of(equal_points(30, 2), 2));
    graphs.push_back(graph_of(random_points(100, 3, 4), 1));
    std::vector<Edge> ring;
    std::vector<Edge> star;
    for (Index i = 0; i < 60; ++i) {
        ring.push_back({i, (i + 1) % 60, 0.1 * (1 + i % 3)});
        star.push_back({0, i + 1, 1e-3 + i});
    }
    graphs.push_back(graph_of(60, ring));
    graphs.push_back(graph_of(62, star));
    graphs.push_back(graph_of(3, std::vector<Edge>{{0, 2, 1e300}}));
    return graphs;
}

CsrMatrix<double> path_graph(const std::vector<double>& lengths) {
    std::vector<Edge> edges;
    for (Index i = 0; i < lengths.size(); ++i) {
        edges.push_back({i, i + 1, lengths[i]});
    }
    return graph_of(static_cast<Index>(lengths.size() + 1), edges);
}

}  // namespace isogon::reference
