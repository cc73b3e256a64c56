#include "methods/matching/faithful_stages.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/pairs/spatial_order.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

const FaithfulSettings& faithful_settings() {
    static const FaithfulSettings settings;
    return settings;
}

DescentOptions descent_by_lists(Index points) {
    DescentOptions options;
    if (points >= many_points) {
        options.memory = 5;
    }
    return options;
}

namespace {

constexpr const char* stage_number = "stage";
constexpr const char* stage_coordinates = "stage_start";
constexpr const char* squares_residual = "squares_residual";
constexpr const char* frozen_lists = "frozen_lists";
constexpr const char* earlier_trace = "earlier";

/// The first updates of many points from pca, in which points move further than any skin. Frozen lists, renewed now and
/// then, lead to the same places by a fraction of the scans, and without a pass over all pairs (bench/scaling): first
/// the lists of a random half of the pairs of near panels, then of all these, which have most of the pairs that matter,
/// then those of all.
/// Tried: a random half of all pairs throughout, with twice the scans in all; a third or a quarter of near pairs, or a
/// half for 10 or 30 updates, which take longer (280,000 digits); no lists of all before the exact ones, whose skins
/// are then soon left, as the pairs that were missed push; lists renewed where a fifth of the points has left them,
/// which miss too much; a start from a fit of every eighth point, which saves few updates.
constexpr int updates_of_approach = 70;  // with 50 all are scanned once more: the skins of then are soon left
constexpr int updates_by_half = 20;      // with fewer than updates_of_approach none: they could not make up for it
constexpr int updates_by_near_panels = 30;

/// Where `last` ends the approach.
FrozenLists lists_of_approach(int update, int last) {
    if (update < updates_by_half && last >= updates_of_approach) {
        return FrozenLists::HalfOfNear;
    }
    return update < updates_by_near_panels ? FrozenLists::Near : FrozenLists::All;
}

/// `take` is called where a checkpoint can be taken: the lists have just been made anew from the position alone.
/// `is_over` ends it.
Termination approach(LocalObjective& objective, RiemannianLbfgs& descent, int last, const RunContext& context,
                     const std::function<bool()>& is_over, const std::function<void()>& take) {
    constexpr int updates_of_lists = 10;
    try {
        while (descent.iterations() < last) {
            const Termination end = descent.run_to(descent.iterations() + 1);
            if (end == Termination::Cancelled || end == Termination::TimeLimit) {
                return end;
            }
            if (end != Termination::IterationLimit) {
                break;  // of the problem of these lists nothing was left
            }
            if (is_over()) {
                return Termination::IterationLimit;
            }
            const int update = descent.iterations();
            if (update % updates_of_lists == 0 && update <= updates_by_near_panels && update < last) {
                objective.freeze_lists(lists_of_approach(update, last));
                descent.evaluate_again();
                take();
            } else if (objective.renew_stale_lists(descent.position(), context)) {
                descent.evaluate_again();
            }
        }
        objective.freeze_lists(FrozenLists::None);
        descent.evaluate_again();
    } catch (const Interruption& interruption) {
        return interruption.reason;
    }
    return Termination::IterationLimit;
}

/// Points in spatial order, in which many of them are fitted; as they are where the order is empty.
MultiVector<float> into_order(const Points& points, const std::vector<Index>& order) {
    MultiVector<float> ordered(points.count(), points.dimension());
    for (Index i = 0; i < points.count(); ++i) {
        std::ranges::copy(points[order.empty() ? i : order[i]], ordered.row(i));
    }
    return ordered;
}

NeighborLists into_order(const NeighborLists& lists, const std::vector<Index>& order) {
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

Points out_of_order(const MultiVector<float>& y, const std::vector<Index>& order) {
    Points points(y.rows(), y.columns());
    for (Index i = 0; i < y.rows(); ++i) {
        std::copy_n(y.row(i), y.columns(), points[order.empty() ? i : order[i]].begin());
    }
    return points;
}

void record(const RiemannianLbfgs& descent, const std::vector<Index>& order, StageEnd& end) {
    end.relative_residual = descent.relative_residual();
    end.violating_pairs = 0.5 * descent.value().violations;
    end.trace = descent.trace();
    end.coordinates = out_of_order(descent.position(), order);
}

bool was_interrupted(Termination end) {
    return end == Termination::Cancelled || end == Termination::TimeLimit;
}

/// Whether the residual falls fast after so many updates.
bool is_falling(const std::vector<IterationRecord>& trace, int updates) {
    const FaithfulSettings& settings = faithful_settings();
    if (updates <= settings.updates_to_judge || static_cast<int>(trace.size()) < updates) {
        return false;
    }
    const auto at = [&](int update) { return trace[static_cast<std::size_t>(update - 1)].objective; };
    return at(updates) <= settings.falling * at(updates - settings.updates_to_judge);
}

/// Whether the checkpoint is of the first updates, by lists that miss some pairs.
bool has_frozen_lists(const Archive& saved) {
    ArchiveSchema schema;
    schema.add({.name = frozen_lists, .scalar = ArchiveArray::Scalar::Uint64, .values = {{0, 1}}}).require(saved);
    return saved.count(frozen_lists) != 0;
}

}  // namespace

StageStart stage_start_in(const Archive& saved, Index points, Index dimension) {
    constexpr double most_residual = 1e300;
    const double stages = 1.0 + static_cast<double>(faithful_settings().robust_steps.size());
    ArchiveSchema schema;
    schema.add({.name = stage_number, .scalar = ArchiveArray::Scalar::Uint64, .values = {{0, stages - 1.0}}});
    schema.add({.name = stage_coordinates, .shape = {"n", "d"}});
    schema.add({.name = squares_residual, .scalar = ArchiveArray::Scalar::Float64, .values = {{0.0, most_residual}}});
    add_trace(earlier_trace, schema);
    schema.require(saved, {{"n", points}, {"d", dimension}});
    return {.number = static_cast<int>(saved.count(stage_number)),
            .coordinates = saved.points(stage_coordinates),
            .squares = saved.number(squares_residual),
            .trace = trace_in(saved, earlier_trace)};
}

StageEnd run_stage(const NeighborLists& lists, const RankGroup& ranks, const FaithfulStage& stage,
                   const StageStart& start, const Archive* resume, const FinishCoordinates& finish,
                   Checkpoints& checkpoints, const RunContext& context) {
    const FaithfulSettings& settings = faithful_settings();
    const Index n = start.coordinates.count();
    const Index d = start.coordinates.dimension();
    const bool is_large = n >= many_points;
    const std::vector<Index> order = is_large ? spatial_order(start.coordinates.view(), context) : std::vector<Index>();
    LocalTargets targets = local_targets(order.empty() ? lists : into_order(lists, order), stage.targets, d);
    targets.ranks = ranks;
    targets.spatially_sorted = is_large;
    LocalObjective objective(targets, d, {.off_support_weight = stage.weight, .robust_step = stage.robust_step});
    std::unique_ptr<RiemannianLbfgs> descent;
    bool exact = false;  // checkpoints know positions, not what frozen lists hold
    int saved_updates = -1;
    const auto save = [&](Archive& archive) {
        archive.add_count(stage_number, static_cast<std::uint64_t>(start.number));
        archive.add(stage_coordinates, start.coordinates.view());
        archive.add_number(squares_residual, start.squares);
        add_trace(earlier_trace, start.trace, archive);
        archive.add_count(frozen_lists, exact ? 0 : 1);
        descent->save(archive);
    };
    const auto help_save = [&] { descent->help_save(); };
    RunContext watched = context;
    watched.on_iteration = [&](Progress progress) {
        if (!descent || progress.phase != "matching") {
            return context.report(progress);
        }
        const bool goes_on = descent->iterations() >= stage.updates;
        progress.total = static_cast<std::uint64_t>(goes_on ? 2 * stage.updates : stage.updates);
        context.report(with_coordinates(progress, [&] { return finish(out_of_order(descent->position(), order)); }));
        if (exact) {
            checkpoints.take(save, false, help_save);
        }
    };
    DescentOptions how = descent_by_lists(n);
    how.tolerance = stage.tolerance;
    // Below it the residual still falls by a share an update, so that the tolerance would never end the run.
    how.solved = stage.tolerance > 0.0 ? settings.solved : 0.0;
    const int made = resume == nullptr ? 0 : static_cast<int>(trace_in(*resume, "trace").size());
    const bool begins_far = is_large && start.number == 0 && (resume == nullptr || has_frozen_lists(*resume));
    const int last = std::min(stage.updates / 2, updates_of_approach);
    objective.freeze_lists(begins_far ? lists_of_approach(made, last) : FrozenLists::None);
    descent = resume != nullptr
                  ? std::make_unique<RiemannianLbfgs>(objective, *resume, n, d, how, watched)
                  : std::make_unique<RiemannianLbfgs>(objective, into_order(start.coordinates, order), how, watched);
    StageEnd end;
    end.termination = Termination::IterationLimit;
    const auto is_crowded = [&] {
        const bool is_time =
            descent->iterations() == settings.updates_to_decide || end.termination == Termination::Converged;
        end.crowded =
            end.crowded || (start.number == 0 && is_time && descent->iterations() <= settings.updates_to_decide &&
                            descent->relative_residual() > settings.crowded);
        return end.crowded;
    };
    if (begins_far) {
        end.termination = approach(objective, *descent, last, context, is_crowded, [&] {
            checkpoints.take(save, true, help_save);
            saved_updates = descent->iterations();
        });
        if (was_interrupted(end.termination) && checkpoints.are_wanted() && saved_updates < descent->iterations()) {
            end.lost_updates = descent->iterations() - std::max(saved_updates, made);
        }
    }
    if (!end.crowded && !was_interrupted(end.termination)) {
        exact = true;
        const int decision = std::min(settings.updates_to_decide, stage.updates);
        if (start.number == 0 && descent->iterations() < decision) {
            end.termination = descent->run_to(decision);
        }
        if (!is_crowded() && end.termination == Termination::IterationLimit) {
            end.termination = descent->run_to(stage.updates);
            if (end.termination == Termination::IterationLimit && start.number == 0 &&
                is_falling(descent->trace(), stage.updates)) {
                end.termination = descent->run_to(2 * stage.updates);
            }
        }
        if (was_interrupted(end.termination)) {
            checkpoints.take(save, true, help_save);
        }
    }
    record(*descent, order, end);
    end.near_pairs = targets.near.entries();
    end.passes = objective.pass_counts();
    return end;
}

}  // namespace isogon
