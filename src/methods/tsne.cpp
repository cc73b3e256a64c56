#include "isogon/methods/tsne.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/forces/force_layout.hpp"
#include "isogon/forces/repulsion.hpp"
#include "isogon/graph/affinities.hpp"
#include "isogon/graph/perplexity_affinities.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "methods/checkpoints.hpp"
#include "methods/input_points.hpp"
#include "methods/layout_steps.hpp"
#include "methods/spectral_neighbors.hpp"

namespace isogon {

namespace {

constexpr int iterations_between_checkpoints = 10;  // at least; the interval in seconds is checked then

void require_repulsion(const TsneOptions& options) {
    const std::string dimension = std::to_string(options.dimension);
    if (options.repulsion == TsneRepulsion::Fft && options.dimension > 2) {
        throw InvalidArgument("repulsion", "fft",
                              "must be barnes-hut or exact in " + dimension + " dimensions: grids are for one and two");
    }
    if (options.repulsion == TsneRepulsion::BarnesHut && options.dimension > 3) {
        throw InvalidArgument("repulsion", "barnes-hut",
                              "must be exact in " + dimension + " dimensions: trees are for one to three");
    }
}

TsneRepulsion usual_repulsion(int dimension, Index points) {
    if (points <= TsneOptions::most_exact_points || dimension > 3) {
        return TsneRepulsion::Exact;
    }
    return dimension == 3 ? TsneRepulsion::BarnesHut : TsneRepulsion::Fft;
}

/// The options with automatic values resolved; throws where none fits.
TsneOptions completed(TsneOptions options, Index points) {
    tsne_option_table().validate(options);
    options.perplexity = fitting_perplexity(options.perplexity, TsneOptions::usual_perplexity, points);
    require_repulsion(options);
    if (options.repulsion == TsneRepulsion::Auto) {
        options.repulsion = usual_repulsion(options.dimension, points);
        tsne_option_table().validate(options);  // the resolved scheme decides whether theta has an effect
    }
    return options;
}

std::unique_ptr<Repulsion> repulsion_of(const TsneOptions& options, const CsrMatrix<float>& affinities) {
    if (options.repulsion == TsneRepulsion::Fft) {
        return std::make_unique<GridRepulsion>(affinities.rows, static_cast<Index>(options.dimension));
    }
    if (options.repulsion == TsneRepulsion::BarnesHut) {
        return std::make_unique<BarnesHutRepulsion>(static_cast<Index>(options.dimension), options.theta);
    }
    if (options.repulsion == TsneRepulsion::Sampled) {
        return std::make_unique<SampledRepulsion>(options.samples, options.seed, &affinities);
    }
    return std::make_unique<ExactRepulsion>();
}

NeighborsWanted neighbors_wanted(const TsneOptions& options, Index points, const PowerOfTwoScaling& unit,
                                 const FitExtras& extras) {
    int neighbors = neighbors_of_perplexity(options.perplexity.value_or(1.0), points);
    if (extras.neighbors != nullptr) {
        neighbors = std::min(neighbors, static_cast<int>(extras.neighbors->size));
    }
    return {neighbors,   Metric::Euclidean, options.seed,         extras.neighbors,
            unit.unit(), extras.shared,     extras.keep_neighbors};
}

std::uint64_t graph_bytes(std::uint64_t entries, Index points) {
    return entries * (sizeof(Index) + sizeof(float)) + (std::uint64_t{points} + 1) * sizeof(Offset);
}

/// Bytes of P while it is made, for lists without mutual neighbours; it is half as large if all are mutual.
std::uint64_t largest_graph_bytes(Index points, int neighbors, const FitExtras& extras) {
    const std::uint64_t entries =
        extras.affinities != nullptr ? extras.affinities->entries() : std::uint64_t{2} * points * neighbors;
    return graph_bytes(entries, points);
}

/// Bytes while lists become P, which is copied if the caller keeps it.
void state_edges(Index points, int neighbors, const FitExtras& extras, const RunContext& context) {
    const std::uint64_t lists = std::uint64_t{points} * neighbors * (sizeof(Index) + sizeof(float));
    const std::uint64_t graph = largest_graph_bytes(points, neighbors, extras);
    const bool given = extras.affinities != nullptr;
    require_memory(
        context,
        {{"the neighbours", given ? 0 : lists},
         {"the neighbours' graph", given ? graph : joint_probabilities_bytes(points, static_cast<Index>(neighbors))}},
        "raise the limit, lower the perplexity (fewer neighbours) or embed fewer points");
    if (extras.keep_affinities) {
        require_memory(context, {{"the neighbours' graph", graph}, {"a copy of it to be kept", 2 * graph}},
                       "raise the limit, or do not keep the affinities");
    }
}

/// Bytes of a layout beside P: outputs, steps, gains and forces, and the fixed part of the repulsion's memory.
std::uint64_t layout_bytes(Index points, const TsneOptions& options, const FitExtras& extras) {
    const auto d = static_cast<Index>(options.dimension);
    const std::uint64_t repulsion =
        options.repulsion == TsneRepulsion::BarnesHut ? BarnesHutRepulsion::bytes(points) : 0;
    return 2 * MultiVector<double>::bytes(points, d) + ForceLayout::bytes(points, d) +
           (extras.checkpoint ? 3 * MultiVector<double>::bytes(points, d) : 0) + repulsion;
}

void state_memory(const PointsView& x, const TsneOptions& options, int neighbors, const FitExtras& extras,
                  const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    state_edges(x.count, neighbors, extras, context);
    const std::uint64_t graph = largest_graph_bytes(x.count, neighbors, extras);
    require_memory(context,
                   {{"the neighbours' graph", graph},
                    {"the outputs on their way", layout_bytes(x.count, options, extras)},
                    {"the grid", options.repulsion == TsneRepulsion::Fft ? GridRepulsion::bytes(x.count, d) : 0}},
                   "raise the limit, lower the perplexity (fewer neighbours) or embed fewer points");
    if (extras.start.empty() && options.start == TsneStart::Pca) {
        require_memory(
            context,
            {{"the neighbours' graph", graph},
             {"the start", truncated_svd_bytes(x.count, x.dimension, d) + std::uint64_t{x.count} * d * sizeof(float)}},
            "raise the limit, or begin at random");
    }
}

MultiVector<double> start_of(const PointsView& points, const TsneOptions& options, const FitExtras& extras,
                             Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "start");
    if (!extras.start.empty()) {
        return given_start(extras.start);
    }
    const auto d = static_cast<Index>(options.dimension);
    return options.start == TsneStart::Pca ? pca_start(points, d, options.seed, context)
                                           : random_start(points.count, d, options.seed);
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

/// A resumed run may have more iterations than planned, but not fewer than done, nor another first phase: no
/// uninterrupted run would equal it.
void require_same_course(const Archive& saved, Index points, const TsneOptions& options) {
    const auto iterations = static_cast<std::uint64_t>(options.iterations);
    if (saved.count("iteration") > iterations) {
        throw InputError(saved.source, "array iteration",
                         std::to_string(saved.count("iteration")) + " is beyond the " + std::to_string(iterations) +
                             " iterations of this run: resume with at least as many");
    }
    const TsneOptions before = tsne_option_table().make(saved.options);
    const auto exaggerated = [&](int of) {
        return tsne_schedule(points, {.iterations = of}).phases.front().iterations;
    };
    if (exaggerated(before.iterations) != exaggerated(options.iterations)) {
        throw InputError(saved.source, "",
                         "made with iterations = " + std::to_string(before.iterations) + ", of which " +
                             std::to_string(exaggerated(before.iterations)) + " are exaggerated; of the " +
                             std::to_string(iterations) + " of this run it would be " +
                             std::to_string(exaggerated(options.iterations)) + ": resume with the same");
    }
}

/// Runs the schedule, from a checkpoint if there is one, and writes checkpoints.
Termination run(ForceLayout& layout, Checkpoints& checkpoints) {
    if (checkpoints.resume() != nullptr) {
        layout.restore(*checkpoints.resume());
    }
    const auto save = [&](Archive& archive) { layout.save(archive); };
    while (true) {
        const Termination end = layout.run_to(layout.iteration() + iterations_between_checkpoints);
        const bool interrupted = end == Termination::Cancelled || end == Termination::TimeLimit;
        checkpoints.take(save, interrupted);
        if (end != Termination::IterationLimit) {
            return end;
        }
    }
}

/// P: the user's weights, or those of the neighbours.
CsrMatrix<float> affinities_of(const PointsView& points, const NeighborsWanted& wanted, const TsneOptions& options,
                               const FitExtras& extras, Summary& summary, const RunContext& context) {
    CsrMatrix<float> shares = extras.affinities == nullptr
                                  ? neighbor_affinities(points, wanted, options.perplexity, summary, context)
                                  : shares_of(*extras.affinities);
    if (extras.keep_affinities) {
        extras.keep_affinities(widen(shares));
    }
    return shares;
}

void lay_out(const PointsView& points, const CsrMatrix<float>& affinities, const TsneOptions& options,
             const FitExtras& extras, Checkpoints& checkpoints, const RunContext& context, Embedding& result) {
    MultiVector<double> start = start_of(points, options, extras, result.summary, context);
    const PhaseTimer timer(result.summary, "layout");
    const std::unique_ptr<Repulsion> repulsion = repulsion_of(options, affinities);
    const Schedule schedule =
        tsne_schedule(points.count, {options.iterations, options.exaggeration, options.learning_rate});
    const std::uint64_t held =
        graph_bytes(affinities.entries(), points.count) + layout_bytes(points.count, options, extras);
    ForceLayout layout(affinities, *repulsion, std::move(start), schedule, beside(context, held));
    const Termination end = run(layout, checkpoints);
    result.coordinates = to_coordinates(layout.outputs());
    RunContext finishing = context;  // all is done but for telling how it went
    finishing.stop = {};
    finishing.deadline.reset();
    record_end(layout, end, result.summary, finishing);
}

}  // namespace

const OptionTable<TsneOptions>& tsne_option_table() {
    static const OptionTable<TsneOptions> table =
        OptionTable<TsneOptions>()
            .integer("dimension", &TsneOptions::dimension, {.minimum = 1},
                     "numbers for each point; above 3 all pairs are looked at")
            .number("perplexity", &TsneOptions::perplexity, {.minimum = 1.0, .open = true},
                    "how many neighbours count, in effect; higher shows more of the whole, lower more of the detail; "
                    "auto: 30, or a third of the other points if that is less")
            .choice(
                "repulsion", &TsneOptions::repulsion,
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
            .only_with("repulsion", {"barnes-hut", "auto"})
            .integer("samples", &TsneOptions::samples, {.minimum = 1, .maximum = SampledRepulsion::most_samples},
                     "of sampled: others drawn for each point in each iteration; more are nearer to all pairs and "
                     "slower")
            .only_with("repulsion", {"sampled"})
            .integer("iterations", &TsneOptions::iterations, {.minimum = 1},
                     "all in all; the first third of them, but no more than 250, are exaggerated")
            .number("exaggeration", &TsneOptions::exaggeration, {.minimum = 1.0, .maximum = 1e6},
                    "of attraction in the first iterations; higher lets clusters find their place, 1 does without")
            .number("learning-rate", &TsneOptions::learning_rate, {.minimum = 0.0, .maximum = 1e12, .open = true},
                    "of steps, against a quarter of the gradient; higher goes further in each; auto: the number of "
                    "points, through the exaggeration while there is one")
            .choice("start", &TsneOptions::start, {{"pca", TsneStart::Pca}, {"random", TsneStart::Random}},
                    "where outputs begin; pca leaves large shapes where they are in the data")
            .integer("seed", &TsneOptions::seed, {.minimum = 0},
                     "of random starts, the noise on others, approximate neighbours, and what sampled draws");
    return table;
}

Embedding tsne(const PointsView& x, const TsneOptions& options, const RunContext& context, const FitExtras& extras) {
    require_points_or_graph(x, options.dimension, extras);
    require_points_to_start(x, extras, options.start == TsneStart::Pca);
    require_start(extras.start, x.count, options.dimension, largest_start);
    const TsneOptions chosen = completed(options, x.count);
    require_given_edges(
        extras, x.count,
        {{"perplexity", to_text(OptionValue{chosen.perplexity.value_or(0.0)}), bool{options.perplexity}}});
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
    state_memory(x, chosen, wanted.neighbors, extras, rest);
    Embedding result;
    result.options = tsne_option_table().values(chosen);
    result.summary.seed = chosen.seed;
    result.summary.threads = context.thread_count();
    try {
        const CsrMatrix<float> affinities = affinities_of(unit.points(), wanted, chosen, extras, result.summary, rest);
        lay_out(unit.points(), affinities, chosen, extras, checkpoints, rest, result);
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
        result.summary.message = "ended before there were any coordinates";
    }
    return result;
}

Method tsne_method() {
    Method method{"tsne", "t-distributed stochastic neighbour embedding: who is near stays near, for pictures",
                  "van der Maaten and Hinton, Visualizing data using t-SNE, JMLR 2008; repulsion by a grid as in "
                  "Linderman et al., Nature Methods 2019",
                  tsne_option_table().specs(),
                  [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                      return tsne(x, tsne_option_table().make(values), context);
                  }};
    method.embed_with = [](const PointsView& x, const OptionValues& values, const RunContext& context,
                           const FitExtras& extras) {
        return tsne(x, tsne_option_table().make(values), context, extras);
    };
    method.accepts_init = true;
    method.resumes = true;
    method.uses_neighbors = true;
    method.uses_affinities = true;
    method.accepts_precomputed = true;
    return method;
}

}  // namespace isogon
