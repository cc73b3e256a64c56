#include "neighbors/list_completion.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// Rows of a task: enough that a task is worth starting, few enough that all threads have some.
constexpr std::size_t rows_at_once = 64;

/// Whether nothing that is not among the candidates, and so has at most the last one's key, can be nearer than the
/// k-th of those `found`.
bool is_certain(const MetricSpace& space, Index row, std::span<const NearestSelection::Candidate> candidates,
                std::span<const Neighbor> found, Index k, SelfAllowed self) {
    const std::size_t others = space.points().count - (self == SelfAllowed::Yes ? 0U : 1U);
    const float kth = found[k - 1].distance;
    const float last = candidates.back().key;
    // Many copies of one point, or many points at right angles to this one: which of them are listed is a matter of
    // indices, not of rounding.
    const bool tie = kth == found.back().distance;
    const bool right_angles = space.symmetric() && last == 0.0F && candidates[k - 1].key == 0.0F;
    return candidates.size() == others || tie || right_angles || double{kth} <= space.least_distance(row, last);
}

/// Lists from the candidates; tells which rows are in doubt.
std::vector<Index> order_candidates(const MetricSpace& space, NearestSelection& selection, SelfAllowed self,
                                    NeighborLists& lists, const RunContext& context) {
    std::vector<char> doubtful(lists.count(), 0);
    parallel_blocks(context, lists.count(), rows_at_once, [&](Range range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto row = static_cast<Index>(i);
            const auto candidates = selection.finish(row);
            const auto found = measured(space, row, candidates, SelfAllowed::Yes);
            write_list(found, row, lists);
            doubtful[i] = is_certain(space, row, candidates, found, lists.size, self) ? 0 : 1;
        }
    });
    std::vector<Index> rows;
    for (Index row = 0; row < lists.count(); ++row) {
        if (doubtful[row] != 0) {
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace

Index candidates_for(Index k) {
    return k + std::max<Index>(8, k / 8);
}

std::vector<Neighbor> measured(const MetricSpace& space, Index query,
                               std::span<const NearestSelection::Candidate> candidates, SelfAllowed self) {
    std::vector<Neighbor> found;
    found.reserve(candidates.size());
    for (const auto& candidate : candidates) {
        if (candidate.index != query || self == SelfAllowed::Yes) {
            found.push_back({space.distance(query, candidate.index), candidate.index});
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Neighbor> nearest_of_all(const MetricSpace& space, Index query, Index k, SelfAllowed self) {
    std::vector<Neighbor> found;
    found.reserve(space.points().count);
    for (Index j = 0; j < space.points().count; ++j) {
        if (j != query || self == SelfAllowed::Yes) {
            found.push_back({space.distance(query, j), j});
        }
    }
    std::partial_sort(found.begin(), found.begin() + k, found.end());
    found.resize(k);
    return found;
}

NeighborLists empty_lists(Index rows, Index k) {
    NeighborLists lists{.size = k};
    lists.indices.resize(std::size_t{rows} * k);
    lists.distances.resize(std::size_t{rows} * k);
    return lists;
}

void write_list(std::span<const Neighbor> sorted, Index row, NeighborLists& lists) {
    for (Index a = 0; a < lists.size; ++a) {
        lists.indices[std::size_t{row} * lists.size + a] = sorted[a].index;
        lists.distances[std::size_t{row} * lists.size + a] = sorted[a].distance;
    }
}

NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k, SelfAllowed self,
                             const RunContext& context) {
    NeighborLists lists = empty_lists(space.queries().count, k);
    const std::vector<Index> doubtful = order_candidates(space, selection, self, lists, context);
    constexpr std::size_t group = 256;
    for (std::size_t start = 0; start < doubtful.size(); start += group) {
        stop_if_asked(context);
        parallel_tasks(context, std::min(group, doubtful.size() - start), [&](std::size_t t) {
            const Index row = doubtful[start + t];
            write_list(nearest_of_all(space, row, k, self), row, lists);
        });
        context.report({"rows searched again", start, doubtful.size(), 0.0});
    }
    return lists;
}

}  // namespace isogon
