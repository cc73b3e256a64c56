#include "isogon/neighbors/neighbor_search.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/neighbor_index.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "neighbors/recall.hpp"

namespace isogon {

namespace {

/// Up to so many multiplications all pairs are looked at: about a second of two cores.
constexpr double cheap = 2e11;
/// And an index whose search would cost more than this share of them is not used, unless asked for.
constexpr double worthwhile = 0.5;
constexpr Index recall_rows = 256;

bool is_cheap(const PointsView& points) {
    return 0.5 * points.count * static_cast<double>(points.count) * points.dimension <= cheap;
}

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f%%", 100.0 * share);
    return text;
}

void search_exactly(const PointsView& points, const NeighborSearchOptions& options, const RunContext& context,
                    NeighborSearch& result) {
    const PhaseTimer timer(result.summary, "search");
    result.lists = exact_neighbors(points, options.neighbors, options.metric, context);
    result.summary.count("exact", 1.0);
    result.summary.measure("recall", 1.0);
    result.summary.message = "all pairs looked at";
}

std::optional<NeighborIndex> build_index(const PointsView& points, const NeighborSearchOptions& options,
                                         const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "index");
    const NeighborIndexOptions how{options.metric, options.neighbors, options.recall, options.seed};
    NeighborIndex index(points, how, context);
    const bool good = index.facts().cost_share <= worthwhile && index.facts().recall >= options.recall;
    if (options.search == SearchKind::Auto && !good) {
        return std::nullopt;
    }
    return index;
}

void search_index(const NeighborIndex& index, const PointsView& points, const NeighborSearchOptions& options,
                  const RunContext& context, NeighborSearch& result) {
    Summary& summary = result.summary;
    {
        const PhaseTimer timer(summary, "search");
        result.lists = index.neighbors(options.neighbors, context);
    }
    const PhaseTimer timer(summary, "recall");
    // Other rows than those with which the effort was chosen.
    const auto rows = sample_rows(points.count, recall_rows, options.seed + 1, Purpose::NeighborSample);
    const NeighborLists truth = exact_lists_of(points, rows, options.neighbors, options.metric, context);
    const double found = recall(result.lists, rows, truth);
    const NeighborIndexFacts& facts = index.facts();
    summary.count("exact", 0.0);
    summary.count("clusters", facts.clusters);
    summary.count("probes", facts.probes);
    summary.count("candidates", facts.candidates);
    summary.count("reduced_dimension", facts.numbers);
    summary.measure("recall", found);
    summary.message = "approximate, " + percent(found) + " of the neighbours of " + std::to_string(rows.size()) +
                      " rows found; looked into " + std::to_string(facts.probes) + " of " +
                      std::to_string(facts.clusters) + " clusters";
    if (found + 0.02 < options.recall) {
        summary.warn("only " + percent(found) + " of the nearest neighbours were found, " + percent(options.recall) +
                     " were wished for; search exactly");
    }
}

}  // namespace

NeighborSearch find_neighbors(const PointsView& points, const NeighborSearchOptions& options,
                              const RunContext& context) {
    if (options.neighbors < 1 || options.neighbors >= points.count) {
        throw InvalidArgument("neighbors", std::to_string(options.neighbors),
                              "must be at least 1 and below the number of points, " + std::to_string(points.count));
    }
    NeighborSearch result;
    result.summary.seed = options.seed;
    result.summary.threads = context.thread_count();
    const bool exact = options.search == SearchKind::Exact || (options.search == SearchKind::Auto && is_cheap(points));
    const auto index = exact ? std::nullopt : build_index(points, options, context, result.summary);
    if (index) {
        search_index(*index, points, options, context, result);
    } else {
        search_exactly(points, options, context, result);
    }
    const auto lengths = norms(points);
    const auto zeros = std::count(lengths.begin(), lengths.end(), 0.0);
    result.summary.count("zero_vectors", static_cast<double>(zeros));
    if (zeros > 0 && options.metric == Metric::Cosine) {
        result.summary.warn(std::to_string(zeros) +
                            " zero vectors have no direction: they count as at right angles to all points");
    }
    return result;
}

}  // namespace isogon
