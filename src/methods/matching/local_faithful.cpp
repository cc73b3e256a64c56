#include "methods/matching/local_faithful.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"
#include "isogon/faithful/faithful_descent.hpp"
#include "isogon/faithful/local_objective.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/input_points.hpp"
#include "methods/matching/faithful_start.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

namespace {

bool by_angle(const FaithfulOptions& options) {
    return options.metric == Metric::Cosine;
}

/// w, the weight of the pairs above the global threshold. The measurements are in docs/methods/faithful.md.
double weight_of_angles(const FaithfulOptions& options) {
    constexpr double balanced = 0.1;
    if (!by_angle(options) || options.favor == Favor::Neighbors) {
        return 0.0;
    }
    return options.favor == Favor::Angles ? 1.0 : balanced;
}

void require_local(const FaithfulOptions& options, Index points) {
    if (static_cast<Index>(options.neighbors) >= points) {
        throw InvalidArgument(
            "neighbors", std::to_string(options.neighbors),
            "must be at most " + std::to_string(points - 1) + ", the number of other points, or 0: one threshold");
    }
    if (options.threshold && weight_of_angles(options) == 0.0) {
        throw InvalidArgument("threshold", to_text(OptionValue{*options.threshold}),
                              "has no effect where neighbors alone are kept: with metric euclidean or favor neighbors");
    }
}

void state_memory(const DistributedPoints& x, const FaithfulOptions& options, double density, bool checkpoints,
                  const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    const auto k = static_cast<Offset>(options.neighbors);
    const double pairs = 0.5 * x.count() * (x.count() - 1.0) * density;
    const auto far = static_cast<Offset>(pairs);
    const std::uint64_t targets =
        20 * (std::uint64_t{x.count()} * k + far) + LocalPass::bytes(x.count(), k * x.count(), far);
    const std::uint64_t neighbors = exact_neighbors_bytes(x.count(), x.dimension(), static_cast<Index>(k));
    const std::uint64_t above = far == 0 ? 0 : similarities_bytes(x.count(), x.dimension(), density);
    const std::uint64_t points = std::uint64_t{x.count()} * x.dimension() * sizeof(float);
    const std::uint64_t copies = (by_angle(options) ? 1 : 0) + (x.is_distributed() ? 1 : 0);
    require_memory(context,
                   {{by_angle(options) ? "the inputs' directions" : "the inputs of all ranks", copies * points},
                    {"their neighbours, or the pairs above the threshold", std::max(neighbors, above)},
                    {"the pairs to keep", targets},
                    {"the product of the inputs with themselves", std::uint64_t{x.dimension()} * x.dimension() * 48},
                    {"the solver", FaithfulDescent::bytes(x.count(), d, {}) * (checkpoints ? 2 : 1)}},
                   "raise the limit, or embed fewer points");
}

/// All points on every rank: directions by angle, by distance the points themselves, which only ranks have to copy.
struct LocalInputs {
    PointsView view;
    std::vector<float> lengths;  ///< of directions 1, or 0 where there is none
    Points copy{};               ///< of what `view` shows, if anything
};

LocalInputs inputs_of(const DistributedPoints& x, const FaithfulOptions& options, const RunContext& context) {
    Points gathered = x.is_distributed() ? x.gather_range({0, x.count()}) : Points();
    const PointsView all = x.is_distributed() ? gathered.view() : x.local();
    LocalInputs inputs{all, std::vector<float>(x.count(), 1.0F), std::move(gathered)};
    if (by_angle(options)) {
        WeightedPoints weighted = weighted_points(DistributedPoints(all), true, context);
        inputs = {weighted.points.view(), std::move(weighted.lengths), {}};
        inputs.copy = std::move(weighted.points);
    }
    return inputs;
}

/// Projections on the top singular directions, about the mean by distance; or the start that the user gives.
MultiVector<float> start_of(const LocalInputs& inputs, const FaithfulOptions& options, const FitExtras& extras,
                            const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "svd");
    const auto d = static_cast<Index>(options.dimension);
    Points start(extras.start.count, extras.start.dimension);
    for (Index i = 0; i < start.count(); ++i) {
        std::copy(extras.start[i].begin(), extras.start[i].end(), start[i].begin());
    }
    if (start.empty()) {
        const TruncatedSvd svd = truncated_svd(inputs.view, d, !by_angle(options), context);
        start = project(inputs.view, svd, context);
    }
    if (by_angle(options)) {
        return on_spheres(start.view(), inputs.lengths, options.seed);
    }
    MultiVector<float> y(start.count(), d);
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy(std::as_const(start)[i].begin(), std::as_const(start)[i].end(), y.row(i));
    }
    return y;
}

