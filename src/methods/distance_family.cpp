#include "methods/distance_family.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// Of two entries that are to be one distance: tables come from sums in different orders.
constexpr double most_apart = 1e-5;

[[noreturn]] void refuse(Index i, Index j, const std::string& why) {
    throw InputError("input", "row " + std::to_string(i) + ", column " + std::to_string(j), why);
}

/// Of both entries of a pair.
void require_distance(const PointsView& distances, Index i, Index j) {
    const double distance = distances[i][j];
    const double back = distances[j][i];
    if (distance < 0.0 || back < 0.0) {
        const bool this_way = distance < 0.0;
        refuse(this_way ? i : j, this_way ? j : i,
               "the distance " + std::to_string(this_way ? distance : back) + " is below 0");
    }
    if (i == j && distance != 0.0) {
        refuse(i, j, "the distance of a point to itself is " + std::to_string(distance) + ", not 0");
    }
    if (std::abs(distance - back) > most_apart * std::max(distance, back)) {
        refuse(i, j,
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
    for (Index i = 0; i < distances.count; ++i) {
        for (Index j = 0; j <= i; ++j) {
            require_distance(distances, i, j);
        }
    }
}

void DistanceFamily::rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const {
    const std::size_t size = distances_.count;
    parallel_blocks(context, sources.size(), 1, [&](Range range) {
        for (std::size_t s = range.begin; s < range.end; ++s) {
            const auto row = distances_[sources[s]];
            std::transform(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(s * size),
                           [](float distance) { return -0.5 * double{distance} * double{distance}; });
        }
    });
}

}  // namespace isogon
