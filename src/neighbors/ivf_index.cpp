#include "neighbors/ivf_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/nearest_selection.hpp"
#include "neighbors/reduced_space.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr const char* method_name = "neighbors";
constexpr Index ivf_sample_size = 256;
constexpr std::size_t queries_at_once = 1024;  // in one task: near queries share the products with a cluster

Index clusters_for(Index count) {
    return std::max<Index>(1, static_cast<Index>(2.0 * std::sqrt(static_cast<double>(count))));
}

void require_options(const PointsView& points, const NeighborIndexOptions& options) {
    if (options.neighbors < 1 || options.neighbors >= points.count) {
        throw InvalidArgument("neighbors", std::to_string(options.neighbors),
                              "must be at least 1 and below the number of points, " + std::to_string(points.count));
    }
    if (!(0.0 < options.recall && options.recall < 1.0)) {
        throw InvalidArgument("recall", std::to_string(options.recall),
                              "must be above 0 and below 1; an exact search finds all");
    }
}

SearchEffort effort_for(const NeighborIndexFacts& facts, Index tuned_for, Index k, Index count) {
    // For more neighbours than the search was tuned for, candidates grow in proportion, and probes with the square
    // root of the ratio: farther neighbours lie in more clusters, but the number of clusters grows more slowly.
    const double more = std::max(1.0, static_cast<double>(k) / tuned_for);
    const double candidates = std::min<double>(count, std::ceil(facts.candidates * more));
    const double probes = std::min<double>(facts.clusters, std::ceil(facts.probes * std::sqrt(more)));
    return {static_cast<Index>(probes), static_cast<Index>(candidates)};
}

/// Runs blocks of queries in parallel.
void for_each_block(Index queries, const RunContext& context, const std::function<void(Range)>& search) {
    parallel_groups(context, block_count(queries, queries_at_once), {.tasks = 16, .phase = "neighbors"},
                    [&](Range task) { search(block_range(task.begin, queries, queries_at_once)); });
}

/// A query: its position in the order of clusters, and the number of its list in the result.
struct ClusteredQuery {
    Index position = 0;
    Index place = 0;
};

/// Orders queries by cluster, so that those of a block share the products with it.
std::vector<ClusteredQuery> by_clusters(const ClusteredPoints& clustered, std::span<const Index> rows) {
    constexpr auto not_wanted = std::numeric_limits<Index>::max();
    std::vector<Index> places(clustered.rows().size(), not_wanted);
    for (std::size_t place = 0; place < rows.size(); ++place) {
        places[rows[place]] = static_cast<Index>(place);
    }
    std::vector<ClusteredQuery> queries;
    queries.reserve(rows.size());
    for (std::size_t position = 0; position < places.size(); ++position) {
        const Index place = places[clustered.rows()[position]];
        if (place != not_wanted) {
            queries.push_back({static_cast<Index>(position), place});
        }
    }
    return queries;
}

}  // namespace

struct IvfIndex::Parts {
    Parts(const PointsView& points, const NeighborIndexOptions& how, const RunContext& context)
        : options(how), space({points, points, how.metric}, context), reduced(space, how.seed, context) {}
    Parts(const Archive& from, const NeighborIndexOptions& how)
        : options(how),
          stored(from.points("points")),
          space({stored.view(), stored.view(), how.metric}),
          reduced(from) {}
    Parts(const Archive& from, const PointsView& points, const NeighborIndexOptions& how)
        : options(how), space({points, points, how.metric}), reduced(from) {}

    [[nodiscard]] ClusterSearch searcher(const MetricSpace& of, Index k) const {
        return {of, *clustered, effort_for(facts, options.neighbors, k, space.points().count)};
    }

    NeighborIndexOptions options;
    NeighborIndexFacts facts;
    Points stored;  ///< points of an index from an archive
    MetricSpace space;
    ReducedSpace reduced;
    std::optional<ClusteredPoints> clustered;
};

