#include "transform/distance_placement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "pairs/tile_kernel.hpp"
#include "transform/distance_newton.hpp"
#include "transform/newton_kernel.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"
#include "transform/proximity_graph.hpp"
#include "transform/undirected_rows.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 48;       // in one task
constexpr std::size_t rows_of_a_group = 8192;  // searched together; between groups the run can be ended
constexpr Index compared_neighbors = 10;       // recall@10
constexpr int most_newton_steps = 100;
constexpr double share_of_median = 0.05;

void require_local(const LocalPlacement& local, Index fitted) {
    if (local.neighbors < 1 || local.neighbors >= fitted) {
        throw InvalidArgument("neighbors", std::to_string(local.neighbors),
                              "must be at least 1 and below " + std::to_string(fitted) + ", the fitted points");
    }
    if (!(local.repulsion > 0.0 && std::isfinite(local.repulsion))) {
        throw InvalidArgument("repulsion", to_text(OptionValue{local.repulsion}), "must be above 0");
    }
    if (local.radii.size() != fitted) {
        throw InvalidArgument("radii", std::to_string(local.radii.size()),
                              "must be " + std::to_string(fitted) + ", one for each fitted point");
    }
}

template <class Number>
Number median_of(std::vector<Number> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The median of the radii above zero; 0 where there are none.
double median_radius(const LocalPlacement& local) {
    std::vector<float> radii;
    std::copy_if(local.radii.begin(), local.radii.end(), std::back_inserter(radii),
                 [](float radius) { return radius > 0.0F; });
    return radii.empty() ? 0.0 : double{median_of(std::move(radii))};
}

}  // namespace

std::vector<float> output_radii(const LocalPlacement& local) {
    std::vector<float> radii(local.radii.size());
    std::transform(local.radii.begin(), local.radii.end(), radii.begin(), [&](float radius) {
        return static_cast<float>(std::sqrt(squared_output_distance(double{radius}, local.metric)));
    });
    return radii;
}

LocalPlacement local_placement_of(const NeighborLists& lists, Metric metric, double repulsion) {
    LocalPlacement local{.metric = metric, .neighbors = lists.size, .repulsion = repulsion};
    std::vector<float> nearest;
    for (Index i = 0; i < lists.count(); ++i) {
        local.radii.push_back(lists.distances_of(i).back());
        nearest.push_back(lists.distances_of(i).front());
    }
    const auto limit = nearest.begin() +
                       static_cast<std::ptrdiff_t>(LocalPlacement::share_within * static_cast<double>(nearest.size()));
    std::nth_element(nearest.begin(), std::min(limit, nearest.end() - 1), nearest.end());
    local.farthest = double{*std::min(limit, nearest.end() - 1)};
    return local;
}

/// The placement of one row after another, on one thread.
class DistancePlacement::Descent {
public:
    Descent(const DistancePlacement& placement, Index effort)
        : placement_(placement),
          graph_(placement.graph()),
          effort_(effort),
          newton_(graph_.points()),
          state_(newton_.start()),
          current_(1, graph_.points().columns()),
          unit_(graph_.scale() * graph_.scale()) {}

    /// y, in the unit of the graph. `listed`: fitted rows that a search has found.
    const DistanceNewton::State& place(std::span<const float> row, std::span<const Index> listed) {
        row_ = row;
        find_near(listed);
        start();
        looks_ = 0;
        for (; !state_.settled && state_.steps < most_newton_steps && looks_ < most_newton_steps; ++looks_) {
            collect_repulsive_terms();
            newton_.advance(terms_, ProximityGraph::margin * radius_, most_newton_steps, state_);
        }
        return state_;
    }

    /// These tell about the last row.
    [[nodiscard]] double nearest() const { return near_.front().first; }
    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] int looks() const { return looks_; }

