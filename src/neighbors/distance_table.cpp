#include "neighbors/distance_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/float_text.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

// Tables of others hold rounding: of sums in different orders, of roots of differences, of 1 - cos.
constexpr double most_apart = 1e-5;        ///< difference of two entries that are to be one distance, as a share of it
constexpr double rounding_of_zero = 1e-6;  ///< for an entry that is to be 0, and below 0, as a share of the largest
constexpr double most_on_diagonal = 1e-4;  ///< share of the largest

constexpr std::size_t table_rows_of_task = 16;

[[noreturn]] void refuse_entry(Index i, Index j, const std::string& why) {
    throw InputError("input", "row " + std::to_string(i) + ", column " + std::to_string(j), why);
}

/// Checks both entries of a pair.
void require_distance(const PointsView& distances, Index i, Index j, double largest) {
    const float distance = distances[i][j];
    const float back = distances[j][i];
    const double rounding = rounding_of_zero * largest;
    if (distance < -rounding || back < -rounding) {
        const bool this_way = distance < -rounding;
        refuse_entry(this_way ? i : j, this_way ? j : i,
                     "the distance " + shortest_text(this_way ? distance : back) + " is below 0");
    }
    if (i == j && !(distance <= most_on_diagonal * largest)) {
        refuse_entry(i, j, "the distance of a point to itself is " + shortest_text(distance) + ", not 0");
    }
    const double apart = std::abs(double{distance} - double{back});
    if (distance != back && !(apart <= std::max(most_apart * double{std::min(distance, back)}, rounding))) {
        refuse_entry(i, j,
                     "the distance is " + shortest_text(distance) + ", the other way " + shortest_text(back) +
                         "; a table of distances must be symmetric");
    }
}

void require_numbers_in(const PointsView& distances, Unconnected unconnected) {
    if (unconnected == Unconnected::Refused) {
        require_finite(distances, "input");
        return;
    }
    for (Index i = 0; i < distances.count; ++i) {
        const auto row = distances[i];
        const auto bad = std::find_if(row.begin(), row.end(), [](float distance) {
            return std::isnan(distance) || distance == -std::numeric_limits<float>::infinity();
        });
        if (bad != row.end()) {
            refuse_entry(i, static_cast<Index>(bad - row.begin()), "the distance is " + shortest_text(*bad));
        }
    }
}

}  // namespace

double largest_in_table(const PointsView& distances) {
    float largest = 0.0F;
    for (Index i = 0; i < distances.count; ++i) {
        for (const float distance : distances[i]) {
            largest = std::isfinite(distance) ? std::max(largest, distance) : largest;
        }
    }
    return largest;
}

void require_distance_table(const PointsView& distances, Unconnected unconnected) {
    if (distances.count != distances.dimension) {
        throw InputError("input", "",
                         std::to_string(distances.count) + " x " + std::to_string(distances.dimension) +
                             ": a table of distances has as many columns as rows");
    }
    require_numbers_in(distances, unconnected);
    const double largest = largest_in_table(distances);
    for (Index i = 0; i < distances.count; ++i) {
        for (Index j = 0; j <= i; ++j) {
            require_distance(distances, i, j, largest);
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
                if (j != i && std::isfinite(distances[i][j])) {
                    others.push_back({std::max(distances[i][j], 0.0F), j});
                }
            }
            const auto found = std::min<std::size_t>(k, others.size());
            std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(found), others.end());
            // Places without a neighbour are empty.
            others.resize(std::max<std::size_t>(k, others.size()), {found == 0 ? 0.0F : others[found - 1].distance, i});
            write_list(others, i, lists);
        }
    });
    throw_if_cancelled(context);
    return lists;
}

}  // namespace isogon