IvfIndex::IvfIndex(const PointsView& points, const NeighborIndexOptions& options, const RunContext& context) {
    require_options(points, options);
    require_finite(points, "input");
    require_memory(context, {{"the neighbour index", bytes(points.count, points.dimension)}},
                   "raise the limit or index fewer points");
    auto parts = std::make_unique<Parts>(points, options, context);
    {
        const Points rows = parts->reduced.reduce_points(parts->space, context);
        parts->clustered.emplace(parts->space, rows.view(), clusters_for(points.count), options.seed, context);
    }
    const auto sample = sample_rows(points.count, ivf_sample_size, options.seed, RandomStream::NeighborSample);
    const NeighborLists truth = exact_lists_of(points, sample, options.neighbors, options.metric, context);
    const TunedSearchParameters choice =
        choose_effort(parts->space, *parts->clustered, {sample, truth}, options.recall, context);
    parts->facts = {parts->reduced.rank(), parts->clustered->clusters(),
                    choice.effort.probes,  choice.effort.candidates,
                    choice.recall,         choice.cost_share};
    parts_ = std::move(parts);
}

IvfIndex::~IvfIndex() = default;
IvfIndex::IvfIndex(IvfIndex&&) noexcept = default;
IvfIndex& IvfIndex::operator=(IvfIndex&&) noexcept = default;

Index IvfIndex::count() const {
    return parts_->space.points().count;
}

Index IvfIndex::dimension() const {
    return parts_->space.points().dimension;
}

const NeighborIndexOptions& IvfIndex::options() const {
    return parts_->options;
}

const NeighborIndexFacts& IvfIndex::facts() const {
    return parts_->facts;
}

std::uint64_t IvfIndex::bytes(Index count, Index dimension) {
    // At most 256 directions, or all numbers where these are fewer than twice as many.
    const Index width = std::min<Index>(dimension, 512) + 1;
    // Sample rows are read in blocks, except where the dimension is too high for the D x D product: then all at once.
    const std::uint64_t sample = (dimension > 1536 ? 20000ULL : 2048ULL) * dimension * sizeof(float);
    const std::uint64_t directions = 6ULL * std::min<Index>(dimension, 1536) * dimension * sizeof(double);
    return ClusteredPoints::bytes(count, width, clusters_for(count)) +
           std::max<std::uint64_t>(std::uint64_t{count} * width * sizeof(float), sample + directions) +
           exact_search_bytes(ivf_sample_size, count, dimension, 64);
}

NeighborLists IvfIndex::neighbors(Index k, const RunContext& context) const {
    return neighbors_of(numbers_below(count()), k, context);
}

NeighborLists IvfIndex::neighbors_of(std::span<const Index> rows, Index k, const RunContext& context) const {
    if (k < 1 || k >= count()) {
        throw InvalidArgument(
            "neighbors", std::to_string(k),
            "must be at least 1 and at most " + std::to_string(count() - 1) + ", the number of other points");
    }
    NeighborLists lists = empty_lists(static_cast<Index>(rows.size()), k);
    const ClusteredPoints& clustered = *parts_->clustered;
    const ClusterSearch searcher = parts_->searcher(parts_->space, k);
    const std::vector<ClusteredQuery> queries = by_clusters(clustered, rows);
    for_each_block(static_cast<Index>(queries.size()), context, [&](Range range) {
        Points reduced(static_cast<Index>(range.size()), clustered.width());
        std::vector<Index> numbers(range.size());
        std::vector<Index> places(range.size());
        for (Index i = 0; i < reduced.count(); ++i) {
            const ClusteredQuery& query = queries[range.begin + i];
            clustered.copy_as_query(query.position, reduced[i]);
            numbers[i] = clustered.rows()[query.position];
            places[i] = query.place;
        }
        searcher.find(reduced.view(), numbers, places, lists);
    });
    require_distances(lists);
    return lists;
}

NeighborLists IvfIndex::search(const PointsView& queries, Index k, const RunContext& context) const {
    if (queries.dimension != dimension()) {
        throw InvalidArgument("query dimension", std::to_string(queries.dimension),
                              "must be " + std::to_string(dimension()) + ", that of the points");
    }
    if (k < 1 || k > count()) {
        throw InvalidArgument("neighbors", std::to_string(k),
                              "must be at least 1 and at most " + std::to_string(count()) + ", the number of points");
    }
    require_finite(queries, "queries");
    NeighborLists lists = empty_lists(queries.count, k);
    const MetricSpace space(queries, parts_->space, context);
    const ClusterSearch searcher = parts_->searcher(space, k);
    const std::vector<Index> all = numbers_below(queries.count);
    for_each_block(queries.count, context, [&](Range range) {
        RunContext alone;
        alone.threads = 1;
        const Points rows = parts_->reduced.reduce_queries(space, range, alone);
        searcher.find(rows.view(), std::span(all).subspan(range.begin, range.size()), lists);
    });
    require_distances(lists);
    return lists;
}

