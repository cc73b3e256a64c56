#include "methods/matching/local_faithful.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "isogon/faithful/faithful_path.hpp"
#include "isogon/faithful/local_objective.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/place_order.hpp"
#include "isogon/transform/distance_placement.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/input_points.hpp"
#include "methods/matching/dimension_search.hpp"
#include "methods/matching/faithful_neighbors.hpp"
#include "methods/matching/faithful_record.hpp"
#include "methods/matching/faithful_start.hpp"
#include "methods/matching/local_descent.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

namespace {

/// How much all pairs above the global threshold count together, in sums over the near pairs. A weight of a single pair
/// would mean more the more points there are: near pairs are some K for each point, those above the threshold n / 100.
/// 2.5 is the least with which no data set tried has a deviation more than a tenth above that of one threshold.
/// More keeps fewer neighbours (bench/local-quality).
double share_of_angles(Favor favor) {
    constexpr double balanced = 2.5;
    constexpr double angles = 30.0;
    if (favor == Favor::Neighbors) {
        return 0.0;
    }
    return favor == Favor::Angles ? angles : balanced;
}

/// w, the weight of one pair above the global threshold.
double weight_of_angles(Favor favor, Offset near, Offset above) {
    const double share = share_of_angles(favor);
    return above == 0 ? 0.0 : std::min(100.0, share * static_cast<double>(near) / static_cast<double>(above));
}

}  // namespace

std::uint64_t local_form_bytes(Index points, Index dimension, Index k, Offset above) {
    constexpr std::uint64_t bytes_of_a_list = 8;   // an index and a distance
    constexpr std::uint64_t bytes_of_a_pair = 20;  // as collected, and as assembled
    const std::uint64_t near = std::uint64_t{points} * k;
    return (bytes_of_a_list + bytes_of_a_pair) * near +
           (above > 0 ? LocalPass::bytes(points, near, above)
                      : ListedPass::bytes(points, dimension, near, points >= many_points));
}

namespace {

void record(const FaithfulDescent& descent, Metric metric, Summary& summary) {
    summary.trace = descent.trace();
    summary.count("violating_pairs", 0.5 * descent.value().violations);
    summary.measure("relative_residual", descent.relative_residual());
    summary.message =
        message_of({.termination = summary.termination,
                    .updates = summary.trace.size(),
                    .form = metric == Metric::Cosine ? " of the local form by angle" : " of the local form by distance",
                    .tolerance = descent.solved() ? "" : rounded(descent.tolerance()),
                    .residual = ", residual " + rounded(descent.relative_residual())});
}

/// How the passes were made, where lists may take the place of all pairs.
void record_passes(const PassCounts& counts, Summary& summary) {
    if (counts.dense + counts.listed > 0) {
        summary.count("dense_passes", static_cast<double>(counts.dense));
        summary.count("listed_passes", static_cast<double>(counts.listed));
        summary.measure("whole_scans", counts.scans);
    }
}

/// Points in the order of places, in which many of them are fitted; none, where order is empty.
MultiVector<float> into_order(MultiVector<float> y, const std::vector<Index>& order) {
    if (order.empty()) {
        return y;
    }
    MultiVector<float> ordered(y.rows(), y.columns());
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(order[i]), y.columns(), ordered.row(i));
    }
    return ordered;
}

NeighborLists into_order(const NeighborLists& lists, const std::vector<Index>& order) {
    if (order.empty()) {
        return lists;
    }
    std::vector<Index> places(order.size());
    for (Index i = 0; i < order.size(); ++i) {
        places[order[i]] = i;
    }
    NeighborLists ordered{.size = lists.size};
    ordered.indices.reserve(lists.indices.size());
    ordered.distances.reserve(lists.distances.size());
    for (const Index i : order) {
        std::transform(lists[i].begin(), lists[i].end(), std::back_inserter(ordered.indices),
                       [&](Index j) { return places[j]; });
        std::ranges::copy(lists.distances_of(i), std::back_inserter(ordered.distances));
    }
    return ordered;
}

