#include "methods/forces.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "forces/force_layout.hpp"
#include "forces/repulsion.hpp"
#include "graph/affinities.hpp"
#include "isogon/core/error.hpp"
#include "methods/checkpoints.hpp"
#include "methods/forces/layout_edges.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/forces/partial_start.hpp"
#include "methods/forces/tsne_steps.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"

namespace isogon {

namespace {

std::unique_ptr<Repulsion> repulsion_of(const TsneOptions& options, const CsrMatrix<float>& affinities) {
    if (options.repulsion == TsneRepulsion::Fft) {
        return std::make_unique<GridRepulsion>(affinities.rows, static_cast<Index>(options.dimension));
    }
    if (options.repulsion == TsneRepulsion::BarnesHut) {
        return std::make_unique<BarnesHutRepulsion>(static_cast<Index>(options.dimension), options.theta);
    }
    if (options.repulsion == TsneRepulsion::Sampled) {
        return std::make_unique<SampledRepulsion>(SampledRepulsion::usual_samples, options.seed, &affinities);
    }
    return std::make_unique<ExactRepulsion>();
}

NeighborsWanted neighbors_wanted(const TsneOptions& options, Index points, const PowerOfTwoScaling& unit,
                                 const FitExtras& extras) {
    int neighbors = neighbors_of_perplexity(options.perplexity.value_or(1.0), points);
    if (extras.neighbors != nullptr) {
        neighbors = std::min(neighbors, static_cast<int>(extras.neighbors->size));
    }
    return {.neighbors = neighbors,
            .metric = options.metric,
            .seed = options.seed,
            .given = extras.neighbors,
            .unit = unit.unit(),
            .shared = extras.shared,
            .unequal = true};
}

void record_end(ForceLayout& layout, Termination end, Summary& summary, const RunContext& context) {
    summary.termination = end;
    summary.trace = layout.trace();
    summary.count("iterations", static_cast<double>(layout.iteration()));
    const std::string made = std::to_string(layout.iteration()) + " iterations";
    if (end != Termination::Converged) {
        summary.message = "ended after " + made;
        return;
    }
    const double divergence = layout.divergence(context);
    summary.measure("kl_divergence", divergence);
    summary.message = "the schedule's " + made + " are done, KL(P || Q) = " + rounded(divergence);
}

using TsneFit = RunningFit<TsneOptions>;

/// P = (p_j|i + p_i|j) / 2n, each row of the perplexity (van der Maaten and Hinton 2008, eqs. 1 and 2, section 3.1); or
/// the user's weights.
CsrMatrix<float> affinities_of(const TsneFit& fit, const NeighborsWanted& wanted) {
    const auto& [points, options, extras, context, result] = fit;
    return extras.affinities == nullptr
               ? neighbor_affinities(points, wanted, options.perplexity, result.summary, context)
               : shares_of(*extras.affinities);
}

/// The root mean square of the outputs' distances from their mean.
double spread_of(const MultiVector<double>& outputs) {
    double squares = 0.0;
    for (std::size_t c = 0; c < outputs.columns(); ++c) {
        double mean = 0.0;
        for (std::size_t i = 0; i < outputs.rows(); ++i) {
            mean += outputs.at(i, c) / static_cast<double>(outputs.rows());
        }
        for (std::size_t i = 0; i < outputs.rows(); ++i) {
            squares += (outputs.at(i, c) - mean) * (outputs.at(i, c) - mean);
        }
    }
    return std::sqrt(squares / static_cast<double>(outputs.rows()));
}

/// Where all points are about equally near, as any two are, outputs in one place have the least divergence of all:
/// nothing in it pulls them apart. Then they are those that the layout began with, at a size that can be seen.
MultiVector<double> visible(MultiVector<double> start, Summary& summary) {
    const double size = spread_of(start);
    for (double& value : start.values()) {
        value /= size;
    }
    summary.warn(
        "all points are about equally near each other, which t-SNE meets best with all of them in one place: they are "
        "where the layout began; a lower perplexity tells near ones from far ones, if there are points enough");
    return start;
}

MultiVector<double> start_of(const TsneFit& fit, const CsrMatrix<float>& affinities, const RunContext& context) {
    const TsneOptions& options = fit.options;
    if (!fit.extras.start.empty()) {
        return completed_start(fit.extras.start, affinities, options.seed, fit.result.summary);
    }
    const auto d = static_cast<Index>(options.dimension);
    return options.start == LayoutStart::Random
               ? random_start(fit.points.count, d, options.seed)
               : pca_start(points_to_start(fit.points, fit.extras), d, options.seed, context);
}

/// Descent on KL(P || Q), q_ij in proportion to 1 / (1 + |y_i - y_j|^2) (eqs. 4 and 5).
void lay_out(const TsneFit& fit, const CsrMatrix<float>& affinities, Checkpoints& checkpoints) {
    constexpr double collapsed = 1e-2;  // share of the start's size; layouts grow a thousandfold from it
    const auto& [points, options, extras, context, result] = fit;
    MultiVector<double> start;
    {
        const PhaseTimer timer(result.summary, "start");
        start = start_of(fit, affinities, context);
    }
    const double began_with = spread_of(start);
    const PhaseTimer timer(result.summary, "layout");
    const std::unique_ptr<Repulsion> repulsion = repulsion_of(options, affinities);
    const Schedule schedule =
        tsne_schedule(points.count, {options.iterations, options.exaggeration, options.learning_rate});
    const std::uint64_t held =
        affinities_bytes(affinities.entries(), points.count) + layout_bytes(points.count, options, extras);
    ForceLayout layout(affinities, *repulsion, {std::move(start), {extras.start, options.hold}}, schedule,
                       beside(context, held));
    const Termination end = run_schedule(layout, checkpoints);
    record_end(layout, end, result.summary, uninterrupted(context));
    const bool lost = end == Termination::Converged && spread_of(layout.outputs()) < collapsed * began_with;
    result.coordinates =
        to_points(lost ? visible(start_of(fit, affinities, uninterrupted(context)), result.summary) : layout.outputs());
}

}  // namespace

const OptionTable<TsneOptions>& tsne_option_table() {
    static const OptionTable<TsneOptions> table =
        OptionTable<TsneOptions>()
            .integer("dimension", &TsneOptions::dimension, {.minimum = 1},
                     "numbers for each point; above 3 all pairs are looked at")
            .number("perplexity", &TsneOptions::perplexity, {.minimum = 1.0, .open = true},
                    "how many neighbours count, in effect; higher shows more of the whole, lower more of the detail; "
                    "auto: 30, or a third of the other points, or of the neighbours given, if that is less")
            .choice("metric", &TsneOptions::metric, neighbor_metric_choices(true), neighbor_metrics_or_table_help)
            .choice(
                "solver", &TsneOptions::repulsion,
                {{"auto", TsneRepulsion::Auto},
                 {"exact", TsneRepulsion::Exact},
                 {"barnes-hut", TsneRepulsion::BarnesHut},
                 {"fft", TsneRepulsion::Fft},
                 {"sampled", TsneRepulsion::Sampled}},
                "exact: by all pairs; barnes-hut: by a tree, in one to three dimensions; fft: by a grid, in one and "
                "two; sampled: by others drawn at random; auto: exact up to 3,000 points, then fft, in three "
                "dimensions barnes-hut, in more exact")
            .number("theta", &TsneOptions::theta, {.minimum = 0.0, .maximum = 1.0},
                    "of barnes-hut: a box less wide than this times its distance pushes as one point; lower is nearer "
                    "to all pairs and slower")
            .only_with("solver", {"barnes-hut", "auto"})
            .integer("iterations", &TsneOptions::iterations, {.minimum = 1},
                     "all in all; the first third of them, but no more than 250, are exaggerated")
            .number("exaggeration", &TsneOptions::exaggeration, {.minimum = 1.0, .maximum = 1e6},
                    "of attraction in the first iterations; higher lets clusters find their place, 1 does without")
            .number("learning-rate", &TsneOptions::learning_rate, {.minimum = 0.0, .maximum = 1e12, .open = true},
                    "of steps, against a quarter of the gradient; higher goes further in each; auto: the number of "
                    "points, through the exaggeration while there is one")
            .choice("start", &TsneOptions::start, {{"pca", LayoutStart::Pca}, {"random", LayoutStart::Random}},
                    "where outputs begin; pca leaves large shapes where they are in the data")
            .number(
                "hold", &TsneOptions::hold, {.minimum = 0.0, .maximum = 1.0},
                "with coordinates to start from: how firmly these rows stay there; 0: they move freely, 1: not at all")
            .integer("seed", &TsneOptions::seed, {.minimum = 0},
                     "of random starts, the noise on others, approximate neighbours, and what sampled draws");
    return table;
}

namespace {

Embedding fit_tsne(const GivenData& given, const TsneOptions& options, const RunContext& context,
                   const FitExtras& extras) {
    const PointsView& x = given.points;
    require_points_or_graph(given, options.dimension, extras);
    require_points_to_start(x, extras, options.start == LayoutStart::Pca);
    require_start(extras.start, x.count, options.dimension, largest_start, StartRows::Some);
    require_start_to_hold(extras.start, options.hold);
    const TsneOptions chosen = completed(options, x.count, extras.neighbors);
    require_given_edges(
        extras, x.count,
        {{"perplexity", to_text(OptionValue{chosen.perplexity.value_or(0.0)}), bool{options.perplexity}},
         {"metric", std::string(name(options.metric)), options.metric != Metric::Euclidean}});
    Checkpoints checkpoints("tsne", tsne_option_table().values(options), x, extras);
    if (checkpoints.resume() != nullptr) {
        require_same_course(*checkpoints.resume(), x.count, options);
    }
    const PowerOfTwoScaling unit = unit_of(x, extras, context);
    const NeighborsWanted wanted = neighbors_wanted(chosen, x.count, unit, extras);
    if (extras.affinities == nullptr) {
        require_neighbors(wanted, x.count);
    }
    const RunContext rest = beside(context, unit.bytes());
    state_tsne(x, chosen, wanted.neighbors, extras, rest);
    Embedding result = unfitted(tsne_option_table().values(chosen), chosen.seed, context);
    const TsneFit fit{unit.points(), chosen, extras, rest, result};
    run_steps(result, [&] {
        const CsrMatrix<float> affinities = affinities_of(fit, wanted);
        lay_out(fit, affinities, checkpoints);
    });
    if (!options.learning_rate) {  // the rate of most steps
        result.options["learning-rate"] = static_cast<double>(x.count);
    }
    return result;
}

}  // namespace

Embedding tsne(const PointsView& x, const TsneOptions& options, const RunContext& context, const FitExtras& extras) {
    if (options.metric == Metric::Precomputed && extras.affinities == nullptr) {
        const double perplexity = completed(options, x.count, nullptr).perplexity.value_or(1.0);
        return fit_of_table({x, neighbors_of_perplexity(perplexity, x.count)}, options, context, extras, fit_tsne);
    }
    return fit_tsne({x}, options, context, extras);
}

Method tsne_method() {
    return method_entry({.name = "tsne",
                         .title = "t-distributed stochastic neighbour embedding: who is near stays near, for pictures",
                         .source = "van der Maaten and Hinton, Visualizing data using t-SNE, JMLR 2008; repulsion by a "
                                   "grid as in Linderman et al., Nature Methods 2019",
                         .accepts_init = true,
                         .accepts_partial_init = true,
                         .resumes = true,
                         .uses_neighbors = true,
                         .uses_affinities = true,
                         .accepts_precomputed = true,
                         .accepts_sparse = true},
                        tsne_option_table(), tsne);
}

}  // namespace isogon
