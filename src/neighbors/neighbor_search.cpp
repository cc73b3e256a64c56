#include "isogon/neighbors/neighbor_search.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "distributed/agreement.hpp"
#include "distributed/rank_group.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/ivf_index.hpp"
#include "neighbors/metric_rows.hpp"
#include "neighbors/nearest_selection.hpp"
#include "neighbors/pruned_search.hpp"
#include "neighbors/shared_neighbors.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

/// An index whose search would cost more than this share of an exhaustive one is used on request only.
constexpr double worthwhile = 0.5;
constexpr Index recall_rows = 256;
constexpr const char* sample_words = "a sample of the points";

/// Where it is cheap, and where there is no other way.
bool is_exact(const NeighborSearchOptions& options, double products) {
    const bool indexed = is_of_products(options.metric);
    return options.search == SearchKind::Exact ||
           (options.search == SearchKind::Auto && (!indexed || products <= options.cheap));
}

/// Options for correlation: by cosine among centred rows.
NeighborSearchOptions among_centred(NeighborSearchOptions options) {
    options.metric = Metric::Cosine;
    return options;
}

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f%%", 100.0 * share);
    return text;
}

void describe_exact(Summary& summary) {
    summary.count("exact", 1.0);
    summary.measure("recall", 1.0);
    summary.message = "all pairs looked at";
}

void describe(const IvfIndex& index, double found, const std::string& of_whom, Summary& summary) {
    const NeighborIndexFacts& facts = index.facts();
    summary.count("exact", 0.0);
    summary.count("clusters", facts.clusters);
    summary.count("probes", facts.probes);
    summary.count("candidates", facts.candidates);
    summary.count("reduced_dimension", facts.numbers);
    summary.measure("recall", found);
    summary.message = "approximate, " + percent(found) + " of the neighbours of " + of_whom + " found; looked into " +
                      std::to_string(facts.probes) + " of " + std::to_string(facts.clusters) + " clusters";
    const double requested = index.options().recall;
    if (found + 0.02 < requested) {
        summary.warn("only " + percent(found) + " of the nearest neighbours were found, " + percent(requested) +
                     " were requested; search exactly");
    }
}

/// Points that ranks may share, all of them on each, and the rows whose neighbours are wanted: all, or some, or none,
/// where each rank of a caller searches alone.
struct Searched {
    DistributedPoints shared;
    Range rows;

    [[nodiscard]] const PointsView& points() const { return shared.local(); }
    [[nodiscard]] bool all() const { return rows.size() == points().count; }
};

/// Pairs of two of the rows are looked at once where the rows are all points, else from both sides.
void search_exactly(const Searched& searched, const NeighborSearchOptions& options, const RunContext& context,
                    NeighborSearch& result) {
    const PhaseTimer timer(result.summary, "search");
    const PointsView& points = searched.points();
    result.lists.size = options.neighbors;
    if (!searched.all()) {
        if (searched.rows.size() > 0) {
            result.lists = exact_lists_of(points, searched.rows, options.neighbors, options.metric, context);
        }
    } else if (is_of_products(options.metric)) {
        require_finite(points, "input");
        result.lists = shared_neighbors(searched.shared, options.neighbors, options.metric, context);
    } else {
        result.lists = exact_neighbors(points, options.neighbors, options.metric, context);
    }
    describe_exact(result.summary);
}

/// Exactly, if that is asked to be chosen and is cheap as bounds rule most pairs out.
bool search_by_bounds(const Searched& searched, const NeighborSearchOptions& options, const RunContext& context,
                      NeighborSearch& result) {
    const PointsView& points = searched.points();
    const std::uint64_t bytes = exact_neighbors_bytes(points.count, points.dimension, options.neighbors);
    if (options.search != SearchKind::Auto || bytes > context.memory_limit.value_or(bytes)) {
        return false;
    }
    require_finite(points, "input");
    if (searched.all()) {
        const PhaseTimer timer(result.summary, "search");
        if (auto lists = pruned_neighbors(searched.shared, options.neighbors, options.metric, context, options.cheap)) {
            result.lists = *std::move(lists);
            describe_exact(result.summary);
            return true;
        }
        return false;
    }
    if (pruning_is_cheap(points, options.neighbors, options.metric, options.cheap, context)) {
        search_exactly(searched, options, context, result);
        return true;
    }
    return false;
}

