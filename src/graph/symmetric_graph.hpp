#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// From neighbour lists to graphs: directed edges, the undirected graphs made of them, and bridges between components.
namespace isogon {

/// The undirected graph of neighbour lists within one set of points: a symmetric n x n matrix whose entries are
/// distances, in the unit of the lists, where i lists j, or j lists i. Where both lists have a distance, rounded
/// differently, the smaller one is used. Duplicates are joined by entries of value 0: an edge is an entry, whatever its
/// value. No point is joined to itself: entries of a list that are the point itself, as empty places are
/// (NeighborLists), are ignored.
///
/// Throws InputError (lists that do not belong to `lists.count()` points; a distance below 0, as inner products can
/// be), InvalidArgument (lists without distances), LimitExceeded. O(n k) time, memory symmetric_graph_bytes().
[[nodiscard]] CsrMatrix<double> symmetric_graph(NeighborLists lists, const RunContext& context = {});

/// Memory in addition to the lists, with the graph that is returned: up to 2 n k entries, three times.
[[nodiscard]] std::uint64_t symmetric_graph_bytes(Index points, Index neighbors);

/// A check of given graphs and weights. Throws InvalidArgument naming the first row that is wrong unless the matrix is
/// valid, square and equal to its transpose bit for bit, with no entry on the diagonal and none below 0. O(entries),
/// without another matrix beside it where there is nothing wrong.
void require_graph(const CsrMatrix<double>& graph, const RunContext& context = {});

/// Throws InputError (lists that do not belong to `lists.count()` points; a distance below 0, as inner products can be)
/// and InvalidArgument (lists without distances).
void require_edges(const NeighborLists& lists);

/// Neighbour lists with distances as a matrix, not symmetric: entry (i, j) where i lists j, in the order of the lists,
/// nearest first: columns do not ascend. No point is joined to itself; where none lists itself, nothing is copied.
/// Throws as symmetric_graph() does.
[[nodiscard]] CsrMatrix<float> directed_edges(NeighborLists lists);

/// A matrix whose rows have the columns of the lists, in their order, and zeros.
template <class Value>
[[nodiscard]] CsrMatrix<Value> zeros_at(const NeighborLists& lists, Index columns) {
    CsrMatrix<Value> matrix{.rows = lists.count(), .columns = columns};
    for (std::size_t end = lists.size; end <= lists.indices.size(); end += lists.size) {
        matrix.offsets.push_back(end);
    }
    matrix.indices = lists.indices;
    matrix.values.resize(matrix.indices.size());
    return matrix;
}

/// Calls take(column, a, b) by ascending column for every entry of row i of either matrix, rows sorted: a and b are its
/// values, null where a matrix has none.
template <class Value, class Take>
void merge_row(const CsrMatrix<Value>& left, const CsrMatrix<Value>& right, Index i, const Take& take) {
    const auto a = left.row_indices(i);
    const auto b = right.row_indices(i);
    constexpr Index none = std::numeric_limits<Index>::max();
    for (std::size_t k = 0, l = 0; k < a.size() || l < b.size();) {
        const Index from_left = k < a.size() ? a[k] : none;
        const Index from_right = l < b.size() ? b[l] : none;
        take(std::min(from_left, from_right), from_left <= from_right ? &left.row_values(i)[k] : nullptr,
             from_right <= from_left ? &right.row_values(i)[l] : nullptr);
        k += from_left <= from_right ? 1 : 0;
        l += from_right <= from_left ? 1 : 0;
    }
}

/// The symmetric matrix whose entry (i, j) is combine(w_ij, w_ji), a symmetric function; a null is a missing entry, and
/// a value below 0 makes no entry in the result. Rows of the edges need not be sorted. The same bits for any number of
/// threads. O(entries).
template <class Value, class Combine>
[[nodiscard]] CsrMatrix<double> undirected(CsrMatrix<Value> edges, const Combine& combine, const RunContext& context) {
    constexpr std::size_t rows_of_task = 256;
    const CsrMatrix<Value> in = transpose(edges, context);
    edges = {};                      // frees memory before the next transpose
    edges = transpose(in, context);  // rows sorted
    throw_if_cancelled(context);
    CsrMatrix<double> graph{.rows = in.rows, .columns = in.rows};
    graph.offsets.resize(std::size_t{graph.rows} + 1);
    const auto for_each_row = [&](const auto& work) {
        parallel_blocks(context, graph.rows, rows_of_task, [&](Range rows) {
            for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
                work(i);
            }
        });
    };
    for_each_row([&](Index i) {
        Offset kept = 0;
        merge_row(edges, in, i, [&](Index, const Value* a, const Value* b) { kept += combine(a, b) >= 0.0 ? 1U : 0U; });
        graph.offsets[i + std::size_t{1}] = kept;
    });
    std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
    graph.indices.resize(graph.offsets.back());
    graph.values.resize(graph.offsets.back());
    for_each_row([&](Index i) {
        Offset place = graph.offsets[i];
        merge_row(edges, in, i, [&](Index column, const Value* a, const Value* b) {
            const double value = combine(a, b);
            if (value >= 0.0) {
                graph.indices[place] = column;
                graph.values[place++] = value;
            }
        });
    });
    return graph;
}

/// The graph of symmetric_graph(lists) in float32, with little additional memory: the lists are
/// sorted by index in place, and every entry is written directly to its final position; one byte a neighbour records
/// whether the other point lists it too. The lists must fulfil require_edges(). The same bits for any number of
/// threads. O(n k log k).
[[nodiscard]] CsrMatrix<float> joined_lists(NeighborLists lists, const RunContext& context);

/// Connects the components of a graph of distances by the edges of a minimum spanning tree between components: one edge
/// fewer than components. Boruvka's algorithm: in each round every component but the largest finds the nearest point
/// outside itself. A connected graph is returned unchanged. Edges are exact neighbours (neighbors/exact_neighbors.hpp)
/// under `metric`, which must be that of the graph, in the graph's unit of length.
///
/// Time: a round evaluates all pairs of a point outside the largest component with a point of another component, s n D
/// multiplications for s such points, at most n^2 D. The number of rounds is at most the binary logarithm of the
/// number of components, usually two. Memory bridge_bytes(). Throws InvalidArgument (what is no graph; another
/// number of points; inner products, which are no distances), InputError (NaN), LimitExceeded; Interruption when the
/// context ends the run.
[[nodiscard]] CsrMatrix<double> bridge_components(const PointsView& points, Metric metric, CsrMatrix<double> graph,
                                                  const RunContext& context = {});

/// The same where all distances are known: a table of them (n, n), in `unit` times the graph's unit of length, infinite
/// where no way leads from one point to another. O(n^2) a round. Throws InputError for a part of the graph from which
/// no finite distance leads to another.
[[nodiscard]] CsrMatrix<double> bridge_components(const PointsView& table, double unit, CsrMatrix<double> graph,
                                                  const RunContext& context = {});

/// Memory in addition to the input: the points in another order, the search, and a second copy of the graph.
[[nodiscard]] std::uint64_t bridge_bytes(Index points, Index dimension, Offset entries);

/// Rows that are to be written as mixtures of their neighbours: `lists` has some of the points for every row.
struct NeighborMixtures {
    const PointsView& rows;
    const PointsView& points;
    const NeighborLists& lists;
    double ridge;
    SelfAllowed self;

    /// Throws InputError for lists that do not belong to these points, for NaN and for infinity.
    void require_valid() const {
        require_neighbor_lists(lists, rows.count, points.count, self, "neighbour lists");
        require_finite(rows, "input");
        require_finite(points, "points");
    }
};

}  // namespace isogon
