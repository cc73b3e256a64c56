#include "neighbors/kept_neighbors.hpp"

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/tied_neighbors.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

/// The lists of these rows, one after the other.
NeighborLists of_rows(const NeighborLists& lists, std::span<const Index> rows) {
    NeighborLists some{.size = lists.size};
    some.indices.reserve(rows.size() * lists.size);
    some.distances.reserve(lists.distances.empty() ? 0 : rows.size() * lists.size);
    for (const Index row : rows) {
        some.indices.insert(some.indices.end(), lists[row].begin(), lists[row].end());
        if (!lists.distances.empty()) {
            const auto distances = lists.distances_of(row);
            some.distances.insert(some.distances.end(), distances.begin(), distances.end());
        }
    }
    return some;
}

}  // namespace

std::vector<KeptNeighbors::OfPoint> KeptNeighbors::worst(std::size_t most) const {
    std::vector<std::size_t> places(rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
    std::partial_sort(places.begin(), end, places.end(), [&](std::size_t a, std::size_t b) {
        return shares[a] != shares[b] ? shares[a] < shares[b] : a < b;
    });
    std::vector<OfPoint> points;
    for (auto place = places.begin(); place != end && shares[*place] < 1.0F; ++place) {
        points.push_back({rows[*place], double{shares[*place]}});
    }
    return points;
}

KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& inputs, const PointsView& outputs,
                             Metric metric, const RunContext& context) {
    const Index listed = std::min(lists.size + 1, outputs.count - 1);
    const bool sampled = outputs.count > KeptNeighbors::most_rows;
    constexpr Metric by_distance = Metric::Euclidean;
    const std::vector<Index> rows =
        sample_rows(outputs.count, KeptNeighbors::most_rows, 0, RandomStream::NeighborSample);
    const NeighborLists found = sampled ? exact_lists_of(outputs, rows, listed, by_distance, context)
                                        : of_rows(exact_neighbors(outputs, listed, by_distance, context), rows);
    return count_kept(rows, {of_rows(lists, rows), {inputs, inputs, metric}}, {found, {outputs, outputs, by_distance}},
                      context);
}

}  // namespace isogon
