#include "isogon/transform/indexed_placement.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/trigonometry.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "transform/output_graph.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 48;       // in one task
constexpr std::size_t rows_of_a_group = 8192;  // searched together; between groups the run can be ended
constexpr Index compared_neighbors = 10;       // recall@10

std::uint64_t group_bytes(std::uint64_t rows, const PointsView& inputs, Index near) {
    constexpr std::uint64_t listed = sizeof(Index) + sizeof(float);
    return std::min<std::uint64_t>(rows, rows_of_a_group) * (inputs.dimension * sizeof(float) + near * listed);
}

Points rows_listed(const PointsView& rows, std::span<const Index> chosen) {
    Points some(static_cast<Index>(chosen.size()), rows.dimension);
    for (Index r = 0; r < some.count(); ++r) {
        std::copy(rows[chosen[r]].begin(), rows[chosen[r]].end(), some[r].begin());
    }
    return some;
}

}  // namespace

/// The placement of one row after another, on one thread.
class IndexedPlacement::Descent {
public:
    /// `effort` of searches among the outputs.
    Descent(const OutputGraph& graph, const LocalPlacement& local, const PlacementOptions& options, Index effort)
        : graph_(graph),
          neighbors_(local.neighbors),
          options_(options),
          effort_(effort),
          newton_(graph.directions(), PlacementForm(local), options.steps, options.tolerance),
          current_(1, graph.directions().columns()) {}

    [[nodiscard]] SphereState place(std::span<const Index> rows, std::span<const float> distances,
                                    PlacementCounts& counts) {
        RowDescent row = start(rows, distances);
        const float floor = floor_around(row.problem.threshold);
        // Looks on the way need not find all: where steps have converged, the next one is thorough.
        for (bool thorough = false; row.is_moving(options_.steps) || (row.converged && !thorough);) {
            thorough = row.converged;
            find_near_misses(row, floor, thorough ? effort_ : std::min(effort_, OutputGraph::least_effort));
            ++counts.passes;
            row.advance(newton_);
        }
        counts.unsettled += row.state.settled ? 0U : 1U;
        counts.steps += static_cast<std::uint64_t>(row.state.steps);
        return std::move(row.state);
    }

private:
    [[nodiscard]] RowDescent start(std::span<const Index> rows, std::span<const float> distances) {
        std::vector<CosineNeighbor> nearest;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Index place = graph_.place_of(rows[k]);
            if (place != OutputGraph::nowhere) {
                nearest.push_back({place, 1.0F - distances[k]});
            }
        }
        if (nearest.empty()) {  // all that is near has an output of zero
            nearest.push_back({0, 0.0F});
        }
        RowDescent row;
        row.state.u = start_among(
            std::span(nearest).first(std::min(nearest.size(), static_cast<std::size_t>(options_.neighbors))),
            graph_.directions());
        const float own = nearest[std::min<std::size_t>(neighbors_, nearest.size()) - 1].cosine;
        nearest.erase(std::find_if(nearest.begin(), nearest.end(), [own](const auto& n) { return n.cosine < own; }),
                      nearest.end());
        std::sort(nearest.begin(), nearest.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
        row.tie_to(nearest, 0, double{own});
        row.meet_support(newton_);
        return row;
    }

    /// From what was near at the last look, at first the support.
    void find_near_misses(RowDescent& row, float floor, Index effort) {
        const std::vector<Index> starts = row.problem.members;
        row.look_around();
        std::transform(row.state.u.begin(), row.state.u.end(), current_.row(0),
                       [](double component) { return static_cast<float>(component); });
        graph_.find_above({current_.row(0), floor, effort}, starts, scratch_, found_);
        std::copy_if(found_.begin(), found_.end(), std::back_inserter(row.problem.members),
                     [&](Index place) { return !row.is_tied_to(place); });
    }

    const OutputGraph& graph_;
    std::size_t neighbors_;
    PlacementOptions options_;
    Index effort_;
    SphereNewton newton_;
    MultiVector<float> current_;  ///< u in float32
    OutputGraph::Scratch scratch_;
    std::vector<Index> found_;
};

