#include "isogon/methods/faithful.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/input_points.hpp"
#include "methods/matching/dimension_search.hpp"
#include "methods/matching/faithful_neighbors.hpp"
#include "methods/matching/faithful_record.hpp"
#include "methods/matching/faithful_stages.hpp"
#include "methods/matching/faithful_start.hpp"
#include "methods/matching/matching_steps.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"

namespace isogon {

namespace {

bool was_interrupted(Termination end) {
    return end == Termination::Cancelled || end == Termination::TimeLimit;
}

/// One fit of points in a unit in which products fit.
class FaithfulRun {
public:
    FaithfulRun(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                Checkpoints& checkpoints, const RunContext& context)
        : x_(x), options_(options), k_(k), extras_(extras), checkpoints_(checkpoints), context_(context) {}

    void fit(double unit, Embedding& result) {
        metric_ = options_.metric == Metric::Cosine || options_.metric == Metric::Correlation ? Metric::Euclidean
                                                                                             : options_.metric;
        lists_ = neighbors_of_all(x_, {options_, k_, metric_, extras_.neighbors, unit}, context_, result.summary);
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
        const Index most = std::min(x_.dimension(), x_.count() - 1);
        result = fit_in_fewest_dimensions(options_.recall, most, fit_fewer, result.summary);
    }

private:
    Points start(Index d, const Embedding* wider, Summary& summary) const {
        const PhaseTimer timer(summary, "start");
        if (!extras_.start.empty()) {
            Points given(extras_.start.count, extras_.start.dimension);
            for (Index i = 0; i < given.count(); ++i) {
                std::ranges::copy(extras_.start[i], given[i].begin());
            }
            return given;
        }
        if (wider != nullptr) {
            return in_fewer_dimensions(wider->coordinates, d, false, context_);
        }
        return x_.dimension() > 0 ? principal_components(x_, d, options_.seed, context_) : layout(d, sampled_layout);
    }

    template <class Layout>
    Points layout(Index d, const Layout& lay_out) const {
        const Points gathered = x_.is_distributed() ? x_.gather_range({0, x_.count()}) : Points();
        return lay_out(x_.is_distributed() ? gathered.view() : x_.local(), lists_, d, options_.seed, context_);
    }

    [[nodiscard]] Points on_principal_axes(const Points& y) const {
        const RunContext& whole = uninterrupted(context_);
        return project(y.view(), truncated_svd(y.view(), y.dimension(), true, whole), whole);
    }

    void show(const char* what, Embedding& result) {
        if (std::getenv("ISO_SHOW") == nullptr) return;
        Embedding seen;
        seen.coordinates = result.coordinates;
        seen.summary.termination = Termination::Converged;
        certify(lists_, metric_, x_, context_, seen);
        std::fprintf(stderr, "%-24s kept %.4f residual %.4f updates %zu %s  ", what, seen.summary.value("kept_neighbors"),
                     last_.relative_residual, last_.trace.size(), last_.termination == Termination::Converged ? "converged" : "");
        for (const auto& [phase, s] : result.summary.seconds) std::fprintf(stderr, " %s %.1f", phase.c_str(), s);
        std::fprintf(stderr, " dense %llu listed %llu scans %.1f viol/pt %.1f\n", (unsigned long long)last_.passes.dense,
                     (unsigned long long)last_.passes.listed, last_.passes.scans, last_.violating_pairs / x_.count());
    }

    /// Whether the run goes on.
    bool run(const FaithfulStage& stage, Embedding& result) {
        const PhaseTimer timer(result.summary, "matching");
        last_ = run_stage({lists_, stage, number_++, options_.tolerance, ranks_of(x_),
                           [this](const Points& y) { return on_principal_axes(y); }},
                          result.coordinates, checkpoints_, context_);
        result.coordinates = std::move(last_.coordinates);
        result.summary.termination = last_.termination;
        result.summary.trace.insert(result.summary.trace.end(), last_.trace.begin(), last_.trace.end());
        return !was_interrupted(last_.termination) && result.summary.usable();
    }