private:
    /// Distances anew, so that all searches give the same.
    void find_near(std::span<const Index> listed) {
        near_.clear();
        for (const Index j : listed) {
            near_.emplace_back(distance_between(row_, placement_.inputs_[j], placement_.local_.metric), j);
        }
        std::sort(near_.begin(), near_.end());
        own_ = squared(near_.back().first);
        const double floor = floor_of_row();
        radius_ = std::sqrt(std::max(own_, floor));
        terms_.clear();
        bounds_.clear();
        starts_.clear();
        for (const auto& [distance, j] : near_) {
            const double target = squared(distance);
            terms_.push_back({graph_.place_of(j), target, 1.0 / std::max(target, floor), true});
            starts_.push_back(terms_.back().place);
        }
    }

    /// Among copies alone, whose radii are 0, the row's own distance says what is small.
    [[nodiscard]] double floor_of_row() const {
        const double floor = unit_ * placement_.floor_;
        return floor > 0.0 ? floor : own_ > 0.0 ? share_of_median * own_ : 1.0;
    }

    [[nodiscard]] double squared(double distance) const {
        return unit_ * squared_output_distance(distance, placement_.local_.metric);
    }

    /// The mean of the near outputs, with the weights of the terms.
    void start() {
        double* const y = state_.y.data();
        std::fill_n(y, graph_.points().stride(), 0.0);
        const double sum =
            std::accumulate(terms_.begin(), terms_.end(), 0.0,
                            [](double so_far, const PlacementTerm& term) { return so_far + term.scale; });
        for (const PlacementTerm& term : terms_) {
            add_row(term.scale / sum, graph_.points().row(term.place), y, graph_.points().stride());
        }
        state_.steps = 0;
        state_.settled = false;
    }

    /// Terms of all others that y may come too near to within the margin.
    void collect_repulsive_terms() {
        std::transform(state_.y.data(), state_.y.data() + graph_.points().columns(), current_.row(0),
                       [](double value) { return static_cast<float>(value); });
        graph_.find_around({current_.row(0), static_cast<float>(radius_), effort_}, starts_, scratch_, found_);
        std::sort(found_.begin(), found_.end());
        terms_.resize(near_.size());
        const double root = std::sqrt(placement_.local_.repulsion);
        for (const Index place : found_) {
            const double bound = bound_of(place);
            if (bound > 0.0 && std::find(starts_.begin(), starts_.end(), place) == starts_.end()) {
                terms_.push_back({place, bound, root / bound, false});
            }
        }
    }

    /// The squared distance that a point which is not near has to keep: its own up to R.
    [[nodiscard]] double bound_of(Index place) {
        const double other = graph_.radii()[place];
        if (other * other <= own_) {
            return own_;
        }
        const auto [found, is_new] = bounds_.try_emplace(place);
        if (is_new) {
            const auto input = placement_.inputs_[graph_.row_at(place)];
            found->second = std::min(squared(distance_between(row_, input, placement_.local_.metric)), other * other);
        }
        return found->second;
    }

    const DistancePlacement& placement_;
    const ProximityGraph& graph_;
    Index effort_;
    DistanceNewton newton_;
    DistanceNewton::State state_;
    MultiVector<float> current_;  ///< y in float32
    std::span<const float> row_{};
    std::vector<std::pair<double, Index>> near_{};  ///< distances of the inputs, and rows
    std::vector<PlacementTerm> terms_{};            ///< of near ones, then of others
    std::vector<Index> starts_{};                   ///< places of near ones
    std::unordered_map<Index, double> bounds_{};    ///< of places, those that bound_of() has computed
    std::vector<Index> found_{};
    ProximityGraph::Scratch scratch_;
    double unit_;          ///< squared distances of the outputs in the unit of the graph
    double own_ = 0.0;     ///< r_x
    double radius_ = 0.0;  ///< its root, at least that of the floor
    int looks_ = 0;
};

DistancePlacement::DistancePlacement(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                                     std::shared_ptr<const OutOfSampleIndexes> indexes, const RunContext& context)
    : inputs_(inputs), outputs_(outputs), local_(local), indexes_(std::move(indexes)) {
    require_fitted(inputs, outputs);
    require_local(local, inputs.count);
    require_rows_for(local.metric, inputs, "fitted inputs");
    require_memory(context,
                   {{"the index of the fitted points", EqualRowLookup::bytes(inputs.count)},
                    {"the fitted outputs", ProximityGraph::points_bytes(outputs.count, outputs.dimension)}},
                   "raise the limit or fit fewer points");
    floor_ = share_of_median * squared_output_distance(median_radius(local), local.metric);
    known_ = std::make_shared<const EqualRowLookup>(inputs, context);
    if (!indexes_) {
        all_ = std::make_shared<const ProximityGraph>(outputs, output_radii(local), already_stated(context));
    }
}

const ProximityGraph& DistancePlacement::graph() const {
    return indexes_ ? indexes_->outputs() : *all_;
}

