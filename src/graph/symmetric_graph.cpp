#include "isogon/graph/symmetric_graph.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "graph/directed_edges.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t symmetric_rows_of_task = 1024;

[[noreturn]] void refuse(Index row, const std::string& why) {
    throw InvalidArgument("graph", "row " + std::to_string(row), why);
}

void require_row(const CsrMatrix<double>& graph, const CsrMatrix<double>& mirrored, Index i) {
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

bool row_is_valid(const CsrMatrix<double>& graph, Index i) {
    const auto columns = graph.row_indices(i);
    const auto values = graph.row_values(i);
    bool good = true;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const bool ascends = k == 0 || columns[k - 1] < columns[k];
        good = good && ascends && columns[k] != i && values[k] >= 0.0 && std::isfinite(values[k]);
    }
    return good && (columns.empty() || columns.back() < graph.columns);
}

/// Whether the matrix is square and passes all checks that need one row only.
bool rows_are_valid(const CsrMatrix<double>& graph, const RunContext& context) {
    const bool shape = graph.rows == graph.columns && graph.offsets.size() == std::size_t{graph.rows} + 1 &&
                       graph.offsets.front() == 0 && graph.offsets.back() == graph.indices.size() &&
                       graph.indices.size() == graph.values.size() &&
                       std::is_sorted(graph.offsets.begin(), graph.offsets.end());
    return shape && parallel_sum(context, graph.rows, symmetric_rows_of_task, [&](Range rows) {
                        double bad = 0.0;
                        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
                            bad += row_is_valid(graph, i) ? 0.0 : 1.0;
                        }
                        return bad;
                    }) == 0.0;
}

/// Whether the lower halves of some rows are the mirror images of the upper halves of all rows. Visits the rows in
/// order: the entries of a row left of the diagonal then occur as mirror images one after the other, so that no
/// transpose is needed.
bool lower_halves_are_equal(const CsrMatrix<double>& graph, Range some) {
    std::vector<Offset> next(graph.offsets.begin() + static_cast<std::ptrdiff_t>(some.begin),
                             graph.offsets.begin() + static_cast<std::ptrdiff_t>(some.end));
    for (Index i = 0; i < some.end; ++i) {
        const auto columns = graph.row_indices(i);
        const auto first = std::lower_bound(columns.begin(), columns.end(), std::max<std::size_t>(some.begin, i));
        for (auto k = static_cast<std::size_t>(first - columns.begin()); k < columns.size() && columns[k] < some.end;
             ++k) {
            const Offset mirrored = next[columns[k] - some.begin]++;
            if (mirrored == graph.offsets[columns[k] + std::size_t{1}] || graph.indices[mirrored] != i ||
                graph.values[mirrored] != graph.row_values(i)[k]) {
                return false;
            }
        }
    }
    // Every entry of a lower half must have been found as a mirror image.
    for (std::size_t j = some.begin; j < some.end; ++j) {
        const Offset left = next[j - some.begin];
        if (left < graph.offsets[j + 1] && graph.indices[left] < j) {
            return false;
        }
    }
    return true;
}

bool halves_are_equal(const CsrMatrix<double>& graph, const RunContext& context) {
    // Every part reads all rows before its own.
    constexpr std::size_t parts = 16;
    const std::size_t rows = std::max<std::size_t>(block_count(graph.rows, parts), symmetric_rows_of_task);
    return parallel_sum(context, graph.rows, rows,
                        [&](Range some) { return lower_halves_are_equal(graph, some) ? 0.0 : 1.0; }) == 0.0;
}

}  // namespace

void require_graph(const CsrMatrix<double>& graph, const RunContext& context) {
    if (rows_are_valid(graph, context) && halves_are_equal(graph, context)) {
        return;
    }
    if (graph.rows != graph.columns) {
        throw InvalidArgument("graph", std::to_string(graph.rows) + " x " + std::to_string(graph.columns),
                              "must have as many columns as rows");
    }
    validate(graph);
    const CsrMatrix<double> mirrored = transpose(graph);
    for (Index i = 0; i < graph.rows; ++i) {
        require_row(graph, mirrored, i);
    }
}

std::uint64_t symmetric_graph_bytes(Index points, Index neighbors) {
    constexpr std::uint64_t entry = sizeof(Index) + sizeof(double);
    const std::uint64_t entries = std::uint64_t{points} * neighbors;
    // The directed graph and its transpose, while the result is computed.
    return 4 * entries * entry + 4 * (std::uint64_t{points} + 1) * sizeof(Offset);
}

CsrMatrix<double> symmetric_graph(NeighborLists lists, GraphSymmetry symmetry, const RunContext& context) {
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    throw_if_cancelled(context);
    const double alone = symmetry == GraphSymmetry::Either ? 1.0 : -1.0;
    return undirected(
        directed_edges(std::move(lists)),
        [alone](const float* a, const float* b) {
            if (a != nullptr && b != nullptr) {
                return double{std::min(*a, *b)};
            }
            return alone < 0.0 ? alone : double{*(a != nullptr ? a : b)};
        },
        context);
}

}  // namespace isogon
