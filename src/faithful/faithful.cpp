#include "isogon/faithful/faithful.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "faithful/dimension_search.hpp"
#include "faithful/neighbors.hpp"
#include "faithful/record.hpp"
#include "faithful/stages.hpp"
#include "faithful/start.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"
#include "methods/tsm/matching_steps.hpp"
#include "transform/distance_placement.hpp"

namespace isogon {

namespace {

bool has_unit_points(Metric metric) {
    return metric == Metric::Cosine || metric == Metric::Correlation;
}

Points on_principal_axes(const Points& found, const RunContext& context) {
    const RunContext whole = uninterrupted(context);
    return project(found.view(), truncated_svd(found.view(), found.dimension(), true, whole), whole);
}

/// One fit of points in a unit of length in which products fit.
class FaithfulRun {
public:
    FaithfulRun(const DistributedPoints& x, const FaithfulOptions& options, const FitExtras& extras,
                Checkpoints& checkpoints, const RunContext& context)
        : x_(x),
          options_(options),
          metric_(has_unit_points(options.metric) ? Metric::Euclidean : options.metric),
          extras_(extras),
          checkpoints_(checkpoints),
          context_(context) {}

    void fit(Index k, double unit, Embedding& result) {
        lists_ = neighbors_of_all(x_, {options_, k, metric_, extras_.neighbors, unit}, context_, result.summary);
        if (options_.dimension) {
            return fit_in(static_cast<Index>(*options_.dimension), nullptr, result);
        }
        const auto fit_fewer = [&](Index d, const Embedding* wider, const Summary& before) {
            Embedding fitted = result;
            fitted.summary.seconds = before.seconds;
            fitted.options["dimension"] = std::int64_t{d};
            fit_in(d, wider, fitted);
            return fitted;
        };
        const Index most_dimensions = x_.dimension() > 0 ? std::min(x_.dimension(), x_.count() - 1) : x_.count() - 1;
        result = fit_in_fewest_dimensions(options_.recall, most_dimensions, fit_fewer, result.summary);
    }

private:
    /// All stages, from the checkpoint to resume if there is one.
    void fit_in(Index d, const Embedding* wider, Embedding& result) {
        const FaithfulSettings& settings = faithful_settings();
        const Archive* saved = checkpoints_.resume();
        if (saved != nullptr) {
            require_same_stages(*saved);
        }
        StageStart at = saved != nullptr ? stage_start_in(*saved, x_.count(), d)
                                         : StageStart{.coordinates = start(d, wider, result.summary)};
        if (at.number == 0) {
            result.coordinates = in_frame(at.coordinates);
            const StageEnd end = run({.name = "squares",
                                      .weight = has_start() ? settings.robust_weight : settings.squares_weight,
                                      .updates = options_.iterations,
                                      .tolerance = settings.squares_tolerance * options_.tolerance},
                                     at, saved, result);
            at.squares = end.relative_residual;
            if (end.crowded) {
                result.summary.count("crowded", 1.0);
                const bool is_map = d <= settings.most_map_dimension;
                try {
                    at.coordinates = layout(is_map, d, result.summary);
                } catch (const Interruption& interruption) {
                    result.summary.termination = interruption.reason;
                    return finish(at, result);
                }
                if (is_map) {
                    result.summary.termination = Termination::Converged;
                    warn_of_map(d, result.summary);
                    return finish(at, result,
                                  ", then t-SNE's layout: " + std::to_string(d) + " dimensions are crowded");
                }
            }
            saved = nullptr;
            at.number = 1;
        }
        const bool goes_on = !is_over(result.summary) && at.squares > settings.satisfied;
        const auto stages = static_cast<int>(settings.robust_steps.size());
        for (; goes_on && at.number <= stages && !is_over(result.summary); ++at.number, saved = nullptr) {
            const double c = settings.robust_steps[static_cast<std::size_t>(at.number - 1)];
            (void)run({.name = "robust_" + rounded(c),
                       .targets = at.squares > settings.near_solved ? NearTargets::Ranks : NearTargets::Distances,
                       .weight = settings.robust_weight,
                       .robust_step = c,
                       .updates = std::min(settings.robust_updates, options_.iterations),
                       .tolerance = options_.tolerance},
                      at, saved, result);
        }
        result.summary.measure("residual_of_squares", at.squares);
        finish(at, result);
    }

