#include "neighbors/list_completion.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// Rows of a task: enough that a task is worth starting, few enough that all threads have some.
constexpr std::size_t rows_at_once = 64;

class Completion {
public:
    Completion(const MetricSpace& space, Index k, SelfAllowed self) : space_(space), k_(k), self_(self) {}

    /// False if the row's list may not be the nearest.
    bool from_candidates(Index row, std::span<const NearestSelection::Candidate> candidates,
                         NeighborLists& lists) const {
        std::vector<Neighbor> found(candidates.size());
        std::transform(candidates.begin(), candidates.end(), found.begin(), [&](const auto& candidate) {
            return Neighbor{space_.distance(row, candidate.index), candidate.index};
        });
        std::sort(found.begin(), found.end());
        write_list(found, row, lists);
        return is_certain(row, candidates, found);
    }

    void from_all(Index row, NeighborLists& lists) const {
        std::vector<Neighbor> found;
        found.reserve(space_.points().count);
        for (Index j = 0; j < space_.points().count; ++j) {
            if (j != row || self_ == SelfAllowed::Yes) {
                found.push_back({space_.distance(row, j), j});
            }
        }
        std::partial_sort(found.begin(), found.begin() + k_, found.end());
        write_list(found, row, lists);
    }

private:
    /// What is not among the candidates has at most the last one's key.
    [[nodiscard]] bool is_certain(Index row, std::span<const NearestSelection::Candidate> candidates,
                                  std::span<const Neighbor> found) const {
        const std::size_t others = space_.points().count - (self_ == SelfAllowed::Yes ? 0U : 1U);
        const float kth = found[k_ - 1].distance;
        const float last = candidates.back().key;
        // Many copies of one point, or many points at right angles to this one: which of them are listed is a matter
        // of indices, not of rounding.
        const bool tie = kth == found.back().distance;
        const bool right_angles = space_.symmetric() && last == 0.0F && candidates[k_ - 1].key == 0.0F;
        return candidates.size() == others || tie || right_angles || double{kth} <= space_.least_distance(row, last);
    }

    const MetricSpace& space_;
    Index k_;
    SelfAllowed self_;
};

}  // namespace

Index candidates_for(Index k) {
    return k + std::max<Index>(8, k / 8);
}

void write_list(std::span<const Neighbor> sorted, Index row, NeighborLists& lists) {
    for (Index a = 0; a < lists.size; ++a) {
        lists.indices[std::size_t{row} * lists.size + a] = sorted[a].index;
        lists.distances[std::size_t{row} * lists.size + a] = sorted[a].distance;
    }
}

NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k, SelfAllowed self,
                             const RunContext& context) {
    const Index rows = space.queries().count;
    NeighborLists lists{.size = k};
    lists.indices.resize(std::size_t{rows} * k);
    lists.distances.resize(std::size_t{rows} * k);
    const Completion completion(space, k, self);
    std::vector<char> uncertain(rows, 0);
    parallel_blocks(context, rows, rows_at_once, [&](Range range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto row = static_cast<Index>(i);
            uncertain[i] = completion.from_candidates(row, selection.finish(row), lists) ? 0 : 1;
        }
    });
    stop_if_asked(context);
    std::vector<Index> again;
    for (Index row = 0; row < rows; ++row) {
        if (uncertain[row] != 0) {
            again.push_back(row);
        }
    }
    constexpr std::size_t group = 256;
    for (std::size_t start = 0; start < again.size(); start += group) {
        stop_if_asked(context);
        parallel_tasks(context, std::min(group, again.size() - start),
                       [&](std::size_t t) { completion.from_all(again[start + t], lists); });
        context.report({"rows searched again", start, again.size(), 0.0});
    }
    return lists;
}

}  // namespace isogon