/// Warns of inner products beyond float32, by those of the longest vectors.
void warn_of_products(double longest_query, double longest_point, Summary& summary) {
    const double product = longest_query * longest_point;
    const bool vanishes = product > 0.0 && product < double{std::numeric_limits<float>::min()};
    if (vanishes || product > double{std::numeric_limits<float>::max()}) {
        summary.warn("inner products of these vectors, up to " + rounded(product) +
                     ", are beyond what float32 holds: the neighbours are right, but distances are given as " +
                     (vanishes ? "nearly 0" : "3.4e38 at most") + "; multiply all values by " +
                     (vanishes ? "a large number" : "a small number") + " to have them");
    }
}

/// For correlation the points are rows less their means.
void describe_lengths(const PointsView& queries, const PointsView& points, Metric metric, const RunContext& context,
                      Summary& summary) {
    const auto lengths = norms(queries, context);
    if (metric == Metric::InnerProduct && !lengths.empty()) {
        const double longest = std::ranges::max(lengths);
        warn_of_products(longest, queries.data == points.data ? longest : std::ranges::max(norms(points, context)),
                         summary);
    }
    const auto zeros = std::count(lengths.begin(), lengths.end(), 0.0);
    summary.count("zero_vectors", static_cast<double>(zeros));
    if (zeros > 0 && (metric == Metric::Cosine || metric == Metric::Correlation)) {
        const char* which =
            metric == Metric::Cosine ? " zero vectors have no direction" : " rows of equal numbers have no correlation";
        summary.warn(std::to_string(zeros) + which + ": they count as at right angles to all points");
    }
}

std::optional<IvfIndex> build_index(const PointsView& points, const NeighborSearchOptions& options,
                                    const RunContext& context, Summary& summary) {
    const std::uint64_t bytes = IvfIndex::bytes(points.count, points.dimension);
    if (options.search == SearchKind::Auto && bytes > context.memory_limit.value_or(bytes)) {
        return std::nullopt;
    }
    const PhaseTimer timer(summary, "index");
    const NeighborIndexOptions how{options.metric, options.neighbors, options.recall, options.seed};
    IvfIndex index(points, how, context);
    const bool good = index.facts().cost_share <= worthwhile && index.facts().recall >= options.recall;
    if (options.search == SearchKind::Auto && !good) {
        return std::nullopt;
    }
    return index;
}

std::vector<Index> numbers_of(Range rows) {
    std::vector<Index> numbers(rows.size());
    std::iota(numbers.begin(), numbers.end(), static_cast<Index>(rows.begin));
    return numbers;
}

/// Each rank looks for those of its part.
NeighborLists lists_of_index(const IvfIndex& index, const Searched& searched, Index k, const RunContext& context) {
    const RankGroup ranks = ranks_of(searched.shared);
    if (ranks.size() == 1) {
        return index.neighbors_of(numbers_of(searched.rows), k, context);
    }
    const RowBlocks blocks = pair_blocks(searched.points().count);
    const Range own = ranks.own_rows(blocks);
    NeighborLists lists = empty_lists(searched.points().count, k);
    RunContext alone = context;  // ranks have different numbers of rows
    alone.agree_on_stop = nullptr;
    on_all_ranks(ranks, [&] {
        const NeighborLists found = index.neighbors_of(numbers_of(own), k, alone);
        const auto at = static_cast<std::ptrdiff_t>(own.begin * k);
        std::ranges::copy(found.indices, lists.indices.begin() + at);
        std::ranges::copy(found.distances, lists.distances.begin() + at);
    });
    all_gather_lists(ranks, blocks, lists);
    return lists;
}

