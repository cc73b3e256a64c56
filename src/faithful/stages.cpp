#include "faithful/stages.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/archive_schema.hpp"
#include "methods/tsm/matching_steps.hpp"
#include "pairs/spatial_order.hpp"
#include "verlet/listed_pass.hpp"

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

bool divides_pairs(Index points, Index dimension) {
    return points >= many_points && ListedPass::should_divide(dimension);
}

namespace {

constexpr const char* stage_number = "stage";
constexpr const char* stage_coordinates = "stage_start";
constexpr const char* squares_residual = "squares_residual";
constexpr const char* frozen_lists = "frozen_lists";
constexpr const char* earlier_trace = "earlier";

/// The first updates of many points from pca, in which points move further than any skin. Frozen lists, renewed now and
/// then, lead to the same places by a fraction of the scans, and without a pass over all pairs (bench/scaling): first
/// the lists of a random half of the pairs of near panels (in few dimensions of all), then of all these, which have
/// most of the pairs that matter, then those of all. Tried: a random half of all pairs throughout, with twice the scans
/// in all; a third or a quarter of near pairs, or a half for 10 or 30 updates, which take longer (280,000 digits); no
/// lists of all before the exact ones, whose skins are then soon left, as the pairs that were missed push; lists
/// renewed where a fifth of the points has left them, which miss too much; a start from a fit of every eighth point,
/// which saves few updates.
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

/// One stage: the objective, the descent, and its checkpoints.
class StageRun {
public:
    StageRun(const FitInProgress& fit, const FaithfulStage& stage, const StageStart& start, const Archive* resume)
        : fit_(fit),
          stage_(stage),
          start_(start),
          is_large_(start.coordinates.count() >= many_points),
          order_(is_large_ ? spatial_order(start.coordinates.view(), fit.context) : std::vector<Index>()),
          targets_(targets()),
          objective_(targets_, start.coordinates.dimension(),
                     {.off_support_weight = stage.weight, .robust_step = stage.robust_step}),
          made_(resume == nullptr ? 0 : static_cast<int>(trace_in(*resume, "trace").size())),
          begins_far_(is_large_ && is_first() && (resume == nullptr || has_frozen_lists(*resume))),
          last_of_approach_(std::min(stage.updates / 2, updates_of_approach)) {
        objective_.freeze_lists(begins_far_ ? lists_of_approach(made_, last_of_approach_) : FrozenLists::None);
        begin(resume);
        end_.termination = Termination::IterationLimit;
    }

    StageEnd run() {
        if (begins_far_) {
            end_.termination = approach();
            if (was_interrupted(end_.termination) && fit_.checkpoints.are_wanted()) {
                end_.lost_updates = std::max(0, descent_->iterations() - std::max(saved_updates_, made_));
            }
        }
        if (!end_.crowded && !was_interrupted(end_.termination)) {
            is_exact_ = true;
            descend();
            if (was_interrupted(end_.termination)) {
                take_checkpoint(true);
            }
        }
        end_.relative_residual = descent_->relative_residual();
        end_.violating_pairs = 0.5 * descent_->value().violations;
        end_.trace = descent_->trace();
        end_.coordinates = out_of_order(descent_->position(), order_);
        end_.near_pairs = targets_.near.entries();
        end_.passes = objective_.pass_counts();
        return std::move(end_);
    }

private:
    [[nodiscard]] bool is_first() const { return start_.number == 0; }

    [[nodiscard]] LocalTargets targets() const {
        LocalTargets targets = local_targets(order_.empty() ? fit_.lists : into_order(fit_.lists, order_),
                                             stage_.targets, start_.coordinates.dimension());
        targets.ranks = fit_.ranks;
        targets.divided = divides_pairs(start_.coordinates.count(), start_.coordinates.dimension());
        return targets;
    }

    void begin(const Archive* resume) {
        DescentOptions how = descent_by_lists(start_.coordinates.count());
        how.tolerance = stage_.tolerance;
        // Below it the residual still falls by a share an update, so that the tolerance would never end the run.
        how.solved = stage_.tolerance > 0.0 ? faithful_settings().solved : 0.0;
        RunContext watched = fit_.context;
        watched.on_iteration = [this](const Progress& progress) { report(progress); };
        descent_ =
            std::make_unique<RiemannianLbfgs>(objective_, into_order(start_.coordinates, order_), how, watched, resume);
    }

