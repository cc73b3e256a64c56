#include "graph/symmetric_graph.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/given_neighbors.hpp"

namespace isogon {

namespace {

/// Removes the entries of the diagonal.
void remove_diagonal(Index size, CsrMatrix<float>& matrix) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < matrix.indices.size(); ++k) {
        if (matrix.indices[k] != k / size) {
            matrix.indices[kept] = matrix.indices[k];
            matrix.values[kept++] = matrix.values[k];
        }
    }
    matrix.indices.resize(kept);
    matrix.values.resize(kept);
}

}  // namespace

void require_edges(const NeighborLists& lists) {
    require_lists_of_points(lists, "neighbour lists");
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

CsrMatrix<float> directed_edges(NeighborLists lists) {
    require_edges(lists);
    CsrMatrix<float> matrix{.rows = lists.count(), .columns = lists.count()};
    matrix.offsets.resize(std::size_t{matrix.rows} + 1);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = lists[i];
        const auto empty = static_cast<std::size_t>(std::count(row.begin(), row.end(), i));
        matrix.offsets[i + std::size_t{1}] = matrix.offsets[i] + row.size() - empty;
    }
    matrix.indices = std::move(lists.indices);
    matrix.values = std::move(lists.distances);
    if (matrix.offsets.back() < matrix.indices.size()) {
        remove_diagonal(lists.size, matrix);
    }
    return matrix;
}

namespace {

constexpr std::size_t edge_rows_of_task = 256;

/// Sorts indices in place, together with their values.
template <class Indices, class Values>
void sort_together(Indices indices, Values values, std::vector<std::pair<Index, float>>& workspace) {
    workspace.clear();
    for (std::size_t k = 0; k < indices.size(); ++k) {
        workspace.emplace_back(indices[k], values[k]);
    }
    std::sort(workspace.begin(), workspace.end());
    for (std::size_t k = 0; k < indices.size(); ++k) {
        std::tie(indices[k], values[k]) = workspace[k];
    }
}

/// Lists sorted by index, and whether each neighbour lists the point as well.
class SortedLists {
public:
    SortedLists(NeighborLists lists, const RunContext& context)
        : lists_(std::move(lists)), mutual_(lists_.indices.size()) {
        each_row(context, [this](Index /*i*/, std::size_t begin, std::vector<std::pair<Index, float>>& workspace) {
            sort_together(std::span(lists_.indices).subspan(begin, lists_.size),
                          std::span(lists_.distances).subspan(begin, lists_.size), workspace);
        });
        each_row(context, [this](Index i, std::size_t begin, std::vector<std::pair<Index, float>>& /*workspace*/) {
            for (std::size_t place = begin; place < begin + lists_.size; ++place) {
                mutual_[place] = distance_in(lists_.indices[place], i) == nullptr ? 0 : 1;
            }
        });
    }

    [[nodiscard]] Index count() const { return lists_.count(); }
    [[nodiscard]] const NeighborLists& lists() const { return lists_; }
    /// Whether the neighbour at a place has the point in its own list.
    [[nodiscard]] bool mutual(std::size_t place) const { return mutual_[place] != 0; }

    /// The distance of i in list j, null if i is not in it.
    [[nodiscard]] const float* distance_in(Index j, Index i) const {
        const auto row = lists_[j];
        const auto at = std::lower_bound(row.begin(), row.end(), i);
        return at == row.end() || *at != i ? nullptr : &lists_.distances_of(j)[at - row.begin()];
    }

private:
    template <class Work>
    void each_row(const RunContext& context, const Work& work) {
        throw_if_cancelled(context);
        parallel_blocks(context, lists_.count(), edge_rows_of_task, [&](Range rows) {
            std::vector<std::pair<Index, float>> workspace;
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                work(static_cast<Index>(i), i * lists_.size, workspace);
            }
        });
    }

    NeighborLists lists_;
    std::vector<char> mutual_;
};

/// Calls take(i, j, distance) where i lists j, but j does not list i.
template <class Take>
void for_each_one_way(const SortedLists& sorted, const Take& take) {
    const NeighborLists& lists = sorted.lists();
    for (std::size_t place = 0; place < lists.indices.size(); ++place) {
        const auto i = static_cast<Index>(place / lists.size);
        if (lists.indices[place] != i && !sorted.mutual(place)) {
            take(i, lists.indices[place], lists.distances[place]);
        }
    }
}

CsrMatrix<float> empty_graph(const SortedLists& sorted) {
    CsrMatrix<float> graph{.rows = sorted.count(), .columns = sorted.count()};
    graph.offsets.assign(std::size_t{graph.rows} + 1, 0);
    for (Index i = 0; i < graph.rows; ++i) {
        const auto row = sorted.lists()[i];
        const auto [first, last] = std::equal_range(row.begin(), row.end(), i);  // empty places
        graph.offsets[i + 1] = row.size() - static_cast<std::size_t>(last - first);
    }
    for_each_one_way(sorted, [&](Index /*i*/, Index j, float /*distance*/) { ++graph.offsets[j + 1]; });
    for (Index i = 0; i < graph.rows; ++i) {
        graph.offsets[i + 1] += graph.offsets[i];
    }
    graph.indices.resize(graph.offsets.back());
    graph.values.resize(graph.offsets.back());
    return graph;
}

/// Writes a point's own list at the start of its row; returns the end of that part.
Offset write_own(const SortedLists& sorted, Index i, CsrMatrix<float>& graph) {
    Offset place = graph.offsets[i];
    const auto row = sorted.lists()[i];
    const auto distances = sorted.lists().distances_of(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] != i) {
            const float* other = sorted.distance_in(row[k], i);
            graph.indices[place] = row[k];
            graph.values[place++] = other == nullptr ? distances[k] : std::min(distances[k], *other);
        }
    }
    return place;
}

}  // namespace

CsrMatrix<float> joined_lists(NeighborLists lists, const RunContext& context) {
    require_edges(lists);
    const SortedLists sorted(std::move(lists), context);
    CsrMatrix<float> graph = empty_graph(sorted);
    std::vector<Offset> next(graph.rows);
    parallel_blocks(context, graph.rows, edge_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            next[i] = write_own(sorted, i, graph);
        }
    });
    throw_if_cancelled(context);
    for_each_one_way(sorted, [&](Index i, Index j, float distance) {
        graph.indices[next[j]] = i;
        graph.values[next[j]++] = distance;
    });
    parallel_blocks(context, graph.rows, edge_rows_of_task, [&](Range rows) {
        std::vector<std::pair<Index, float>> workspace;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::size_t size = graph.offsets[i + 1] - graph.offsets[i];
            sort_together(std::span(graph.indices).subspan(graph.offsets[i], size),
                          std::span(graph.values).subspan(graph.offsets[i], size), workspace);
        }
    });
    return graph;
}

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

CsrMatrix<double> symmetric_graph(NeighborLists lists, const RunContext& context) {
    require_memory(context, {{"the graph", symmetric_graph_bytes(lists.count(), lists.size)}},
                   "raise the limit or take fewer neighbors");
    throw_if_cancelled(context);
    return undirected(
        directed_edges(std::move(lists)),
        [](const float* a, const float* b) {
            return a != nullptr && b != nullptr ? double{std::min(*a, *b)} : double{*(a != nullptr ? a : b)};
        },
        context);
}

}  // namespace isogon