/// Writes and counts the rows that need no steps: those that were fitted, and those without a direction.
std::vector<Index> DistancePlacement::unknown_rows(const PointsView& rows, PlacedByDistance& placed) const {
    std::vector<Index> unknown;
    std::vector<float> middle;
    for (Index i = 0; i < rows.count; ++i) {
        if (const auto fitted = known_->find(rows[i])) {
            std::copy_n(outputs_[*fitted].begin(), outputs_.dimension, placed.outputs[i].begin());
            ++placed.fitted;
        } else if (!has_direction(rows[i], local_.metric)) {
            if (middle.empty()) {
                middle = place_without_direction(inputs_, outputs_, local_.metric);
            }
            std::copy(middle.begin(), middle.end(), placed.outputs[i].begin());
            placed.nearest[i] = 1.0F;
            ++placed.zero_vectors;
        } else {
            unknown.push_back(i);
        }
    }
    return unknown;
}

NeighborLists DistancePlacement::search(const PointsView& rows, const RunContext& context) const {
    RunContext quiet = already_stated(context);
    quiet.on_iteration = nullptr;
    const Index size = local_.neighbors;
    return indexes_ ? indexes_->inputs().search(rows, size, quiet)
                    : exact_neighbors(rows, inputs_, size, local_.metric, quiet);
}

PlacedByDistance DistancePlacement::place(const PointsView& rows, const RunContext& context) const {
    require_dimension(rows);
    require_finite(rows, "input");
    require_rows_for(local_.metric, rows, "input");
    const auto group = static_cast<Index>(std::min<std::size_t>(rows.count, rows_of_a_group));
    const auto threads = static_cast<std::uint64_t>(context.thread_count());
    require_memory(context,
                   {{"the outputs", std::uint64_t{rows.count} * (outputs_.dimension + 2) * sizeof(float)},
                    {"a group of rows and their neighbours",
                     std::uint64_t{group} * inputs_.dimension * sizeof(float) +
                         exact_search_bytes(group, inputs_.count, inputs_.dimension, local_.neighbors)},
                    {"the steps of the threads",
                     threads * (DistanceNewton::bytes(outputs_.dimension) +
                                outputs_.count * (sizeof(PlacementTerm) + 5 * sizeof(Index) + sizeof(float)))}},
                   "raise the limit, or place fewer rows at a time or on fewer threads");
    PlacedByDistance placed{Points(rows.count, outputs_.dimension), std::vector<float>(rows.count)};
    const std::vector<Index> unknown = unknown_rows(rows, placed);
    const std::size_t groups = block_count(unknown.size(), rows_of_a_group);
    for (std::size_t g = 0; g < groups; ++g) {
        throw_if_cancelled(context);
        const Range range = block_range(g, unknown.size(), rows_of_a_group);
        place_group(rows, std::span(unknown).subspan(range.begin, range.size()), context, placed);
        context.report({"placement", g + 1, groups, 0.0});
    }
    return placed;
}

void DistancePlacement::place_group(const PointsView& rows, std::span<const Index> chosen, const RunContext& context,
                                    PlacedByDistance& placed) const {
    const Points some = read_rows(ViewRows(rows), chosen);
    const NeighborLists lists = search(some.view(), context);
    // Rows beside each other in spatial order look at the same outputs, which then are in the cache.
    std::vector<Index> order(chosen.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        const Index first = graph().place_of(lists[a].front());
        const Index second = graph().place_of(lists[b].front());
        return first != second ? first < second : a < b;
    });
    std::vector<PlacedByDistance> parts(block_count(chosen.size(), rows_at_once));
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        Descent descent(*this, graph().effort());
        const Range range = block_range(task, chosen.size(), rows_at_once);
        for (std::size_t r = range.begin; r < range.end; ++r) {
            const Index row = order[r];
            const DistanceNewton::State& state = descent.place(some[row], lists[row]);
            std::transform(state.y.data(), state.y.data() + outputs_.dimension, placed.outputs[chosen[row]].begin(),
                           [&](double value) { return static_cast<float>(value / graph().scale()); });
            placed.nearest[chosen[row]] = static_cast<float>(descent.nearest());
            parts[task].unsettled += state.settled ? 0U : 1U;
            parts[task].steps += static_cast<std::uint64_t>(state.steps);
            parts[task].looks += static_cast<std::uint64_t>(descent.looks());
        }
    });
    for (const PlacedByDistance& part : parts) {
        placed.unsettled += part.unsettled;
        placed.steps += part.steps;
        placed.looks += part.looks;
    }
}

Points DistancePlacement::coordinates_of(const PointsView& rows, Transformed& transformed,
                                         const RunContext& context) const {
    Summary& summary = transformed.summary;
    PlacedByDistance placed = place(rows, context);
    summary.count("fitted_rows", placed.fitted);
    summary.count("zero_vectors", placed.zero_vectors);
    summary.count("unsettled", placed.unsettled);
    summary.count(beyond_fit,
                  static_cast<double>(std::count_if(placed.nearest.begin(), placed.nearest.end(), [&](float distance) {
                      return double{distance} > local_.farthest;
                  })));
    transformed.nearest = std::move(placed.nearest);
    return std::move(placed.outputs);
}

