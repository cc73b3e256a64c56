#include "faithful/neighbors.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/system_memory.hpp"
#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "methods/input_points.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "neighbors/given_neighbors.hpp"
#include "neighbors/ivf_index.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

namespace {

/// An index is taken unasked only where it fits beside the inputs: what was stated is an exact search.
bool index_fits(const DistributedPoints& points, const RunContext& context) {
    const std::uint64_t inputs = std::uint64_t{points.count()} * points.dimension() * sizeof(float);
    const std::uint64_t bytes = inputs + IvfIndex::bytes(points.count(), points.dimension());
    return bytes <= context.memory_limit.value_or(bytes);
}

}  // namespace

Index neighbors_to_keep(const FaithfulOptions& options, Index points, const NeighborLists* given) {
    constexpr Index usual = FaithfulOptions::usual_neighbors;
    if (given != nullptr) {
        if (given->count() != points) {
            throw InvalidArgument("neighbor graph", std::to_string(given->count()) + " lists",
                                  "there must be one for each of " + std::to_string(points) + " points");
        }
    }
    const Index others = points > 0 ? points - 1 : 0;
    const Index most_neighbors = given != nullptr ? std::min(given->size, others) : others;
    const auto k = static_cast<Index>(options.neighbors.value_or(static_cast<int>(std::min(usual, most_neighbors))));
    if (k > most_neighbors) {
        throw InvalidArgument(
            "neighbors", std::to_string(k),
            "must be at most " + std::to_string(most_neighbors) +
                (given != nullptr && most_neighbors < others ? ", which is what the given lists hold for each point"
                                                             : ", the number of other points"));
    }
    return k;
}

Points unit_points(const DistributedPoints& points, Metric metric, const RunContext& context) {
    if (metric == Metric::Cosine) {
        return at_length_one(points, context).points;
    }
    if (metric == Metric::Correlation) {
        const Points centred = centred_rows(points.local(), context);
        return at_length_one(points.with(centred.view()), context).points;
    }
    return {};
}

NeighborLists neighbors_of_all(const DistributedPoints& points, const FaithfulNeighbors& wanted,
                               const RunContext& context, Summary& summary) {
    const auto& [options, k, metric, given, unit, search] = wanted;
    if (given != nullptr) {
        const Points gathered = points.is_distributed() ? points.gather_range({0, points.count()}) : Points();
        const PointsView all = points.is_distributed() ? gathered.view() : points.local();
        // Distances between the points as the fit sees them: those of a file may be in another unit or metric.
        const NeighborLists indices{.size = given->size, .indices = given->indices};
        return neighbors_of(all,
                            {.neighbors = static_cast<int>(k),
                             .metric = metric,
                             .given = all.dimension > 0 ? &indices : given,
                             .unit = unit,
                             .unequal = true},
                            summary, context);
    }
    const PhaseTimer timer(summary, "neighbors");
    // Exactly as long as that takes up to 2e13 multiplications, some minutes on two cores, as for a million digits;
    // beyond, by an index that finds 99% of a sample's, where there is one at half the cost or less. Not earlier: the
    // descent works against neighbours that were missed, as if they were any other points, and loses most of the time
    // that the search has won.
    NeighborSearchOptions how{.neighbors = k, .metric = metric, .search = SearchKind::Exact};
    if (index_fits(points, context)) {
        how.search = search;
        how.recall = 0.99;
        how.seed = options.seed;
        how.cheap = 2e13;
    }
    NeighborSearch found = search_step(points, how, context);
    summary.count("exact_neighbors", found.summary.value("exact", 1.0));
    summary.measure("neighbor_recall", found.summary.value("recall", 1.0));
    trim_heap();  // the freed index was larger than all later allocations
    return std::move(found.lists);
}

}  // namespace isogon