void search_index(const IvfIndex& index, const Searched& searched, const NeighborSearchOptions& options,
                  const RunContext& context, NeighborSearch& result) {
    Summary& summary = result.summary;
    const PointsView& points = searched.points();
    {
        const PhaseTimer timer(summary, "search");
        result.lists = lists_of_index(index, searched, options.neighbors, context);
    }
    const PhaseTimer timer(summary, "recall");
    // Sample rows other than those of the tuning, drawn from all points and not from the requested rows only.
    const auto sample = sample_rows(points.count, recall_rows, options.seed + 1, RandomStream::NeighborSample);
    const NeighborLists truth = exact_lists_of(points, sample, options.neighbors, options.metric, context);
    const NeighborLists found = index.neighbors_of(sample, options.neighbors, context);
    describe(index, recall(found, {numbers_of({0, sample.size()}), truth}), std::to_string(sample.size()) + " rows",
             summary);
}

}  // namespace

const OptionTable<NeighborSearchOptions>& neighbor_search_option_table() {
    static const OptionTable<NeighborSearchOptions> table = [] {
        using Options = NeighborSearchOptions;
        OptionTable<Options> t;
        t.integer("neighbors", &Options::neighbors, {.minimum = 1}, "How many neighbours each point gets.");
        t.choice(
            "metric", &Options::metric,
            {{"cosine", Metric::Cosine},
             {"inner-product", Metric::InnerProduct},
             {"euclidean", Metric::Euclidean},
             {"manhattan", Metric::Manhattan},
             {"correlation", Metric::Correlation},
             {"hamming", Metric::Hamming},
             {"jaccard", Metric::Jaccard}},
            "What makes two points near; distances are 1 - cos, -x.y, |x - y|, sum |x_k - y_k|, 1 - cos of rows less "
            "their means, and of rows of zeros and ones the share of places that differ, of all or of those with a "
            "one.");
        t.choice("search", &Options::search,
                 {{"auto", SearchKind::Auto}, {"exact", SearchKind::Exact}, {"approximate", SearchKind::Approximate}},
                 "exact looks at all pairs, approximate into clusters; auto takes the second where that is worth it.");
        t.number("recall", &Options::recall, {.minimum = 0.0, .maximum = 1.0, .open = true},
                 "Share of the true neighbours that an approximate search aims at; higher is slower.");
        t.only_with("search", {"auto", "approximate"});
        t.integer("seed", &Options::seed, {}, "Seed of an approximate search's sample and clusters.");
        t.only_with("search", {"auto", "approximate"});
        return t;
    }();
    return table;
}

