#include "methods/matching/faithful_neighbors.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/system_memory.hpp"
#include "isogon/neighbors/given_neighbors.hpp"
#include "isogon/neighbors/ivf_index.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

namespace {

bool belongs_to_one_threshold(const FaithfulOptions& options) {
    return options.threshold || options.weights != PairWeights::Unit || options.start != FaithfulStart::Svd ||
           options.output != FaithfulOutput::Cosine;
}

Index neighbors_or_none(const FaithfulOptions& options, Index others, const NeighborLists* given) {
    const Index usual = given == nullptr ? 12 : std::min(12U, shortest_list(*given));
    const bool by_distance = options.metric == Metric::Euclidean;
    if (by_distance && options.threshold) {
        throw InvalidArgument("threshold", to_text(OptionValue{*options.threshold}),
                              "is a cosine, and has no effect with metric euclidean: leave one of them out");
    }
    if (!options.neighbors) {
        return belongs_to_one_threshold(options) && !by_distance ? 0 : std::min(usual, others);
    }
    if (by_distance && *options.neighbors == 0) {
        throw InvalidArgument("neighbors", "0",
                              "is one threshold for all angles; metric euclidean needs neighbors of 1 or more");
    }
    const auto k = static_cast<Index>(*options.neighbors);
    if (k > others) {
        throw InvalidArgument(
            "neighbors", std::to_string(k),
            "must be at most " + std::to_string(others) + ", the number of other points, or 0: one threshold");
    }
    return k;
}

std::string text_of_search(const FaithfulOptions& options) {
    return to_text(faithful_option_table().values(options).at("search"));
}

void require_use_of(const NeighborLists& given, const FaithfulOptions& options, Index k, Index points) {
    if (given.count() != points) {
        throw InvalidArgument("neighbor graph", std::to_string(given.count()) + " lists",
                              "there must be one for each of " + std::to_string(points) + " points");
    }
    if (k == 0) {
        throw InvalidArgument("neighbor graph", "given",
                              "would not be looked at, as one threshold for all angles keeps no neighbours: leave out "
                              "one of the two");
    }
    if (options.search != SearchKind::Auto) {
        throw InvalidArgument("search", text_of_search(options),
                              "finds nothing where the neighbours are given: leave out one of the two");
    }
    if (k > given.size) {
        throw InvalidArgument(
            "neighbors", std::to_string(k),
            "must be at most " + std::to_string(given.size) + ", which is what the given lists hold for each point");
    }
}

}  // namespace

Index neighbors_to_keep(const FaithfulOptions& options, Index points, const NeighborLists* given) {
    const Index k = neighbors_or_none(options, points > 0 ? points - 1 : 0, given);
    if (k == 0 && points > 1 && options.search != SearchKind::Auto) {
        throw InvalidArgument(
            "search", text_of_search(options),
            "is of nearest neighbours, and one threshold for all angles looks for none: leave it out");
    }
    if (given != nullptr) {
        require_use_of(*given, options, k, points);
    }
    return k;
}

namespace {

/// An index is taken unasked only where it fits beside the inputs: what was stated is an exact search.
bool index_fits(const DistributedPoints& points, const RunContext& context) {
    const std::uint64_t inputs = std::uint64_t{points.count()} * points.dimension() * sizeof(float);
    const std::uint64_t bytes = inputs + IvfIndex::bytes(points.count(), points.dimension());
    return bytes <= context.memory_limit.value_or(bytes);
}

/// The k nearest of the user's own lists, with distances between the points as the fit sees them: those of a file may
/// be in another unit or metric, or missing.
NeighborLists given_neighbors(const DistributedPoints& points, Index k, const FaithfulOptions& options,
                              const NeighborLists& given, const RunContext& context, Summary& summary) {
    constexpr std::size_t rows_at_once = 1024;
    const Points gathered = points.is_distributed() ? points.gather_range({0, points.count()}) : Points();
    const PointsView all = points.is_distributed() ? gathered.view() : points.local();
    const NeighborLists indices{.size = given.size, .indices = given.indices};
    NeighborLists lists = neighbors_of(
        all, {.neighbors = static_cast<int>(k), .metric = options.metric, .given = &indices}, summary, context);
    parallel_blocks(context, lists.count(), rows_at_once, [&](Range rows) {
        std::vector<std::pair<float, Index>> sorted(k);
        for (std::size_t first = rows.begin * k; first < rows.end * k; first += k) {
            for (std::size_t m = 0; m < k; ++m) {
                sorted[m] = {lists.distances[first + m], lists.indices[first + m]};
            }
            std::ranges::sort(sorted);
            for (std::size_t m = 0; m < k; ++m) {
                std::tie(lists.distances[first + m], lists.indices[first + m]) = sorted[m];
            }
        }
    });
    return lists;
}

}  // namespace

NeighborLists neighbors_of_all(const DistributedPoints& points, Index k, const FaithfulOptions& options,
                               const NeighborLists* given, const RunContext& context, Summary& summary) {
    if (given != nullptr) {
        return given_neighbors(points, k, options, *given, context, summary);
    }
    const PhaseTimer timer(summary, "neighbors");
    NeighborSearchOptions how{.neighbors = k, .metric = options.metric, .search = options.search};
    if (how.search == SearchKind::Auto && !index_fits(points, context)) {
        how.search = SearchKind::Exact;
    }
    if (how.search != SearchKind::Exact) {
        how.recall = 0.99;  // what is missed is kept apart: the descent takes the longer the more that is
        how.seed = options.seed;
        how.cheap = 2e13;  // minutes, that of a million digits; the descent of so many points takes longer
    }
    NeighborSearch found = search_step(points, how, context);
    summary.count("exact_neighbors", found.summary.value("exact", 1.0));
    summary.measure("neighbor_recall", found.summary.value("recall", 1.0));
    trim_heap();  // the freed index was larger than all later allocations
    return std::move(found.lists);
}

}  // namespace isogon
