#include "methods/matching/local_descent.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful_path.hpp"
#include "methods/matching/faithful_record.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

DescentOptions descent_by_lists(Index points) {
    DescentOptions options;
    if (points >= many_points) {
        options.memory = 5;
    }
    return options;
}

namespace {

constexpr const char* trial_of_local_form = "trial_of_local_form";
constexpr const char* frozen_lists = "frozen_lists";

/// The first updates, in which points move further than any skin. Frozen lists, renewed now and then, lead to the same
/// places by a fraction of the scans, and without a pass over all pairs (bench/scaling): first the lists of a random
/// half of the pairs of near panels, then of all these, which have most of the pairs that matter, then those of all.
/// Tried: a random half of all pairs throughout, with twice the scans in all; a third or a quarter of near pairs, or a
/// half for 10 or 30 updates, which take longer (280,000 digits); no lists of all before the exact ones, whose skins
/// are then soon left, as the pairs that were missed push; lists renewed where a fifth of the points has left them,
/// which miss too much; a start from a fit of every eighth point, which saves few updates.
constexpr int updates_of_approach = 70;  // with 50 all are scanned once more: the skins of then are soon left
constexpr int updates_by_half = 20;      // with fewer than updates_of_approach none: they could not make up for it
constexpr int updates_by_near_panels = 30;
constexpr int updates_of_trial = 50;

/// Where `last` ends the approach.
FrozenLists lists_of_approach(int update, int last) {
    if (update < updates_by_half && last >= updates_of_approach) {
        return FrozenLists::HalfOfNear;
    }
    return update < updates_by_near_panels ? FrozenLists::Near : FrozenLists::All;
}

/// `take` is called where a checkpoint can be taken: the lists have just been made anew from the position alone. A
/// trial ends early, with its lists frozen, where it leaves more than `most_after_approach` after updates_of_trial, and
/// where there is no hope: with more than a half after ten updates no data set tried came below that, and points so
/// crowded take minutes.
Termination approach(LocalObjective& objective, FaithfulDescent& descent, int last, bool is_trial,
                     const RunContext& context, const std::function<void()>& take) {
    constexpr int updates_of_lists = 10;
    constexpr double hopeless = 0.5;
    try {
        while (descent.iterations() < last) {
            const Termination end = descent.run_to(descent.iterations() + 1);
            if (end == Termination::Cancelled || end == Termination::TimeLimit) {
                return end;
            }
            if (end != Termination::IterationLimit) {
                break;  // of the problem of these lists nothing was left
            }
            const int update = descent.iterations();
            if (is_trial && ((update == updates_of_lists && descent.relative_residual() > hopeless) ||
                             (update == updates_of_trial && descent.relative_residual() > most_after_approach))) {
                return Termination::IterationLimit;
            }
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

/// Whether the checkpoint is of the approach.
bool is_of_approach(const Archive& saved) {
    if (!saved.has(frozen_lists)) {
        return false;
    }
    ArchiveSchema schema;
    schema.add({.name = frozen_lists, .scalar = ArchiveArray::Scalar::Uint64, .values = {{0, 1}}}).require(saved);
    return saved.count(frozen_lists) != 0;
}

}  // namespace

std::unique_ptr<FaithfulDescent> descend(LocalObjective& objective, MultiVector<float> start,
                                         const FaithfulOptions& options, double trial_residual,
                                         const CoordinatesAt& coordinates, Checkpoints& checkpoints,
                                         const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "matching");
    std::unique_ptr<FaithfulDescent> descent;
    bool exact = false;  // checkpoints know positions, not what frozen lists hold
    const auto save = [&](Archive& archive) {
        archive.add_number(trial_of_local_form, trial_residual);
        archive.add_count(frozen_lists, exact ? 0 : 1);
        descent->save(archive);
    };
    const auto help_save = [&] { descent->help_save(); };
    RunContext watched = context;
    watched.on_iteration = [&](const Progress& progress) {
        if (!descent || progress.phase != "matching") {
            return context.report(progress);
        }
        context.report(with_coordinates(progress, [&] { return coordinates(descent->position()); }));
        if (exact) {
            checkpoints.take(save, false, help_save);
        }
    };
    // Neighbours are in their places long before: 14,000 digits at d = 32 keep .9999 of them at 2e-5. Below it the
    // residual still falls by a share an update, so that the tolerance would never end the run.
    constexpr double solved = 2e-5;
    DescentOptions how = objective.has_lists() ? descent_by_lists(start.rows()) : DescentOptions();
    how.tolerance = options.tolerance;
    how.solved = options.tolerance > 0.0 ? solved : 0.0;
    // One of the trial before is none of this descent.
    const Archive* saved = is_of_local_form(checkpoints.resume()) ? checkpoints.resume() : nullptr;
    const int made = saved == nullptr ? 0 : static_cast<int>(trace_in(*saved, "trace").size());
    const bool begins_far =
        objective.has_lists() && start.rows() >= many_points && (saved == nullptr || is_of_approach(*saved));
    const bool is_trial = trial_residual > FaithfulPath::solvable;
    const int of_the_run = std::min(options.iterations / 2, updates_of_approach);
    const int last = is_trial ? std::max(updates_of_trial, of_the_run) : of_the_run;
    objective.freeze_lists(begins_far ? lists_of_approach(made, last) : FrozenLists::None);
    descent = saved != nullptr
                  ? std::make_unique<FaithfulDescent>(objective, *saved, start.rows(), start.columns(), how, watched)
                  : std::make_unique<FaithfulDescent>(objective, std::move(start), how, watched);
    if (begins_far) {
        int taken = made;
        summary.termination = approach(objective, *descent, last, is_trial, context, [&] {
            checkpoints.take(save, true, help_save);
            taken = descent->iterations();
        });
        if (summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit) {
            if (checkpoints.are_wanted() && (taken == 0 || taken < descent->iterations())) {
                summary.warn("the first " + std::to_string(updates_of_approach) +
                             " updates of this many points have few checkpoints: " +
                             (taken == 0 ? "none was written; run again"
                                         : "the last one is of update " + std::to_string(taken)));
            }
            return descent;
        }
        if (is_trial && descent->relative_residual() > most_after_approach) {
            summary.measure("residual_of_local_form", descent->relative_residual());
            return nullptr;
        }
    }
    exact = true;
    summary.termination = descent->run_to(options.iterations);
    if (summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit) {
        checkpoints.take(save, true, help_save);
    }
    return descent;
}

bool is_of_local_form(const Archive* saved) {
    return saved != nullptr && saved->has(trial_of_local_form);
}

double trial_residual_in(const Archive& saved, double most) {
    ArchiveSchema schema;
    schema.add({.name = trial_of_local_form, .scalar = ArchiveArray::Scalar::Float64, .values = {{0.0, most}}})
        .require(saved);
    return saved.number(trial_of_local_form);
}

}  // namespace isogon
