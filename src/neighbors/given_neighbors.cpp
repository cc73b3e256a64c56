#include "neighbors/given_neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "neighbors/list_checks.hpp"

namespace isogon {

namespace {

/// Distances below 0 by no more than rounding become 0.
void raise_to_zero(std::vector<float>& distances) {
    constexpr float rounding = 1e-6F;  // share of the longest
    const auto [least, longest] = std::minmax_element(distances.begin(), distances.end());
    if (least != distances.end() && *least < 0.0F && *least >= -rounding * *longest) {
        std::ranges::for_each(distances, [](float& distance) { distance = std::max(distance, 0.0F); });
    }
}

/// Sorts neighbours whose distances descend by no more than rounding.
void sort_rounded(std::span<Index> row, std::span<float> distances) {
    constexpr float rounding = 1e-5F;  // share of the longest
    float longest = 0.0F;
    float descent = 0.0F;
    for (std::size_t a = 0; a < distances.size(); ++a) {
        longest = std::max(longest, std::abs(distances[a]));
        descent = std::max(descent, a == 0 ? 0.0F : distances[a - 1] - distances[a]);
    }
    if (descent == 0.0F || !(descent <= rounding * longest)) {
        return;
    }
    std::vector<std::pair<float, Index>> sorted;
    for (std::size_t a = 0; a < row.size(); ++a) {
        sorted.emplace_back(distances[a], row[a]);
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t a = 0; a < row.size(); ++a) {
        std::tie(distances[a], row[a]) = sorted[a];
    }
}

/// Moves the point itself to the end of its list, whose places are empty then. Returns how many are not.
Index put_right(NeighborLists& lists, Index i) {
    const std::span row(lists.indices.data() + std::size_t{i} * lists.size, lists.size);
    const std::span distances(lists.distances.data() + (lists.distances.empty() ? 0 : std::size_t{i} * lists.size),
                              lists.distances.empty() ? 0 : lists.size);
    Index kept = 0;
    for (Index k = 0; k < lists.size; ++k) {
        if (row[k] != i) {
            row[kept] = row[k];
            if (!distances.empty()) {
                distances[kept] = distances[k];
            }
            ++kept;
        }
    }
    std::ranges::fill(row.subspan(kept), i);
    if (!distances.empty() && kept > 0) {
        sort_rounded(row.first(kept), distances.first(kept));
        std::ranges::fill(distances.subspan(kept), distances[kept - 1]);
    }
    return kept;
}

}  // namespace

NeighborLists neighbor_lists_from(NeighborLists lists, Index points, const std::string& source) {
    // Sizes first, as all else reads by them.
    if (lists.size == 0 || lists.indices.size() != std::size_t{points} * lists.size ||
        (!lists.distances.empty() && lists.distances.size() != lists.indices.size())) {
        check_lists(lists, points, points, OwnIndex::EmptyPlace, source);
    }
    raise_to_zero(lists.distances);
    Index longest = 0;
    for (Index i = 0; i < points; ++i) {
        const Index kept = put_right(lists, i);
        if (kept == 0) {
            throw InputError(source, "row " + std::to_string(i),
                             "holds no neighbour but the point itself: a point needs at least one other");
        }
        longest = std::max(longest, kept);
    }
    lists = nearest_of(lists, longest);
    check_lists(lists, points, points, OwnIndex::EmptyPlace, source);
    return lists;
}

void require_lists_of_points(const NeighborLists& lists, const std::string& source) {
    check_lists(lists, lists.count(), lists.count(), OwnIndex::EmptyPlace, source);
}

Index filled_places(const NeighborLists& lists, Index i, std::size_t point) {
    Index filled = lists.size;
    while (filled > 0 && lists[i][filled - 1] == point) {
        --filled;
    }
    return filled;
}

void require_equal_lengths(const NeighborLists& lists, const std::string& source) {
    for (Index i = 0; i < lists.count(); ++i) {
        if (const Index filled = filled_places(lists, i, i); filled < lists.size) {
            throw InputError(source, "row " + std::to_string(i),
                             "holds " + std::to_string(filled) + " neighbours besides the point itself, and others " +
                                 std::to_string(lists.size) + ": all lists must be of one length here");
        }
    }
}

Index shortest_list(const NeighborLists& lists) {
    Index shortest = lists.size;
    for (Index i = 0; i < lists.count(); ++i) {
        shortest = std::min(shortest, filled_places(lists, i, i));
    }
    return shortest;
}

}  // namespace isogon
