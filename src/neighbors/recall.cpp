#include "neighbors/recall.hpp"

#include <algorithm>

#include "isogon/neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

/// Among all points a query finds itself as well, somewhere in its list: with inner products not even first.
template <class NumberOf>
NeighborLists without_self(const NeighborLists& with_self, const NumberOf& number_of) {
    const Index k = with_self.size - 1;
    NeighborLists lists{.size = k};
    lists.indices.reserve(std::size_t{with_self.count()} * k);
    lists.distances.reserve(std::size_t{with_self.count()} * k);
    for (Index a = 0; a < with_self.count(); ++a) {
        const std::size_t end = lists.indices.size() + k;
        for (Index b = 0; b <= k && lists.indices.size() < end; ++b) {
            if (with_self[a][b] != number_of(a)) {
                lists.indices.push_back(with_self[a][b]);
                lists.distances.push_back(with_self.distances_of(a)[b]);
            }
        }
    }
    return lists;
}

}  // namespace

NeighborLists exact_lists_of(const PointsView& points, std::span<const Index> rows, Index k, Metric metric,
                             const RunContext& context) {
    Points queries(static_cast<Index>(rows.size()), points.dimension);
    for (Index a = 0; a < queries.count(); ++a) {
        std::copy(points[rows[a]].begin(), points[rows[a]].end(), queries[a].begin());
    }
    return without_self(exact_neighbors(queries.view(), points, k + 1, metric, context),
                        [&](Index a) { return rows[a]; });
}

NeighborLists exact_lists_of(const PointsView& points, Range rows, Index k, Metric metric, const RunContext& context) {
    const PointsView queries(points.data + rows.begin * points.stride, static_cast<Index>(rows.size()),
                             points.dimension, points.stride);
    return without_self(exact_neighbors(queries, points, k + 1, metric, context),
                        [&](Index a) { return static_cast<Index>(rows.begin) + a; });
}

double recall(const NeighborLists& found, std::span<const Index> rows, const NeighborLists& truth) {
    const Index k = std::min(found.size, truth.size);
    std::uint64_t hits = 0;
    for (Index a = 0; a < rows.size(); ++a) {
        const float kth = truth.distances_of(a)[k - 1];
        const auto distances = found.distances_of(rows[a]).first(k);
        hits += static_cast<std::uint64_t>(
            std::count_if(distances.begin(), distances.end(), [&](float distance) { return distance <= kth; }));
    }
    return rows.empty() ? 1.0 : static_cast<double>(hits) / (static_cast<double>(rows.size()) * k);
}

}  // namespace isogon
