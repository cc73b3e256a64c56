#include "isogon/neighbors/distance_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

/// Of two entries that are to be one distance: tables come from sums in different orders.
constexpr double most_apart = 1e-5;

constexpr std::size_t table_rows_of_task = 16;

[[noreturn]] void refuse_entry(Index i, Index j, const std::string& why) {
    throw InputError("input", "row " + std::to_string(i) + ", column " + std::to_string(j), why);
}

/// Of both entries of a pair.
void require_distance(const PointsView& distances, Index i, Index j) {
    const double distance = distances[i][j];
    const double back = distances[j][i];
    if (distance < 0.0 || back < 0.0) {
        const bool this_way = distance < 0.0;
        refuse_entry(this_way ? i : j, this_way ? j : i,
                     "the distance " + std::to_string(this_way ? distance : back) + " is below 0");
    }
    if (i == j && distance != 0.0) {
        refuse_entry(i, j, "the distance of a point to itself is " + std::to_string(distance) + ", not 0");
    }
    if (std::abs(distance - back) > most_apart * std::max(distance, back)) {
        refuse_entry(i, j,
                     "the distance is " + std::to_string(distance) + ", the other way " + std::to_string(back) +
                         "; a table of distances must be symmetric");
    }
}

}  // namespace

void require_distance_table(const PointsView& distances) {
    if (distances.count != distances.dimension) {
        throw InputError("input", "",
                         std::to_string(distances.count) + " x " + std::to_string(distances.dimension) +
                             ": a table of distances has as many columns as rows");
    }
    require_finite(distances, "input");
    for (Index i = 0; i < distances.count; ++i) {
        for (Index j = 0; j <= i; ++j) {
            require_distance(distances, i, j);
        }
    }
}

NeighborLists nearest_in_table(const PointsView& distances, Index k, const RunContext& context) {
    require_memory(context, {{"the neighbours", neighbor_bytes(distances.count, k)}},
                   "raise the limit or take fewer neighbors");
    NeighborLists lists = empty_lists(distances.count, k);
    throw_if_cancelled(context);
    parallel_blocks(context, distances.count, table_rows_of_task, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        std::vector<Neighbor> others;
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            others.clear();
            for (Index j = 0; j < distances.count; ++j) {
                if (j != i) {
                    others.push_back({distances[i][j], j});
                }
            }
            std::partial_sort(others.begin(), others.begin() + k, others.end());
            write_list(others, i, lists);
        }
    });
    throw_if_cancelled(context);
    return lists;
}

}  // namespace isogon