void DistancePlacement::examine(const PointsView& rows, Summary& summary, const RunContext& context) const {
    const PlacementAgreement agreement = compare(rows, context);
    summary.count("compared_rows", agreement.rows);
    if (agreement.rows > 0) {
        summary.measure("near_found", agreement.near_found);
        summary.measure("recall_at_10", agreement.recall);
        summary.measure("recall_at_10_exact", agreement.exact_recall);
        summary.measure("distance_from_exact", agreement.median_distance);
    }
}

namespace {

/// How many of a list's numbers another's has, too, as a share. Both in any order.
double share_in(std::span<const Index> first, std::span<const Index> second) {
    const auto common = std::count_if(first.begin(), first.end(), [&](Index wanted) {
        return std::find(second.begin(), second.end(), wanted) != second.end();
    });
    return static_cast<double>(common) / static_cast<double>(first.size());
}

/// The rows whose outputs are nearest to y.
std::vector<Index> nearest_outputs(const ProximityGraph& graph, const AlignedArray<double>& y, std::size_t count) {
    std::vector<Index> rows(graph.points().rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    MultiVector<float> point(1, graph.points().columns());
    std::transform(y.data(), y.data() + point.columns(), point.row(0),
                   [](double value) { return static_cast<float>(value); });
    std::vector<float> squares(rows.size());
    square_listed_differences(point.row(0), graph.points(), rows, squares.data());
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(),
                      [&](Index a, Index b) { return squares[a] != squares[b] ? squares[a] < squares[b] : a < b; });
    rows.erase(end, rows.end());
    std::transform(rows.begin(), rows.end(), rows.begin(), [&](Index place) { return graph.row_at(place); });
    return rows;
}

}  // namespace

PlacementAgreement DistancePlacement::compare(const PointsView& rows, const RunContext& context) const {
    require_dimension(rows);
    require_finite(rows, "input");
    PlacedByDistance ignored{Points(rows.count, outputs_.dimension), std::vector<float>(rows.count)};
    const Points some = read_rows(ViewRows(rows), unknown_rows(rows, ignored));
    if (some.count() == 0) {
        return {};
    }
    throw_if_cancelled(context);
    const Index listed = std::min(inputs_.count, std::max(local_.neighbors, compared_neighbors));
    require_memory(context,
                   {{"the exact neighbours of some rows",
                     exact_search_bytes(some.count(), inputs_.count, inputs_.dimension, listed)},
                    {"distances to all outputs", static_cast<std::uint64_t>(context.thread_count()) * outputs_.count *
                                                     (sizeof(float) + 2 * sizeof(Index))}},
                   "raise the limit");
    RunContext quiet = already_stated(context);
    quiet.on_iteration = nullptr;
    const NeighborLists truth = exact_neighbors(some.view(), inputs_, listed, local_.metric, quiet);
    const NeighborLists found = search(some.view(), context);
    std::vector<PlacementAgreement> parts(some.count());
    std::vector<double> distances(some.count());
    parallel_tasks(context, some.count(), [&](std::size_t task) {
        throw_if_cancelled_in_task(context);
        const auto row = static_cast<Index>(task);
        const auto wanted = truth[row].first(std::min(compared_neighbors, listed));
        Descent indexed(*this, graph().effort());
        Descent exact(*this, fitted_count());
        const AlignedArray<double>& y = indexed.place(some[row], found[row]).y;
        const AlignedArray<double>& z = exact.place(some[row], truth[row].first(local_.neighbors)).y;
        parts[task] = {.near_found = share_in(truth[row].first(local_.neighbors), found[row]),
                       .recall = share_in(wanted, nearest_outputs(graph(), y, wanted.size())),
                       .exact_recall = share_in(wanted, nearest_outputs(graph(), z, wanted.size()))};
        distances[task] = std::sqrt(squared_distance(y.data(), z.data(), outputs_.dimension)) / exact.radius();
    });
    PlacementAgreement agreement{.rows = some.count(), .median_distance = median_of(std::move(distances))};
    for (const PlacementAgreement& part : parts) {
        agreement.near_found += part.near_found / some.count();
        agreement.recall += part.recall / some.count();
        agreement.exact_recall += part.exact_recall / some.count();
    }
    return agreement;
}

}  // namespace isogon
