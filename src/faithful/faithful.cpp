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
        Summary& summary = result.summary;
        const Archive* saved = checkpoints_.resume();
        if (saved != nullptr) {
            require_same_stages(*saved);
        }
        StageStart at = saved != nullptr ? stage_start_in(*saved, x_.count(), d)
                                         : StageStart{.coordinates = start(d, wider, summary)};
        if (at.number == 0) {
            result.coordinates = in_frame(at.coordinates);
        }
        for (; !is_over(at, summary); ++at.number, saved = nullptr) {
            run(next_stage(at), saved, at, summary);
            if (last_.crowded) {  // the squares
                if (const auto end = leave_squares(d, at, summary)) {
                    return finish(at, *end, result);
                }
            }
        }
        summary.measure("residual_of_squares", at.squares);
        finish(at, {}, result);
    }

    /// Squares come first, and always; robust stages where they leave something.
    [[nodiscard]] static bool is_over(const StageStart& at, const Summary& summary) {
        const FaithfulSettings& settings = faithful_settings();
        const auto stages = static_cast<int>(settings.robust_steps.size());
        const bool ended = was_interrupted(summary.termination) || !summary.usable();
        return at.number > 0 && (ended || at.number > stages || !(at.squares > settings.satisfied));
    }

    [[nodiscard]] FaithfulStage next_stage(const StageStart& at) const {
        const FaithfulSettings& settings = faithful_settings();
        if (at.number == 0) {
            return {.name = "squares",
                    .weight = has_start() ? settings.robust_weight : settings.squares_weight,
                    .updates = options_.iterations,
                    .tolerance = settings.squares_tolerance * options_.tolerance};
        }
        const double c = settings.robust_steps[static_cast<std::size_t>(at.number - 1)];
        return {.name = "robust_" + rounded(c),
                .targets = at.squares > settings.near_solved ? NearTargets::Ranks : NearTargets::Distances,
                .weight = settings.robust_weight,
                .robust_step = c,
                .updates = std::min(settings.robust_updates, options_.iterations),
                .tolerance = options_.tolerance};
    }

    /// Runs the stage; `at` is then where it ended.
    void run(const FaithfulStage& stage, const Archive* saved, StageStart& at, Summary& summary) {
        const PhaseTimer timer(summary, "matching");
        const FitInProgress fit{lists_, ranks_of(x_), [this](const Points& y) { return in_frame(y); }, checkpoints_,
                                context_};
        last_ = run_stage(fit, stage, at, saved);
        last_tolerance_ = stage.tolerance;
        summary.termination = last_.termination;
        summary.count("updates_" + stage.name, static_cast<double>(last_.trace.size()));
        if (last_.lost_updates > 0) {
            summary.warn("the first updates of this many points have few checkpoints: the last " +
                         std::to_string(last_.lost_updates) + " are not in one");
        }
        passes_.dense += last_.passes.dense;
        passes_.listed += last_.passes.listed;
        passes_.scans += last_.passes.scans;
        for (IterationRecord record : last_.trace) {
            record.iteration = static_cast<int>(at.trace.size()) + 1;
            at.trace.push_back(record);
        }
        at.coordinates = std::move(last_.coordinates);
        at.squares = at.number == 0 ? last_.relative_residual : at.squares;
    }

    /// Crowded points go on from a layout, which in few dimensions is the result. Returns what the message then says of
    /// it, nothing where the layout was interrupted; no value where robust stages follow.
    [[nodiscard]] std::optional<std::string> leave_squares(Index d, StageStart& at, Summary& summary) const {
        summary.count("crowded", 1.0);
        const bool is_map = d <= faithful_settings().most_map_dimension;
        try {
            at.coordinates = layout(is_map, d, summary);
        } catch (const Interruption& interruption) {
            summary.termination = interruption.reason;
            return std::string();
        }
        if (!is_map) {
            return std::nullopt;
        }
        summary.termination = Termination::Converged;
        summary.warn(
            std::to_string(d) + (d == 1 ? " number" : " numbers") +
            " for each point cannot hold these neighbours: the coordinates are those of t-SNE, which keeps most "
            "of them in so few; methods tsne and umap are made for pictures, for a search take more dimensions");
        return ", then t-SNE's layout: " + std::to_string(d) + " dimensions are crowded";
    }

    [[nodiscard]] Points start(Index d, const Embedding* wider, Summary& summary) const {
        const PhaseTimer timer(summary, "start");
        if (has_start()) {
            return given_start(extras_);
        }
        if (wider != nullptr) {
            return in_fewer_dimensions(wider->coordinates, d, context_);
        }
        return x_.dimension() > 0 || extras_.components
                   ? principal_components(points_to_start(), lists_, d, options_.seed, context_)
                   : layout(false, d, summary);
    }

    /// What a start by principal components is made of; rows of no numbers for a graph that comes without.
    [[nodiscard]] DistributedPoints points_to_start() const {
        return x_.dimension() == 0 && extras_.components ? DistributedPoints(extras_.components()) : x_;
    }

    [[nodiscard]] bool has_start() const { return !extras_.start.empty(); }

    /// Outputs stay in the frame of a start that is given, so that points which are known keep their places; all others
    /// are turned to their principal axes.
    [[nodiscard]] Points in_frame(const Points& y) const {
        if (has_start()) {
            return y;
        }
        const RunContext whole = uninterrupted(context_);
        return project(y.view(), truncated_svd(y.view(), y.dimension(), true, whole), whole);
    }

    /// Where robust stages begin of points that are crowded: the user's start is a layout already.
    [[nodiscard]] Points layout(bool is_map, Index d, Summary& summary) const {
        const PhaseTimer timer(summary, "layout");
        if (has_start() && !is_map) {
            return given_start(extras_);
        }
        const Points gathered = x_.is_distributed() ? x_.gather_range({0, x_.count()}) : Points();
        const PointsView all = x_.is_distributed() ? gathered.view() : points_to_start().local();
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

    /// `map`: what the message says of a layout that is the result; empty: the stages have ended themselves.
    void finish(StageStart& at, const std::string& map, Embedding& result) {
        Summary& summary = result.summary;
        summary.trace = std::move(at.trace);
        summary.count("near_pairs", static_cast<double>(last_.near_pairs));
        summary.count("dense_passes", static_cast<double>(passes_.dense));
        summary.count("listed_passes", static_cast<double>(passes_.listed));
        summary.measure("whole_scans", passes_.scans);
        if (map.empty()) {
            const double residual = last_.relative_residual;
            summary.count("violating_pairs", last_.violating_pairs);
            summary.measure("relative_residual", residual);
            summary.message =
                message_of({.termination = summary.termination,
                            .updates = summary.trace.size(),
                            .tolerance = residual > faithful_settings().solved ? rounded(last_tolerance_) : "",
                            .residual = ", residual " + rounded(residual)});
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
    StageEnd last_{};  ///< of the last stage
    double last_tolerance_ = 0.0;
    PassCounts passes_{};  ///< of all stages
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
                        [](const GivenData& table, auto&&... rest) { return fit(table.points, rest..., table.table); });
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
         .accepts_precomputed = true,
         .accepts_sparse = true},
        faithful_option_table(), faithful);
}

}  // namespace isogon