IndexedPlacement::IndexedPlacement(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                                   const PlacementOptions& options, std::shared_ptr<const PlacementIndexes> indexes,
                                   const RunContext& context)
    : inputs_(inputs), outputs_(outputs), local_(local), options_(options), indexes_(std::move(indexes)) {
    placement_option_table().validate(options);
    require_consistent(local);
    if (local.weight > 0.0) {
        throw InvalidArgument(
            "weight", to_text(OptionValue{local.weight}),
            "must be 0 for a placement by index: pairs above one threshold need a look at all points");
    }
    require_fitted(inputs, outputs);
    require_memory(context, {{"the index of the fitted points", PlacementIndex::bytes(inputs.count)}},
                   "raise the limit or fit fewer points");
    known_ = std::make_shared<const PlacementIndex>(inputs, context);
}

Index IndexedPlacement::near_count() const {
    return std::min<Index>(inputs_.count, std::max<Index>(local_.neighbors, static_cast<Index>(options_.neighbors)));
}

Placed IndexedPlacement::place(const PointsView& rows, const RunContext& context) const {
    const std::vector<double> lengths = lengths_of(rows, inputs_.dimension);
    const auto threads = static_cast<std::uint64_t>(context.thread_count());
    require_memory(
        context,
        {{"the outputs", std::uint64_t{rows.count} * (outputs_.dimension * sizeof(float) + 2 * sizeof(double))},
         {"a group of rows and their neighbours", group_bytes(rows.count, inputs_, near_count())},
         {"the steps of the threads", threads * SphereNewton::bytes(outputs_.count, outputs_.dimension)}},
        "raise the limit, or place fewer rows at a time or on fewer threads");
    Placed placed{Points(rows.count, outputs_.dimension), {}};
    const std::vector<Index> unknown = unknown_rows(rows, lengths, *known_, outputs_, placed);
    for (std::size_t g = 0; g < block_count(unknown.size(), rows_of_a_group); ++g) {
        throw_if_cancelled(context);
        const Range range = block_range(g, unknown.size(), rows_of_a_group);
        place_group(rows, lengths, std::span(unknown).subspan(range.begin, range.size()), context, placed);
        context.report({"placement", g + 1, block_count(unknown.size(), rows_of_a_group), 0.0});
    }
    return placed;
}

void IndexedPlacement::place_group(const PointsView& rows, const std::vector<double>& lengths,
                                   std::span<const Index> chosen, const RunContext& context, Placed& placed) const {
    RunContext quiet = context;
    quiet.on_iteration = nullptr;
    const bool are_beside_each_other = chosen.back() - chosen.front() + std::size_t{1} == chosen.size();
    const Points copied = are_beside_each_other ? Points() : rows_listed(rows, chosen);
    const PointsView searched =
        are_beside_each_other
            ? PointsView(rows[chosen.front()].data(), static_cast<Index>(chosen.size()), rows.dimension, rows.stride)
            : copied.view();
    const NeighborLists near = indexes_->inputs().search(searched, near_count(), quiet);
    const OutputGraph& graph = indexes_->outputs();
    // Rows beside each other in the order of places look at the same outputs, which then are in the cache.
    std::vector<Index> order(chosen.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        const Index first = graph.place_of(near[a].front());
        const Index second = graph.place_of(near[b].front());
        return first != second ? first < second : a < b;
    });
    std::vector<PlacementCounts> parts(block_count(chosen.size(), rows_at_once));
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        Descent descent(graph, local_, options_, graph.effort());
        const Range range = block_range(task, chosen.size(), rows_at_once);
        for (std::size_t r = range.begin; r < range.end; ++r) {
            const Index row = order[r];
            const SphereState state = descent.place(near[row], near.distances_of(row), parts[task]);
            write_direction(state.u, lengths[chosen[row]], placed.outputs[chosen[row]]);
        }
    });
    for (const PlacementCounts& part : parts) {
        add_counts(part, placed.counts);
    }
}

Points IndexedPlacement::coordinates_of(const PointsView& rows, Summary& summary, const RunContext& context) const {
    Placed placed = place(rows, context);
    summary.count("fitted_rows", placed.counts.fitted);
    summary.count("zero_vectors", placed.counts.zero_vectors);
    summary.count("unsettled", placed.counts.unsettled);
    return std::move(placed.outputs);
}

void IndexedPlacement::examine(const PointsView& rows, Summary& summary, const RunContext& context) const {
    require_dimension(rows);
    const PlacementAgreement agreement = compare(rows, context);
    summary.count("compared_rows", agreement.rows);
    if (agreement.rows > 0) {
        summary.measure("near_found", agreement.near_found);
        summary.measure("recall_at_10", agreement.recall);
        summary.measure("recall_at_10_exact", agreement.exact_recall);
        summary.measure("degrees_from_exact", agreement.median_angle);
    }
}

