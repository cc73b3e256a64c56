#include "isogon/graph/symmetric_graph.hpp"

#include <algorithm>
#include <string>

#include "graph/directed_edges.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

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
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    stop_if_asked(context);
    const double alone = symmetry == GraphSymmetry::Either ? 1.0 : -1.0;
    return undirected(
        directed_edges(lists),
        [alone](const double* a, const double* b) {
            if (a != nullptr && b != nullptr) {
                return std::min(*a, *b);
            }
            return alone < 0.0 ? alone : *(a != nullptr ? a : b);
        },
        context);
}

}  // namespace isogon