namespace {

NeighborSearch begin(const NeighborSearchOptions& options, const RunContext& context) {
    neighbor_search_option_table().validate(options);
    if (options.search == SearchKind::Approximate && !is_of_products(options.metric) &&
        options.metric != Metric::Correlation) {
        throw InvalidArgument("search", "approximate",
                              "has no index for metric " + std::string(name(options.metric)) +
                                  ": use exact, which looks at all pairs, or metric cosine or euclidean");
    }
    NeighborSearch result;
    result.summary.seed = options.seed;
    result.summary.threads = context.thread_count();
    return result;
}

/// Runs `search`; reports in the summary if the context has ended it.
NeighborSearch until_ended(const NeighborSearchOptions& options, const RunContext& context,
                           const std::function<NeighborSearch()>& search) {
    try {
        return search();
    } catch (const Interruption& interruption) {
        NeighborSearch result = begin(options, context);
        result.summary.termination = interruption.reason;
        result.summary.message = "ended before all points had their neighbours";
        return result;
    }
}

/// `stated` is the metric that the caller asked for.
NeighborSearch search_prepared(const PointsView& queries, const PointsView& points,
                               const NeighborSearchOptions& options, Metric stated, const RunContext& context) {
    NeighborSearch result = begin(options, context);
    const double products = static_cast<double>(queries.count) * points.count * points.dimension;
    const bool exact = options.neighbors >= points.count || is_exact(options, products);
    const auto index = exact ? std::nullopt : build_index(points, options, context, result.summary);
    const PhaseTimer timer(result.summary, "search");
    if (index) {
        result.lists = index->search(queries, options.neighbors, context);
        describe(*index, index->facts().recall, sample_words, result.summary);
    } else {
        result.lists = exact_neighbors(queries, points, options.neighbors, options.metric, context);
        describe_exact(result.summary);
    }
    require_distances(result.lists);
    describe_lengths(queries, points, stated, context, result.summary);
    return result;
}

NeighborSearch search_queries(const PointsView& queries, const PointsView& points, const NeighborSearchOptions& options,
                              const RunContext& context) {
    if (options.metric != Metric::Correlation) {
        return search_prepared(queries, points, options, options.metric, context);
    }
    require_finite(queries, "queries");
    require_finite(points, "input");
    const Points left = centred_rows(queries, context);
    const RunContext rest = beside(context, left.values().size_bytes());
    const Points right = centred_rows(points, rest);
    return search_prepared(left.view(), right.view(), among_centred(options), options.metric,
                           beside(rest, right.values().size_bytes()));
}

NeighborSearch search_prepared(const Searched& searched, const NeighborSearchOptions& options, Metric stated,
                               const RunContext& context) {
    NeighborSearch result = begin(options, context);
    const PointsView& points = searched.points();
    if (options.neighbors >= points.count) {
        throw InvalidArgument("neighbors", std::to_string(options.neighbors),
                              "must be below the number of points, " + std::to_string(points.count));
    }
    const double products = 0.5 * points.count * static_cast<double>(points.count) * points.dimension;
    if (is_exact(options, products)) {
        search_exactly(searched, options, context, result);
    } else if (!search_by_bounds(searched, options, context, result)) {
        const auto index = build_index(points, options, context, result.summary);
        if (index) {
            search_index(*index, searched, options, context, result);
        } else {
            search_exactly(searched, options, context, result);
        }
    }
    require_distances(result.lists);
    describe_lengths(points, points, stated, context, result.summary);
    return result;
}

/// Searches by correlation: by cosine among the points less their means.
NeighborSearch search_centred(const Searched& searched, const NeighborSearchOptions& options,
                              const RunContext& context) {
    if (options.metric != Metric::Correlation) {
        return search_prepared(searched, options, options.metric, context);
    }
    require_finite(searched.points(), "input");
    const Points centred = centred_rows(searched.points(), context);
    return search_prepared({searched.shared.with(centred.view()), searched.rows}, among_centred(options),
                           options.metric, beside(context, centred.values().size_bytes()));
}

}  // namespace

NeighborSearch search_step(const DistributedPoints& points, const NeighborSearchOptions& options,
                           const RunContext& context) {
    if (points.is_distributed()) {
        const Points all = points.gather_range({0, points.count()});
        return search_step(ranks_of(points).of_all(all.view()), options, context);
    }
    return search_centred({points, {0, points.count()}}, options, context);
}

NeighborSearch search_step(const PointsView& points, Range rows, const NeighborSearchOptions& options,
                           const RunContext& context) {
    return search_centred({points, rows}, options, context);
}

NeighborSearch find_neighbors(const PointsView& points, const NeighborSearchOptions& options,
                              const RunContext& context) {
    return until_ended(options, context, [&] { return search_step(points, options, context); });
}

NeighborSearch find_neighbors(const PointsView& queries, const PointsView& points, const NeighborSearchOptions& options,
                              const RunContext& context) {
    return until_ended(options, context, [&] { return search_queries(queries, points, options, context); });
}

}  // namespace isogon