Archive IvfIndex::archive() const {
    Archive archive = archive_beside_points();
    archive.add("points", parts_->space.points());
    return archive;
}

Archive IvfIndex::archive_beside_points() const {
    Archive archive{.kind = ArchiveKind::IvfIndex, .method = method_name};
    const NeighborIndexFacts& facts = parts_->facts;
    archive.notes.emplace("metric", name(parts_->options.metric));
    parts_->reduced.save(archive);
    parts_->clustered->save(archive);
    archive.add("effort", std::vector<std::uint64_t>{facts.probes, facts.candidates, parts_->options.neighbors});
    archive.add("shares", std::vector<double>{facts.recall, facts.cost_share, parts_->options.recall});
    archive.add_count("seed", parts_->options.seed);
    return archive;
}

namespace {

/// Memory of an index from an archive: clustered points, the reduced copy of the points, and the directions.
std::uint64_t bytes_from_archive(Index count, Index dimension, std::uint64_t rank, std::uint64_t clusters) {
    const std::uint64_t width = rank + 1;
    return ClusteredPoints::bytes(count, static_cast<Index>(width), static_cast<Index>(clusters)) +
           std::uint64_t{count} * width * sizeof(float) + std::uint64_t{dimension} * rank * sizeof(double);
}

/// Where the points are elsewhere, n and D are known.
ArchiveSchema schema_for(const Archive& archive, bool with_points) {
    using Scalar = ArchiveArray::Scalar;
    ArchiveSchema schema(ArchiveKind::IvfIndex);
    schema.note("metric", product_metric_names());
    schema.size("n", {2, std::numeric_limits<Index>::max()});
    if (with_points) {
        schema.add({.name = "points", .shape = {"n", "D"}});
    }
    ReducedSpace::describe(schema, archive);
    ClusteredPoints::describe(schema);
    schema.add(
        {.name = "effort", .scalar = Scalar::Uint64, .shape = {3}, .values = {{1, "L"}, {1, "n"}, {1, {"n", -1}}}});
    schema.add({.name = "shares",
                .scalar = Scalar::Float64,
                .shape = {3},
                .values = {{0, 1}, {0, std::numeric_limits<double>::max()}, {0, 1, ArchiveRange::Form::Open}}});
    schema.add({.name = "seed", .scalar = Scalar::Uint64});
    return schema;
}

NeighborIndexOptions options_in(const Archive& archive) {
    return {.metric = find_product_metric(archive.note("metric")),
            .neighbors = static_cast<Index>(archive.numbers<std::uint64_t>("effort", {3})[2]),
            .recall = archive.numbers<double>("shares", {3})[2],
            .seed = archive.count("seed")};
}

}  // namespace

IvfIndex::IvfIndex(const Archive& archive, const RunContext& context) {
    const auto sizes = schema_for(archive, true).require(archive);
    const auto count = static_cast<Index>(sizes.at("n"));
    const auto dimension = static_cast<Index>(sizes.at("D"));
    const std::uint64_t points = std::uint64_t{count} * dimension * sizeof(float);
    require_memory(
        context,
        {{"the neighbour index", points + bytes_from_archive(count, dimension, sizes.at("rank"), sizes.at("L"))}},
        "raise the limit");
    load(std::make_unique<Parts>(archive, options_in(archive)), archive, context);
}

IvfIndex::IvfIndex(const Archive& archive, const PointsView& points, const RunContext& context) {
    const auto sizes = schema_for(archive, false).require(archive, {{"n", points.count}, {"D", points.dimension}});
    require_memory(
        context,
        {{"the neighbour index", bytes_from_archive(points.count, points.dimension, sizes.at("rank"), sizes.at("L"))}},
        "raise the limit");
    load(std::make_unique<Parts>(archive, points, options_in(archive)), archive, context);
}

void IvfIndex::load(std::unique_ptr<Parts> parts, const Archive& archive, const RunContext& context) {
    parts->clustered.emplace(archive, parts->reduced.reduce_points(parts->space, context).view());
    const auto& effort = archive.numbers<std::uint64_t>("effort", {3});
    const auto& shares = archive.numbers<double>("shares", {3});
    parts->facts = {parts->reduced.rank(),
                    parts->clustered->clusters(),
                    static_cast<Index>(effort[0]),
                    static_cast<Index>(effort[1]),
                    shares[0],
                    shares[1]};
    parts_ = std::move(parts);
}

}  // namespace isogon
