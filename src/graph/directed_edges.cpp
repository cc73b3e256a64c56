#include "graph/directed_edges.hpp"

#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

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

WideSparseMatrix directed_edges(const NeighborLists& lists) {
    require_edges(lists);
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

}  // namespace isogon