/// Neighbours as targets, with the pairs above the global threshold where those count.
LocalTargets targets_of(const LocalInputs& inputs, const NeighborLists& lists, const FaithfulOptions& options,
                        const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "similarities");
    LocalTargets targets = local_targets(lists, options.metric, inputs.lengths);
    if (const double w = weight_of_angles(options); w > 0.0) {
        const CsrMatrix<float> above = pairs_above(inputs.view, *options.threshold, context);
        add_global_pairs(above, *options.threshold, w, targets);
    }
    summary.count("support_pairs", static_cast<double>(targets.near.entries() + targets.far.entries()));
    return targets;
}

std::unique_ptr<FaithfulDescent> descend(LocalObjective& objective, MultiVector<float> start,
                                         const FaithfulOptions& options, Checkpoints& checkpoints,
                                         const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "matching");
    std::unique_ptr<FaithfulDescent> descent;
    const auto save = [&](Archive& archive) { descent->save(archive); };
    RunContext watched = context;
    watched.on_iteration = [&](const Progress& progress) {
        context.report(progress);
        if (descent && progress.phase == "matching") {
            checkpoints.take(save);
        }
    };
    // Neighbours are in their places long before: 14,000 digits at d = 32 keep .9999 of them at 2e-5. Below it the
    // residual still falls by a share an update, so that the tolerance would never end the run.
    constexpr double solved = 2e-5;
    const DescentOptions how{.tolerance = options.tolerance, .solved = options.tolerance > 0.0 ? solved : 0.0};
    const Archive* saved = checkpoints.resume();
    descent = saved == nullptr
                  ? std::make_unique<FaithfulDescent>(objective, std::move(start), how, watched)
                  : std::make_unique<FaithfulDescent>(objective, *saved, start.rows(), start.columns(), how, watched);
    summary.termination = descent->run_to(options.iterations);
    if (summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit) {
        checkpoints.take(save, true);
    }
    return descent;
}

void record(const FaithfulDescent& descent, const FaithfulOptions& options, Summary& summary) {
    summary.trace = descent.trace();
    summary.count("violating_pairs", 0.5 * descent.value().violations);
    summary.measure("relative_residual", descent.relative_residual());
    summary.message =
        message_of({.termination = summary.termination,
                    .updates = summary.trace.size(),
                    .form = by_angle(options) ? " of the local form by angle" : " of the local form by distance",
                    .tolerance = rounded(descent.tolerance()),
                    .residual = ", residual " + rounded(descent.relative_residual())});
}

/// By angle on the spheres: |y_i| = |x_i|. By distance: centred, on the principal axes.
Points coordinates_of(const MultiVector<float>& y, const std::vector<double>& lengths, const FaithfulOptions& options,
                      const RunContext& context) {
    Points found(y.rows(), y.columns());
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(i), y.columns(), found[i].begin());
    }
    if (by_angle(options)) {
        set_norms(found, lengths);
        return found;
    }
    return project(found.view(), truncated_svd(found.view(), y.columns(), true, context), context);
}

/// The neighbours of the rows among all outputs, without the row itself.
NeighborLists neighbors_of_rows(const PointsView& outputs, std::span<const Index> rows, Index k, Metric metric,
                                const RunContext& context) {
    Points queries(static_cast<Index>(rows.size()), outputs.dimension);
    for (Index r = 0; r < queries.count(); ++r) {
        std::copy(outputs[rows[r]].begin(), outputs[rows[r]].end(), queries[r].begin());
    }
    const NeighborLists with_self = exact_neighbors(queries.view(), outputs, k + 1, metric, context);
    NeighborLists lists{.size = k};
    for (Index r = 0; r < queries.count(); ++r) {
        const auto found = with_self[r];
        const auto self = std::find(found.begin(), found.end() - 1, rows[r]);  // or the last: one too many
        lists.indices.insert(lists.indices.end(), found.begin(), self);
        lists.indices.insert(lists.indices.end(), self + 1, found.end());
    }
    return lists;
}

}  // namespace

KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& outputs, Metric metric,
                             const RunContext& context) {
    std::vector<Index> rows(outputs.count);
    std::iota(rows.begin(), rows.end(), Index{0});
    if (outputs.count > KeptNeighbors::most_rows) {
        rows = sample_rows(outputs.count, KeptNeighbors::most_rows, 0, RandomStream::NeighborSample);
    }
    const NeighborLists found = outputs.count > KeptNeighbors::most_rows
                                    ? neighbors_of_rows(outputs, rows, lists.size, metric, context)
                                    : exact_neighbors(outputs, lists.size, metric, context);
    KeptNeighbors kept{.rows = static_cast<Index>(rows.size())};
    for (Index r = 0; r < kept.rows; ++r) {
        const auto before = lists[rows[r]];
        const auto after = found[r];
        const auto common = std::count_if(before.begin(), before.end(), [&](Index j) {
            return std::find(after.begin(), after.end(), j) != after.end();
        });
        kept.neighbors += static_cast<double>(common) / lists.size;
        kept.all += static_cast<Index>(common) == lists.size ? 1.0 : 0.0;
        kept.in_order += std::equal(before.begin(), before.end(), after.begin()) ? 1.0 : 0.0;
    }
    kept.neighbors /= kept.rows;
    kept.all /= kept.rows;
    kept.in_order /= kept.rows;
    return kept;
}

namespace {

/// What was kept, where there is time to look.
void certify(const NeighborLists& lists, const PointsView& outputs, Metric metric, const RunContext& context,
             Summary& summary) {
    const PhaseTimer timer(summary, "certificate");
    const KeptNeighbors kept = kept_neighbors(lists, outputs, metric, context);
    summary.measure("kept_neighbors", kept.neighbors);
    summary.measure("all_kept", kept.all);
    summary.measure("kept_in_order", kept.in_order);
    summary.count("certified_points", kept.rows);
}

}  // namespace

namespace {

/// By the same equation where angles are kept, else as mixtures of fitted points.
void place_new_points_by(const FaithfulOptions& options, Embedding& result) {
    if (by_angle(options)) {
        const double weight = weight_of_angles(options);
        result.local_placement = {.neighbors = static_cast<Index>(options.neighbors),
                                  .weight = weight,
                                  .threshold = weight > 0.0 ? options.threshold.value_or(0.0) : 0.0};
    } else {
        result.barycentric_map = mixture_of_nearest(result.coordinates);
    }
}

}  // namespace

void fit_local(const DistributedPoints& x, FaithfulOptions options, const FitExtras& extras, Checkpoints& checkpoints,
               const RunContext& context, Embedding& result) {
    Summary& summary = result.summary;
    require_local(options, x.count());
    double density = 0.0;
    if (weight_of_angles(options) > 0.0) {
        const AngleHistograms angles = threshold_step(x, options.threshold, options.seed, summary, context);
        options.threshold = angles.threshold;
        density = 1.0 - angles.sparsity;
        result.options = faithful_option_table().values(options);
    }
    state_memory(x, options, density, bool{extras.checkpoint}, context);

    LocalInputs inputs = inputs_of(x, options, context);
    const auto k = static_cast<Index>(options.neighbors);
    std::optional<PhaseTimer> timer(std::in_place, summary, "neighbors");
    const NeighborLists lists = exact_neighbors(inputs.view, k, options.metric, context);
    timer.reset();
    MultiVector<float> start = start_of(inputs, options, extras, context, summary);
    const std::vector<double> lengths = norms_of_all(x);
    result.coordinates = coordinates_of(start, lengths, options, context);
    place_new_points_by(options, result);
    LocalTargets targets = targets_of(inputs, lists, options, context, summary);
    targets.ranks = ranks_of(x);
    inputs.copy = Points();
    LocalObjective objective(targets, options.metric, inputs.lengths, static_cast<Index>(options.dimension),
                             options.off_support_weight.value_or(1.0));
    const auto descent = descend(objective, std::move(start), options, checkpoints, context, summary);
    record(*descent, options, summary);
    if (!summary.usable()) {
        result.coordinates = Points();
        return;
    }
    result.coordinates = coordinates_of(descent->position(), lengths, options, uninterrupted(context));
    place_new_points_by(options, result);
    if (summary.termination != Termination::Cancelled && summary.termination != Termination::TimeLimit) {
        certify(lists, result.coordinates.view(), options.metric, context, summary);
    }
}

}  // namespace isogon