    /// Runs the stage; `at` is then where it ended.
    StageEnd run(const FaithfulStage& stage, StageStart& at, const Archive* saved, Embedding& result) {
        Summary& summary = result.summary;
        const PhaseTimer timer(summary, "matching");
        const FitInProgress fit{lists_, ranks_of(x_), [this](const Points& y) { return in_frame(y); }, checkpoints_,
                                context_};
        StageEnd end = run_stage(fit, stage, at, saved);
        summary.termination = end.termination;
        summary.count("updates_" + stage.name, static_cast<double>(end.trace.size()));
        if (end.lost_updates > 0) {
            summary.warn("the first updates of this many points have few checkpoints: the last " +
                         std::to_string(end.lost_updates) + " are not in one");
        }
        last_residual_ = end.relative_residual;
        last_tolerance_ = stage.tolerance;
        near_pairs_ = static_cast<double>(end.near_pairs);
        violating_pairs_ = end.violating_pairs;
        passes_.dense += end.passes.dense;
        passes_.listed += end.passes.listed;
        passes_.scans += end.passes.scans;
        for (IterationRecord record : end.trace) {
            record.iteration = static_cast<int>(at.trace.size()) + 1;
            at.trace.push_back(record);
        }
        at.coordinates = std::move(end.coordinates);
        return end;
    }

    [[nodiscard]] Points start(Index d, const Embedding* wider, Summary& summary) const {
        const PhaseTimer timer(summary, "start");
        if (has_start()) {
            return given_start(extras_);
        }
        if (wider != nullptr) {
            return in_fewer_dimensions(wider->coordinates, d, context_);
        }
        return x_.dimension() > 0 ? principal_components(x_, lists_, d, options_.seed, context_)
                                  : layout(false, d, summary);
    }

    [[nodiscard]] bool has_start() const { return !extras_.start.empty(); }

    /// Outputs stay in the frame of a start that is given, so that points which are known keep their places; all others
    /// are turned to their principal axes.
    [[nodiscard]] Points in_frame(const Points& y) const { return has_start() ? y : on_principal_axes(y, context_); }

    /// Where robust stages begin of points that are crowded: the user's start is a layout already.
    [[nodiscard]] Points layout(bool is_map, Index d, Summary& summary) const {
        const PhaseTimer timer(summary, "layout");
        if (has_start() && !is_map) {
            return given_start(extras_);
        }
        const Points gathered = x_.is_distributed() ? x_.gather_range({0, x_.count()}) : Points();
        const PointsView all = x_.is_distributed() ? gathered.view() : x_.local();
        return is_map ? map_layout({all, lists_, extras_.start, metric_, extras_.neighbors != nullptr}, d,
                                   options_.seed, context_)
                      : sampled_layout(all, lists_, d, options_.seed, context_);
    }

    /// The first stage alone may have more updates than before.
    void require_same_stages(const Archive& saved) const {
        const auto found = saved.options.find("iterations");
        if (saved.count("stage") > 0 && found != saved.options.end() &&
            to_text(found->second) != std::to_string(options_.iterations)) {
            throw InputError(saved.source, "",
                             "iterations = " + to_text(found->second) +
                                 ": its first stage is over, so that others have no effect; give the same");
        }
    }

    /// By cosine and correlation lists have chords here, and distances are 1 - cos = chord^2 / 2.
    [[nodiscard]] LocalPlacement placement() const {
        NeighborLists lists = lists_;
        if (has_unit_points(options_.metric)) {
            std::ranges::transform(lists.distances, lists.distances.begin(),
                                   [](float chord) { return 0.5F * chord * chord; });
        }
        return local_placement_of(lists, options_.metric, faithful_settings().robust_weight);
    }

    static void warn_of_map(Index d, Summary& summary) {
        summary.warn(
            std::to_string(d) + (d == 1 ? " number" : " numbers") +
            " for each point cannot hold these neighbours: the coordinates are those of t-SNE, which keeps most "
            "of them in so few; methods tsne and umap are made for pictures, for a search take more dimensions");
    }

    static bool is_over(const Summary& summary) {
        return summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit ||
               !summary.usable();
    }

    void finish(StageStart& at, Embedding& result, const std::string& map = {}) {
        Summary& summary = result.summary;
        summary.trace = std::move(at.trace);
        summary.count("near_pairs", near_pairs_);
        summary.count("dense_passes", static_cast<double>(passes_.dense));
        summary.count("listed_passes", static_cast<double>(passes_.listed));
        summary.measure("whole_scans", passes_.scans);
        if (map.empty()) {
            summary.count("violating_pairs", violating_pairs_);
            summary.measure("relative_residual", last_residual_);
            summary.message =
                message_of({.termination = summary.termination,
                            .updates = summary.trace.size(),
                            .tolerance = last_residual_ > faithful_settings().solved ? rounded(last_tolerance_) : "",
                            .residual = ", residual " + rounded(last_residual_)});
        } else {
            summary.message = std::to_string(summary.trace.size()) + " updates" + map;
        }
        result.coordinates = summary.usable() ? in_frame(at.coordinates) : Points();
        if (summary.usable() && x_.dimension() > 0) {
            result.local_placement = placement();
        }
        try {
            certify(lists_, metric_, x_, context_, result);
        } catch (const Interruption& interruption) {  // the coordinates are there, of all stages
            summary.termination = interruption.reason;
            summary.message += "; ended before what they keep was counted";
        }
    }

