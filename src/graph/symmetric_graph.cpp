#include "isogon/graph/symmetric_graph.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 1024;

void require_distances(const NeighborLists& lists) {
    require_neighbor_lists(lists, lists.count(), lists.count(), SelfAllowed::Yes, "neighbour lists");
    if (lists.distances.empty()) {
        throw InvalidArgument("neighbour lists", "indices alone", "must hold distances, which become the edges'");
    }
    for (Index i = 0; i < lists.count(); ++i) {
        // Ascending: the first is the least.
        if (lists.distances_of(i).front() < 0.0F) {
            throw InputError("neighbour lists", "row " + std::to_string(i),
                             "its distance " + std::to_string(lists.distances_of(i).front()) +
                                 " is below 0; a graph needs a metric such as euclidean or cosine");
        }
    }
}

/// Entry (i, j) where i lists j, in the order of the lists.
WideSparseMatrix listed(const NeighborLists& lists) {
    WideSparseMatrix matrix{.rows = lists.count(), .columns = lists.count()};
    matrix.offsets.reserve(std::size_t{matrix.rows} + 1);
    matrix.indices.reserve(lists.indices.size());
    matrix.values.reserve(lists.indices.size());
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index k = 0; k < lists.size; ++k) {
            if (lists[i][k] != i) {
                matrix.indices.push_back(lists[i][k]);
                matrix.values.push_back(double{lists.distances_of(i)[k]});
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

/// Calls take(column, distance) for the edges of row i, by ascending column: a merge of who it lists and who lists it.
template <class Take>
void merge_row(const WideSparseMatrix& out, const WideSparseMatrix& in, Index i, GraphSymmetry symmetry,
               const Take& take) {
    const auto a = out.row_indices(i);
    const auto b = in.row_indices(i);
    constexpr Index none = std::numeric_limits<Index>::max();
    for (std::size_t k = 0, l = 0; k < a.size() || l < b.size();) {
        const Index left = k < a.size() ? a[k] : none;
        const Index right = l < b.size() ? b[l] : none;
        if (left == right) {
            take(left, std::min(out.row_values(i)[k], in.row_values(i)[l]));
        } else if (symmetry == GraphSymmetry::Either) {
            take(std::min(left, right), left < right ? out.row_values(i)[k] : in.row_values(i)[l]);
        }
        k += left <= right ? 1 : 0;
        l += right <= left ? 1 : 0;
    }
}

[[noreturn]] void refuse(Index row, const std::string& why) {
    throw InvalidArgument("graph", "row " + std::to_string(row), why);
}

void require_row(const WideSparseMatrix& graph, const WideSparseMatrix& mirrored, Index i) {
    const auto columns = graph.row_indices(i);
    const auto values = graph.row_values(i);
    const auto others = mirrored.row_indices(i);
    if (!std::equal(columns.begin(), columns.end(), others.begin(), others.end()) ||
        !std::equal(values.begin(), values.end(), mirrored.row_values(i).begin())) {
        refuse(i, "the matrix must be symmetric, entry by entry");
    }
    if (std::binary_search(columns.begin(), columns.end(), i)) {
        refuse(i, "no point may be joined to itself");
    }
    if (std::any_of(values.begin(), values.end(), [](double value) { return value < 0.0; })) {
        refuse(i, "no entry may be below 0");
    }
}

}  // namespace

void require_graph(const WideSparseMatrix& graph) {
    if (graph.rows != graph.columns) {
        throw InvalidArgument("graph", std::to_string(graph.rows) + " x " + std::to_string(graph.columns),
                              "must have as many columns as rows");
    }
    validate(graph);
    const WideSparseMatrix mirrored = transpose(graph);
    for (Index i = 0; i < graph.rows; ++i) {
        require_row(graph, mirrored, i);
    }
}

std::uint64_t symmetric_graph_bytes(Index points, Index neighbors) {
    constexpr std::uint64_t entry = sizeof(Index) + sizeof(double);
    const std::uint64_t entries = std::uint64_t{points} * neighbors;
    // Who lists whom, both ways, while the graph is made.
    return 4 * entries * entry + 4 * (std::uint64_t{points} + 1) * sizeof(Offset);
}

WideSparseMatrix symmetric_graph(const NeighborLists& lists, GraphSymmetry symmetry, const RunContext& context) {
    require_distances(lists);
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    stop_if_asked(context);
    const WideSparseMatrix in = transpose(listed(lists));
    const WideSparseMatrix out = transpose(in);  // rows sorted
    WideSparseMatrix graph{.rows = in.rows, .columns = in.rows};
    graph.offsets.resize(std::size_t{graph.rows} + 1);
    for (Index i = 0; i < graph.rows; ++i) {
        Offset edges = 0;
        merge_row(out, in, i, symmetry, [&](Index, double) { ++edges; });
        graph.offsets[i + 1] = graph.offsets[i] + edges;
    }
    graph.indices.resize(graph.offsets.back());
    graph.values.resize(graph.offsets.back());
    parallel_blocks(context, graph.rows, rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            Offset place = graph.offsets[i];
            merge_row(out, in, i, symmetry, [&](Index column, double distance) {
                graph.indices[place] = column;
                graph.values[place++] = distance;
            });
        }
    });
    return graph;
}

}  // namespace isogon