/// The points in their own order.
Points out_of_order(const MultiVector<float>& y, const std::vector<Index>& order) {
    Points points(y.rows(), y.columns());
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(i), y.columns(), points[order.empty() ? i : order[i]].begin());
    }
    return points;
}

std::vector<Index> order_of_many(const MultiVector<float>& start, const RunContext& context) {
    return start.rows() < many_points ? std::vector<Index>() : place_order(start.view(), context);
}

Points on_principal_axes(const Points& found, const RunContext& context) {
    return project(found.view(), truncated_svd(found.view(), found.dimension(), true, context), context);
}

}  // namespace

void warn_of_pictures(Index dimension, double relative_residual, Summary& summary) {
    constexpr Index seen = 3;
    if (dimension <= seen && relative_residual > FaithfulPath::solvable) {
        summary.warn(std::to_string(dimension) + (dimension == 1 ? " number" : " numbers") +
                     " for each point cannot hold these neighbours: for a picture the methods tsne and umap keep "
                     "several times as many, for a search take more dimensions");
    }
}

void certify(const NeighborLists& lists, Metric metric, const DistributedPoints& x, const RunContext& context,
             Embedding& result) {
    Summary& summary = result.summary;
    if (lists.size == 0 || !summary.usable() || summary.termination == Termination::Cancelled ||
        summary.termination == Termination::TimeLimit) {
        return;
    }
    const PhaseTimer timer(summary, "certificate");
    const Points gathered = x.is_distributed() ? x.gather_range({0, x.count()}) : Points();
    const PointsView inputs = x.is_distributed() ? gathered.view() : x.local();
    KeptNeighbors kept = kept_neighbors(lists, inputs, result.coordinates.view(), metric, context);
    summary.measure("kept_neighbors", kept.neighbors);
    summary.measure("all_kept", kept.all);
    summary.measure("kept_in_order", kept.in_order);
    summary.count("certified_points", static_cast<double>(kept.rows.size()));
    result.kept = std::move(kept);
    if (summary.value("exact_neighbors", 1.0) == 0.0) {
        summary.message += "; an index found " + rounded(summary.value("neighbor_recall", 1.0)) +
                           " of the inputs' neighbours, and those are what is kept";
    }
}

bool match_locally(Similarities s, const NeighborLists& lists, const std::vector<float>& lengths,
                   MultiVector<float> start, double trial_residual, const DistributedPoints& x,
                   const FaithfulOptions& options, Checkpoints& checkpoints, const RunContext& context,
                   Embedding& result) {
    Summary& summary = result.summary;
    // Passes over lists find near points in cache, scans of all pairs find them side by side.
    const std::vector<Index> order = s.size() > 0 ? std::vector<Index>() : order_of_many(start, context);
    const std::vector<float> own_lengths = order.empty() ? lengths : in_order(std::span(lengths), std::span(order));
    LocalTargets targets = local_targets(into_order(lists, order), Metric::Cosine, own_lengths);
    const double w = weight_of_angles(options.favor.value_or(Favor::Balanced), targets.near.entries(), s.pairs());
    targets.ranks = s.ranks;
    targets.in_places = !order.empty();
    if (w > 0.0) {
        add_global_pairs(s, w, targets);
    }
    s = Similarities();
    LocalObjective objective(targets, Metric::Cosine, own_lengths, dimension_of(options),
                             options.off_support_weight.value_or(1.0));
    const std::vector<double> norms = norms_of_all(x, context);
    const auto coordinates = [&](const MultiVector<float>& position) {
        Points y = out_of_order(position, order);
        set_norms(y, norms);
        return y;
    };
    const auto descent = descend(objective, into_order(std::move(start), order), options, trial_residual, coordinates,
                                 checkpoints, context, summary);
    if (descent == nullptr) {
        return false;
    }
    summary.count("near_pairs", static_cast<double>(targets.near.entries()));
    summary.measure("angle_weight", w);
    record(*descent, Metric::Cosine, summary);
    record_passes(objective.pass_counts(), summary);
    summary.measure("residual_on_spheres", trial_residual);
    if (summary.usable()) {
        result.coordinates = coordinates(descent->position());
        result.barycentric_map = mixture_of_nearest(result.coordinates);
    }
    return true;
}

