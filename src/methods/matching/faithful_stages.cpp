#include "methods/matching/faithful_stages.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/pairs/place_order.hpp"
#include "methods/matching/matching_steps.hpp"

namespace isogon {

const FaithfulSettings& faithful_settings() {
    static const FaithfulSettings settings = [] {
        FaithfulSettings s;
        const auto number = [](const char* name, double& value) {
            if (const char* text = std::getenv(name)) value = std::atof(text);
        };
        number("ISO_B", s.off_support_weight);
        number("ISO_SATISFIED", s.satisfied);
        number("ISO_CROWDED", s.crowded);
        double updates = s.robust_updates, most = s.most_map_dimension;
        number("ISO_UPDATES", updates);
        number("ISO_MAPS", most);
        s.robust_updates = int(updates);
        s.most_map_dimension = Index(most);
        if (const char* text = std::getenv("ISO_STEPS")) {
            s.robust_steps.clear();
            std::istringstream in(text);
            for (std::string part; std::getline(in, part, ',');) s.robust_steps.push_back(std::atof(part.c_str()));
        }
        return s;
    }();
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
constexpr const char* frozen_lists = "frozen_lists";

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
Termination approach(LocalObjective& objective, FaithfulDescent& descent, int last, const RunContext& context,
                     const std::function<void()>& take) {
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

/// Points in the order of places, in which many of them are fitted; as they are where the order is empty.
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

LocalTargets targets_of(const StageRun& run, const std::vector<Index>& order, Index dimension) {
    LocalTargets targets =
        local_targets(order.empty() ? run.lists : into_order(run.lists, order), run.stage.targets, dimension);
    targets.ranks = run.ranks;
    targets.in_places = !order.empty();
    return targets;
}

}  // namespace

StageEnd run_stage(const StageRun& run, const Points& start, Checkpoints& checkpoints, const RunContext& context) {
    const Index n = start.count();
    const Index d = start.dimension();
    const bool many = n >= many_points;
    const std::vector<Index> order = many ? place_order(start.view(), context) : std::vector<Index>();
    const LocalTargets targets = targets_of(run, order, d);
    LocalObjective objective(
        targets, d,
        {.off_support_weight = faithful_settings().off_support_weight, .robust_step = run.stage.robust_step});
    std::unique_ptr<FaithfulDescent> descent;
    bool exact = false;  // checkpoints know positions, not what frozen lists hold
    const auto save = [&](Archive& archive) {
        archive.add_count(stage_number, static_cast<std::uint64_t>(run.number));
        archive.add_count(frozen_lists, exact ? 0 : 1);
        descent->save(archive);
    };
    const auto help_save = [&] { descent->help_save(); };
    RunContext watched = context;
    watched.on_iteration = [&](const Progress& progress) {
        if (!descent || progress.phase != "matching") {
            return context.report(progress);
        }
        context.report(
            with_coordinates(progress, [&] { return run.finish(out_of_order(descent->position(), order)); }));
        if (exact) {
            checkpoints.take(save, false, help_save);
        }
    };
    DescentOptions how = descent_by_lists(n);
    how.tolerance = run.tolerance;
    how.solved = run.tolerance > 0.0 ? faithful_settings().solved : 0.0;
    const bool begins_far = many && run.number == 0;
    const int last = std::min(run.stage.updates / 2, updates_of_approach);
    objective.freeze_lists(begins_far ? lists_of_approach(0, last) : FrozenLists::None);
    descent = std::make_unique<FaithfulDescent>(objective, into_order(start, order), how, watched);
    StageEnd end;
    if (begins_far) {
        end.termination = approach(objective, *descent, last, context, [] {});
    }
    if (end.termination != Termination::Cancelled && end.termination != Termination::TimeLimit) {
        exact = true;
        end.termination = descent->run_to(run.stage.updates);
    }
    end.relative_residual = descent->relative_residual();
    end.violating_pairs = 0.5 * descent->value().violations;
    end.trace = descent->trace();
    end.passes = objective.pass_counts();
    end.coordinates = out_of_order(descent->position(), order);
    return end;
}

}  // namespace isogon