    void report(Progress progress) {
        if (!descent_ || progress.phase != "matching") {
            return fit_.context.report(progress);
        }
        const bool goes_on = descent_->iterations() > stage_.updates;
        progress.total = static_cast<std::uint64_t>(goes_on ? 2 * stage_.updates : stage_.updates);
        fit_.context.report(
            with_coordinates(progress, [&] { return fit_.finish(out_of_order(descent_->position(), order_)); }));
        if (is_exact_) {
            take_checkpoint(false);
        }
    }

    void take_checkpoint(bool now) {
        const auto save = [this](Archive& archive) {
            archive.add_count(stage_number, static_cast<std::uint64_t>(start_.number));
            archive.add(stage_coordinates, start_.coordinates.view());
            archive.add_number(squares_residual, start_.squares);
            add_trace(earlier_trace, start_.trace, archive);
            archive.add_count(frozen_lists, is_exact_ ? 0 : 1);
            descent_->save(archive);
        };
        fit_.checkpoints.take(save, now, [this] { descent_->help_save(); });
    }

    /// The first updates, by frozen lists. Checkpoints are taken where the lists have just been made anew from the
    /// position alone.
    [[nodiscard]] Termination approach() {
        constexpr int updates_of_lists = 10;
        try {
            while (descent_->iterations() < last_of_approach_) {
                const Termination end = descent_->run_to(descent_->iterations() + 1);
                if (was_interrupted(end)) {
                    return end;
                }
                if (end != Termination::IterationLimit) {
                    break;  // of the problem of these lists nothing was left
                }
                if (is_crowded()) {
                    return Termination::IterationLimit;
                }
                renew_lists(updates_of_lists);
            }
            objective_.freeze_lists(FrozenLists::None);
            descent_->evaluate_again();
        } catch (const Interruption& interruption) {
            return interruption.reason;
        }
        return Termination::IterationLimit;
    }

    void renew_lists(int updates_of_lists) {
        const int update = descent_->iterations();
        if (update % updates_of_lists == 0 && update <= updates_by_near_panels && update < last_of_approach_) {
            objective_.freeze_lists(lists_of_approach(update, last_of_approach_));
            descent_->evaluate_again();
            take_checkpoint(true);
            saved_updates_ = update;
        } else if (objective_.renew_stale_lists(descent_->position(), fit_.context)) {
            descent_->evaluate_again();
        }
    }

    void descend() {
        const int decision = std::min(faithful_settings().updates_to_decide, stage_.updates);
        if (is_first() && descent_->iterations() < decision) {
            end_.termination = descent_->run_to(decision);
        }
        if (is_crowded() || end_.termination != Termination::IterationLimit) {
            return;
        }
        end_.termination = descent_->run_to(stage_.updates);
        if (end_.termination == Termination::IterationLimit && is_first() &&
            is_falling(descent_->trace(), stage_.updates)) {
            end_.termination = descent_->run_to(2 * stage_.updates);
        }
    }

    [[nodiscard]] bool is_crowded() {
        const FaithfulSettings& settings = faithful_settings();
        const int made = descent_->iterations();
        const double residual = descent_->relative_residual();
        const bool decides = made == settings.updates_to_decide ||
                             (made < settings.updates_to_decide && end_.termination == Termination::Converged);
        const bool surely = begins_far_ && made == settings.updates_to_decide / 3 && residual > settings.surely_crowded;
        end_.crowded = end_.crowded || (is_first() && (surely || (decides && residual > settings.crowded)));
        return end_.crowded;
    }

    const FitInProgress& fit_;
    const FaithfulStage& stage_;
    const StageStart& start_;
    bool is_large_;
    std::vector<Index> order_;
    LocalTargets targets_;
    LocalObjective objective_;
    int made_;  ///< updates before the run that is resumed was interrupted
    bool begins_far_;
    int last_of_approach_;
    std::unique_ptr<RiemannianLbfgs> descent_{};
    StageEnd end_{};
    bool is_exact_ = false;  ///< lists are complete: checkpoints know positions, not what frozen lists hold
    int saved_updates_ = -1;
};

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

StageEnd run_stage(const FitInProgress& fit, const FaithfulStage& stage, const StageStart& start,
                   const Archive* resume) {
    return StageRun(fit, stage, start, resume).run();
}

}  // namespace isogon