namespace {

/// Projections on the top singular directions about the mean; or the start that the user gives.
Points start_by_distance(const DistributedPoints& x, const FaithfulOptions& options, const FitExtras& extras,
                         const RunContext& context, Summary& summary) {
    if (!extras.start.empty()) {
        return given_start(extras);
    }
    const PhaseTimer timer(summary, "svd");
    const Points gathered = x.is_distributed() ? x.gather_range({0, x.count()}) : Points();
    const PointsView all = x.is_distributed() ? gathered.view() : x.local();
    return project(all, truncated_svd(all, dimension_of(options), true, context), context);
}

/// The descent, and what comes after it, of lists of neighbours from a start.
void match_by_distance(const NeighborLists& lists, Points start, const DistributedPoints& x,
                       const FaithfulOptions& options, Checkpoints& checkpoints, const RunContext& context,
                       Embedding& result) {
    MultiVector<float> y(start.count(), start.dimension());
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy(start[i].begin(), start[i].end(), y.row(i));
    }
    start = Points();
    result.coordinates = on_principal_axes(out_of_order(y, {}), context);
    result.local_placement = local_placement_of(lists, Metric::Euclidean, lists.size, LocalPlacement().repulsion);
    const std::vector<Index> order = order_of_many(y, context);
    LocalTargets targets = local_targets(into_order(lists, order), Metric::Euclidean, {});
    targets.ranks = ranks_of(x);
    targets.in_places = !order.empty();
    result.summary.count("near_pairs", static_cast<double>(targets.near.entries()));
    LocalObjective objective(targets, Metric::Euclidean, {}, dimension_of(options),
                             options.off_support_weight.value_or(1.0));
    const auto coordinates = [&](const MultiVector<float>& position) {
        return on_principal_axes(out_of_order(position, order), uninterrupted(context));
    };
    const auto descent = descend(objective, into_order(std::move(y), order), options, 0.0, coordinates, checkpoints,
                                 context, result.summary);
    record(*descent, Metric::Euclidean, result.summary);
    record_passes(objective.pass_counts(), result.summary);
    result.coordinates = Points();
    if (result.summary.usable()) {
        result.coordinates = coordinates(descent->position());
    }
    certify(lists, Metric::Euclidean, x, context, result);
    constexpr double most = 0.9;  // of a few points all may be kept
    if (result.summary.value("kept_neighbors", 0.0) < most) {
        warn_of_pictures(dimension_of(options), descent->relative_residual(), result.summary);
    }
}

}  // namespace

void fit_by_distance(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                     Checkpoints& checkpoints, const RunContext& context, Embedding& result) {
    if (checkpoints.resume() != nullptr) {
        (void)trial_residual_in(*checkpoints.resume(),
                                FaithfulPath::solvable);  // there was none by distance, but it marks the form
    }
    state_neighbors_alone(x, options, k, extras, context);
    const NeighborLists lists = neighbors_of_all(x, k, options, extras.neighbors, context, result.summary);
    if (options.dimension) {
        return match_by_distance(lists, start_by_distance(x, options, extras, context, result.summary), x, options,
                                 checkpoints, context, result);
    }
    const auto fit_in = [&](Index d, const Embedding* wider, const Summary& before) {
        FaithfulOptions used = options;
        used.dimension = static_cast<int>(d);
        Embedding fitted = result;
        fitted.summary.seconds = before.seconds;
        fitted.options = faithful_option_table().values(used);
        state_neighbors_alone(x, used, k, extras, context);
        Points start = wider == nullptr ? start_by_distance(x, used, extras, context, fitted.summary)
                                        : in_fewer_dimensions(wider->coordinates, d, false, context);
        match_by_distance(lists, std::move(start), x, used, checkpoints, context, fitted);
        return fitted;
    };
    result = fit_in_fewest_dimensions(options.recall, most_dimensions(x), fit_in, result.summary);
}

}  // namespace isogon