namespace {

/// How many of a list's first `count` numbers another's has, too. Both in any order.
std::size_t in_common(std::span<const Index> first, std::span<const Index> second) {
    return static_cast<std::size_t>(std::count_if(first.begin(), first.end(), [&](Index wanted) {
        return std::find(second.begin(), second.end(), wanted) != second.end();
    }));
}

/// The rows whose outputs are nearest to u by angle.
std::vector<Index> nearest_outputs(const OutputGraph& graph, const Eigen::VectorXd& u, std::size_t count) {
    const MultiVector<float>& directions = graph.directions();
    std::vector<Index> rows(directions.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    MultiVector<float> vector(1, directions.columns());
    std::transform(u.begin(), u.end(), vector.row(0), [](double value) { return static_cast<float>(value); });
    std::vector<float> products(rows.size());
    multiply_listed(vector.row(0), directions, rows, products.data());
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(),
                      [&](Index a, Index b) { return products[a] != products[b] ? products[a] > products[b] : a < b; });
    rows.erase(end, rows.end());
    std::transform(rows.begin(), rows.end(), rows.begin(), [&](Index place) { return graph.row_at(place); });
    return rows;
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

PlacementAgreement IndexedPlacement::compare(const PointsView& rows, const RunContext& context) const {
    Placed ignored{Points(rows.count, outputs_.dimension), {}};
    const Points some =
        rows_listed(rows, unknown_rows(rows, lengths_of(rows, inputs_.dimension), *known_, outputs_, ignored));
    if (some.count() == 0) {
        return {};
    }
    throw_if_cancelled(context);
    RunContext quiet = context;
    quiet.on_iteration = nullptr;
    const Index listed = std::min<Index>(inputs_.count, std::max(near_count(), compared_neighbors));
    const Index compared = std::min(compared_neighbors, listed);
    require_memory(context,
                   {{"the exact neighbours of some rows",
                     exact_search_bytes(some.count(), inputs_.count, inputs_.dimension, listed)},
                    {"products with all outputs", static_cast<std::uint64_t>(context.thread_count()) * outputs_.count *
                                                      (sizeof(float) + 2 * sizeof(Index))}},
                   "raise the limit");
    const NeighborLists truth = exact_neighbors(some.view(), inputs_, listed, Metric::Cosine, quiet);
    const NeighborLists found = indexes_->inputs().search(some.view(), near_count(), quiet);
    const OutputGraph& graph = indexes_->outputs();
    struct Comparison {
        double near_found = 0.0;
        double recall = 0.0;
        double exact_recall = 0.0;
    };
    std::vector<Comparison> parts(some.count());
    std::vector<double> angles(some.count());
    parallel_tasks(context, some.count(), [&](std::size_t task) {
        throw_if_cancelled_in_task(context);
        const auto row = static_cast<Index>(task);
        PlacementCounts counts;
        const auto indexed =
            Descent(graph, local_, options_, graph.effort()).place(found[row], found.distances_of(row), counts).u;
        const auto near = near_count();
        const auto exact = Descent(graph, local_, options_, fitted_count())
                               .place(truth[row].first(near), truth.distances_of(row).first(near), counts)
                               .u;
        const auto wanted = truth[row].first(compared);
        parts[task] = {
            static_cast<double>(in_common(truth[row].first(local_.neighbors), found[row].first(local_.neighbors))) /
                local_.neighbors,
            static_cast<double>(in_common(wanted, nearest_outputs(graph, indexed, compared))) / compared,
            static_cast<double>(in_common(wanted, nearest_outputs(graph, exact, compared))) / compared};
        angles[task] = 2.0 * elementary::asin(std::min(1.0, 0.5 * (indexed - exact).norm())) * 180.0 / std::numbers::pi;
    });
    PlacementAgreement agreement{.rows = some.count(), .median_angle = median_of(angles)};
    for (const Comparison& part : parts) {
        agreement.near_found += part.near_found / some.count();
        agreement.recall += part.recall / some.count();
        agreement.exact_recall += part.exact_recall / some.count();
    }
    return agreement;
}

}  // namespace isogon