    void fit_in(Index d, const Embedding* wider, Embedding& result) {
        const FaithfulSettings& settings = faithful_settings();
        number_ = 0;
        result.coordinates = start(d, wider, result.summary);
        show("start", result);
        bool goes_on = run({.name = "squares", .updates = options_.iterations}, result);
        show("squares", result);
        const double squares = last_.relative_residual;
        result.summary.measure("residual_of_squares", squares);
        if (goes_on && squares > settings.satisfied) {
            if (d <= settings.most_map_dimension) {
                {
                const PhaseTimer timer(result.summary, "layout");
                result.coordinates = layout(d, map_layout);
                }
                show("tsne", result);
                goes_on = false;
            } else if (squares > settings.crowded) {
                {
                const PhaseTimer timer(result.summary, "layout");
                result.coordinates = layout(d, sampled_layout);
                }
                show("umap", result);
            }
            for (const double c : settings.robust_steps) {
                goes_on = goes_on && run({.name = "robust, c = " + rounded(c),
                                          .targets = std::getenv("ISO_DIST") ? NearTargets::Distances : NearTargets::Ranks,
                                          .robust_step = c,
                                          .updates = settings.robust_updates},
                                         result);
                show("robust", result);
            }
        }
        finish(d, result);
    }

    void finish(Index d, Embedding& result) {
        Summary& summary = result.summary;
        summary.count("violating_pairs", last_.violating_pairs);
        summary.measure("relative_residual", last_.relative_residual);
        summary.message = message_of({.termination = summary.termination,
                                      .updates = summary.trace.size(),
                                      .form = "",
                                      .tolerance = rounded(options_.tolerance),
                                      .residual = ", residual " + rounded(last_.relative_residual)});
        if (!summary.usable()) {
            result.coordinates = Points();
            return;
        }
        result.coordinates = on_principal_axes(result.coordinates);
        result.barycentric_map = mixture_of_nearest(result.coordinates);
        certify(lists_, metric_, x_, context_, result);
        (void)d;
    }

    const DistributedPoints& x_;
    const FaithfulOptions& options_;
    Index k_;
    const FitExtras& extras_;
    Checkpoints& checkpoints_;
    const RunContext& context_;
    Metric metric_ = Metric::Euclidean;
    NeighborLists lists_;
    int number_ = 0;
    StageEnd last_;
};

Embedding fit(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& own_context,
              const FitExtras& extras) {
    faithful_option_table().validate(options);
    const bool graph_alone = !given.is_distributed() && has_graph_alone(given.local(), extras);
    if (graph_alone) {
        require_points_or_graph({given.local()}, options.dimension.value_or(1), extras);
    } else {
        require_points(given, options.dimension.value_or(1));
    }
    require_same_on_all_ranks(given, faithful_option_table().values(options));
    const DistributedPoints x = distributed(given);
    const Index k = neighbors_to_keep(options, x.count(), extras.neighbors);
    require_start_shape(extras.start, x.count(), options.dimension.value_or(1));
    const RunContext agreeing = ranks_of(x).agreeing(own_context);
    Checkpoints checkpoints("faithful", faithful_option_table().values(options), x, extras);
    const Points units = graph_alone ? Points() : unit_points(x, options.metric, agreeing);
    const DistributedPoints seen = units.empty() ? x : x.with(units.view());
    const PowerOfTwoScaling input = graph_alone ? unit_of(x.local(), extras, agreeing)
                                                : PowerOfTwoScaling(seen.local(), norms_of_all(seen, agreeing), agreeing);
    const std::function<void(Points&)> restore = [&](Points& coordinates) { input.restore(coordinates); };
    const RunContext context = restoring(agreeing, restore);
    FitExtras own = extras;
    Embedding result = unfitted(faithful_option_table().values(options), options.seed, context);
    result.options["neighbors"] = std::int64_t{k};
    state_faithful(x, options, k, extras, context);
    run_steps(result, [&] {
        const DistributedPoints points = seen.with(input.points());
        FaithfulRun run(points, options, k, own, checkpoints, context);
        run.fit(input.unit(), result);
    });
    restore_unit(input, result);
    return result;
}

}  // namespace

Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& context,
                   const FitExtras& extras) {
    if (options.metric == Metric::Precomputed) {
        return fit_of_table(given.local(), options, options.neighbors.value_or(12), context, extras,
                            [](const GivenData& table, const FaithfulOptions& chosen, const RunContext& own,
                               const FitExtras& more) { return fit(table.points, chosen, own, more); });
    }
    return fit(given, options, context, extras);
}

Method faithful_method() {
    Method method = method_entry(
        {.name = "faithful",
         .title = "every point's nearest neighbours kept, by distance in free space",
         .source = "this project, after Saul 2022, A geometrical connection between sparse and low-rank matrices and "
                   "its application to manifold learning, TMLR"},
        faithful_option_table(), faithful);
    method.accepts_init = true;
    method.resumes = true;
    method.uses_neighbors = true;
    method.accepts_precomputed = true;
    method.searches_alone = true;
    return method;
}

}  // namespace isogon
