#include "graph/directed_edges.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Entries move up to where those of points themselves were.
void leave_selves_out(Index size, CsrMatrix<float>& matrix) {
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

CsrMatrix<float> directed_edges(NeighborLists lists) {
    require_edges(lists);
    CsrMatrix<float> matrix{.rows = lists.count(), .columns = lists.count()};
    matrix.offsets.resize(std::size_t{matrix.rows} + 1);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = lists[i];
        const bool itself = std::find(row.begin(), row.end(), i) != row.end();
        matrix.offsets[i + std::size_t{1}] = matrix.offsets[i] + row.size() - (itself ? 1 : 0);
    }
    matrix.indices = std::move(lists.indices);
    matrix.values = std::move(lists.distances);
    if (matrix.offsets.back() < matrix.indices.size()) {
        leave_selves_out(lists.size, matrix);
    }
    return matrix;
}

}  // namespace isogon