    const DistributedPoints& x_;
    const FaithfulOptions& options_;
    Metric metric_;
    const FitExtras& extras_;
    Checkpoints& checkpoints_;
    const RunContext& context_;
    NeighborLists lists_{};
    double last_residual_ = 0.0;
    double last_tolerance_ = 0.0;
    double near_pairs_ = 0.0;
    double violating_pairs_ = 0.0;
    PassCounts passes_{};
};

/// Throws InvalidArgument for what a search of the dimension cannot go with.
void require_search(const FaithfulOptions& options, const FitExtras& extras) {
    if (!options.dimension && (!extras.start.empty() || extras.resume != nullptr || extras.checkpoint)) {
        throw InvalidArgument("dimension", "auto",
                              "takes several fits, which have no start and no checkpoint in common: give a number");
    }
}

/// The user's start in the unit of the points.
Points start_in_unit(const PointsView& start, double unit) {
    Points scaled(start.count, start.dimension);
    for (Index i = 0; i < start.count; ++i) {
        std::transform(start[i].begin(), start[i].end(), scaled[i].begin(),
                       [&](float value) { return static_cast<float>(double{value} / unit); });
    }
    require_finite(scaled.view(), "start, as compared with the points");
    return scaled;
}

Embedding fit(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& own_context,
              const FitExtras& extras, const PointsView& table = {}) {
    faithful_option_table().validate(options);
    const bool graph_alone = !given.is_distributed() && has_graph_alone(given.local(), extras);
    if (graph_alone) {
        require_points_or_graph({given.local(), table}, options.dimension.value_or(1), extras);
    } else {
        require_points(given, options.dimension.value_or(1));
    }
    require_same_on_all_ranks(given, faithful_option_table().values(options));
    const DistributedPoints x = distributed(given);
    const Index k = neighbors_to_keep(options, x.count(), extras.neighbors);
    require_search(options, extras);
    require_start_shape(extras.start, x.count(), options.dimension.value_or(1));
    state_faithful(x, options, k, extras, own_context);
    const RunContext agreeing = ranks_of(x).agreeing(own_context);
    Checkpoints checkpoints("faithful", faithful_option_table().values(options), x, extras);
    const Points units = graph_alone ? Points() : unit_points(x, options.metric, agreeing);
    const DistributedPoints metric_points = units.empty() ? x : x.with(units.view());
    const PowerOfTwoScaling input =
        graph_alone ? unit_of(x.local(), extras, agreeing)
                    : PowerOfTwoScaling(metric_points.local(), norms_of_all(metric_points, agreeing), agreeing);
    const std::function<void(Points&)> restore = [&](Points& coordinates) { input.restore(coordinates); };
    const RunContext context = restoring(agreeing, restore);
    const Points start = start_in_unit(extras.start, input.unit());
    FitExtras own = extras;
    own.start = start.view();
    Embedding result = unfitted(faithful_option_table().values(options), options.seed, context);
    result.options["neighbors"] = std::int64_t{k};
    run_steps(
        result,
        [&] {
            const DistributedPoints points = metric_points.with(input.points());
            FaithfulRun run(points, options, own, checkpoints, context);
            run.fit(k, input.unit(), result);
        },
        "ended before there were any coordinates", "ended before the first update: these are the coordinates of pca");
    restore_unit(input, result);
    return result;
}

}  // namespace

Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& context,
                   const FitExtras& extras) {
    if (options.metric != Metric::Precomputed) {
        return fit(given, options, context, extras);
    }
    return fit_of_table({given.local(), options.neighbors.value_or(FaithfulOptions::usual_neighbors)}, options, context,
                        extras,
                        [](const GivenData& table, const FaithfulOptions& chosen, const RunContext& own,
                           const FitExtras& more) { return fit(table.points, chosen, own, more, table.table); });
}

Method faithful_method() {
    return method_entry(
        {.name = "faithful",
         .title = "every point's nearest neighbours kept, by distance, in any number of dimensions",
         .source = "this project, after Saul 2022, A geometrical connection between sparse and low-rank matrices and "
                   "its application to manifold learning, TMLR",
         .accepts_init = true,
         .resumes = true,
         .uses_neighbors = true,
         .searches_alone = true,
         .accepts_precomputed = true},
        faithful_option_table(), faithful);
}

}  // namespace isogon
