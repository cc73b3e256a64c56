#include "methods/forces.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "forces/local_density.hpp"
#include "forces/output_kernel.hpp"
#include "forces/sampled_layout.hpp"
#include "graph/calibrated_affinities.hpp"
#include "graph/label_edges.hpp"
#include "graph/local_radii.hpp"
#include "graph/symmetric_graph.hpp"
#include "graph/target_edges.hpp"
#include "isogon/core/error.hpp"
#include "linalg/eigenproblem.hpp"
#include "methods/forces/layout_edges.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/forces/partial_start.hpp"
#include "methods/forces/target_graph.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/neighbor_metrics.hpp"

namespace isogon {

namespace {

/// The options with neighbours and epochs resolved for so many points; with a warning where there are fewer neighbours
/// than asked for, unless edges are given. Throws InvalidArgument for values out of bounds.
UmapOptions completed(UmapOptions options, Index points, bool edges_given, Summary& summary) {
    umap_option_table().validate(options);
    if (points > 1 && static_cast<std::uint64_t>(options.neighbors) >= points) {
        options.neighbors = static_cast<int>(points) - 1;
        if (!edges_given) {
            summary.warn("there are no more than " + std::to_string(points - 1) + " neighbors to each of " +
                         std::to_string(points) + " points, and all were taken");
        }
    }
    if (options.iterations == 0) {
        constexpr Index few_points = 10000;  // up to which epochs are cheap: umap-learn's numbers
        options.iterations = points <= few_points ? 500 : 200;
    }
    return options;
}

/// The options that have no effect if edges are given.
std::vector<EdgeOption> edge_options(const UmapOptions& options) {
    const UmapOptions usual;
    const OptionValues values = umap_option_table().values(options);
    const auto option = [&](const char* name, bool asked_for) {
        return EdgeOption{name, to_text(values.at(name)), asked_for};
    };
    return {option("neighbors", options.neighbors != usual.neighbors), option("metric", options.metric != usual.metric),
            option("density-weight", options.density_weight > 0.0)};
}

void state_memory(Index points, const UmapOptions& options, const FitExtras& extras, const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    const auto k = static_cast<Index>(options.neighbors);
    const char* remedy = "raise the limit, take fewer neighbors or embed fewer points";
    const bool given = extras.affinities != nullptr;
    const std::uint64_t entries = given ? extras.affinities->entries() : std::uint64_t{2} * points * k;  // at most
    const std::uint64_t graph =
        entries * (sizeof(double) + sizeof(Index)) + (std::uint64_t{points} + 1) * sizeof(Offset);
    const bool with_density = options.density_weight > 0.0;
    const std::uint64_t targets = extras.targets.empty() ? 0 : 3 * graph;  // theirs, and both joined
    if (!given) {
        require_memory(context,
                       {{"the neighbours", neighbor_bytes(points, k) * (with_density ? 2 : 1)},
                        {"their graph", symmetric_graph_bytes(points, k)}},
                       remedy);
        require_memory(context, {{"the graph of neighbours", graph}, {"that of the targets", targets}}, remedy);
    }
    const MemoryItem held{"the graph of neighbours",
                          given ? 0 : std::max(graph, targets)};  // a given one is the caller's
    if (extras.start.empty() && options.start == UmapStart::Spectral) {
        require_memory(context, {held, {"its Laplacian", graph}, {"the eigenvectors", eigen_bytes(points, d)}}, remedy);
    }
    require_memory(
        context,
        {held,
         {"the outputs", SampledLayout::bytes(points, d, entries) + 2 * MultiVector<double>::bytes(points, d)},
         {"the local radii", with_density ? LocalDensity::bytes(points, d) : 0}},
        remedy);
}

using UmapFit = RunningFit<UmapOptions>;

/// What attracts, and the inputs' log local radii where outputs are to follow them.
struct UmapGraph {
    CsrMatrix<double> edges{};
    std::vector<double> log_radii{};
};

/// The fuzzy union of the points' neighbourhoods (McInnes, Healy and Melville 2018, algorithms 2 and 3).
UmapGraph graph_of(const UmapFit& fit, const NeighborsWanted& wanted) {
    NeighborLists lists = neighbors_of(fit.points, wanted, fit.result.summary, fit.context);
    const PhaseTimer timer(fit.result.summary, "graph");
    if (fit.options.density_weight == 0.0) {
        return {fuzzy_affinities(std::move(lists), 1.0, fit.context)};
    }
    UmapGraph graph{fuzzy_affinities(lists, 1.0, fit.context)};
    graph.log_radii = log_local_radii(lists, graph.edges);
    return graph;
}

/// Labels or targets are of found or given neighbours, as many as points; nothing else gives target-weight an effect.
void require_labels(const UmapOptions& options, Index points, const FitExtras& extras) {
    require_targets(extras.targets, points);
    if (!extras.labels.empty() && !extras.targets.empty()) {
        throw InvalidArgument("labels", "given beside targets", "say twice what draws points together: give one");
    }
    const bool given = !extras.labels.empty() || !extras.targets.empty();
    if (given && extras.affinities != nullptr) {
        throw InvalidArgument(extras.labels.empty() ? "targets" : "labels", "given beside affinities",
                              "weaken edges that are made of neighbours: leave out one of the two");
    }
    if (!extras.labels.empty() && extras.labels.size() != points) {
        throw InvalidArgument("labels", std::to_string(extras.labels.size()),
                              "must be " + std::to_string(points) + ", one for each point");
    }
    if (!given && options.target_weight != UmapOptions{}.target_weight) {
        throw InvalidArgument("target-weight", to_text(OptionValue{options.target_weight}),
                              "has an effect only with labels or targets of the points: give these, or leave it out");
    }
}

/// The edges, weakened where labels or targets speak against them.
CsrMatrix<double> labelled(CsrMatrix<double> graph, const UmapFit& fit) {
    const auto& labels = fit.extras.labels;
    if (!fit.extras.targets.empty()) {
        const PhaseTimer timer(fit.result.summary, "targets");
        const auto& [points, options, extras, context, result] = fit;
        return with_targets(std::move(graph), target_graph(extras.targets, options.neighbors, options.seed, context),
                            options.target_weight, context);
    }
    if (labels.empty()) {
        return graph;
    }
    const auto known = std::ranges::count_if(labels, [](std::int64_t label) { return label >= 0; });
    fit.result.summary.count("labelled", static_cast<double>(known));
    return with_labels(std::move(graph), labels, fit.options.target_weight, fit.context);
}

/// Where outputs begin, 10 wide: the graph's spectrum, directions of most variance, or random places.
MultiVector<double> start_of(const UmapFit& fit, const CsrMatrix<double>& graph) {
    const auto& [points, options, extras, context, result] = fit;
    Summary& summary = result.summary;
    const PhaseTimer timer(summary, "start");
    if (!extras.start.empty()) {
        return completed_start(extras.start, graph, options.seed, summary);
    }
    const auto d = static_cast<Index>(options.dimension);
    if (options.start == UmapStart::Random) {
        return widened(random_start(points.count, d, options.seed), options.seed);
    }
    if (options.start == UmapStart::Spectral) {
        if (auto smooth = spectral_start(graph, d, options.seed, summary, context)) {
            return widened(std::move(*smooth), options.seed);
        }
    }
    const PointsView shape = points_to_start(points, extras);
    if (shape.empty()) {
        summary.warn("outputs begin at random places: there are no points whose shape they could begin with");
        return widened(random_start(points.count, d, options.seed), options.seed);
    }
    return widened(pca_start(shape, d, options.seed, context), options.seed);
}

void record_end(const SampledLayout& layout, Termination end, Summary& summary, const RunContext& context) {
    summary.termination = end;
    summary.trace = layout.trace();
    summary.count("epochs", static_cast<double>(layout.epoch()));
    const std::string made = std::to_string(layout.epoch()) + " epochs";
    if (end != Termination::Converged) {
        summary.message = "ended after " + made;
        return;
    }
    const double loss = layout.loss(context);
    summary.measure("loss", loss);
    if (const auto correlation = layout.density_correlation(context)) {
        summary.measure("density_correlation", *correlation);
    }
    summary.message = "all " + made + " are done, the loss of a sample is " + rounded(loss);
}

/// Sampled attraction along edges and repulsion from drawn points (algorithm 5).
void lay_out(const UmapFit& fit, const CsrMatrix<double>& graph, std::span<const double> log_radii) {
    const auto& [points, options, extras, context, result] = fit;
    const OutputKernel kernel = umap_kernel(options);
    result.summary.measure("a", kernel.a);
    result.summary.measure("b", kernel.b);
    const MultiVector<double> start = start_of(fit, graph);
    const PhaseTimer timer(result.summary, "layout");
    SampledLayout layout(graph, start,
                         {.kernel = kernel,
                          .epochs = options.iterations,
                          .negatives = options.negatives,
                          .learning_rate = options.learning_rate,
                          .seed = options.seed,
                          .anchors = {extras.start, options.hold},
                          .log_radii = log_radii,
                          .density_weight = options.density_weight},
                         context);
    const Termination end = layout.run_to(options.iterations);
    result.coordinates = layout.outputs();
    record_end(layout, end, result.summary, uninterrupted(context));
}

}  // namespace

const OptionTable<UmapOptions>& umap_option_table() {
    static const OptionTable<UmapOptions> table =
        OptionTable<UmapOptions>()
            .integer("dimension", &UmapOptions::dimension, {.minimum = 1}, "numbers for each point")
            .integer("neighbors", &UmapOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; more show more of the whole, fewer more of the detail")
            .choice("metric", &UmapOptions::metric, neighbor_metric_choices(true), neighbor_metrics_or_table_help)
            .number("target-weight", &UmapOptions::target_weight, {.minimum = 0.0, .maximum = 1.0},
                    "with labels or targets of the points: what they count beside the inputs, 0 (nothing) to 1 (all)")
            .choice("kernel", &UmapOptions::kernel, {{"fitted", UmapKernel::Fitted}, {"cauchy", UmapKernel::Cauchy}},
                    "how close outputs count; fitted: to min-dist and spread; cauchy: 1 / (1 + d^2), as in t-SNE")
            .number("min-dist", &UmapOptions::min_distance, {.minimum = 0.0},
                    "how near neighbours may come before nothing pulls them any more; lower packs clusters tighter")
            .only_with("kernel", {"fitted"})
            .number("spread", &UmapOptions::spread, {.minimum = 1e-6, .maximum = 1e6},
                    "over what distance closeness fades beyond min-dist: the unit of the map")
            .only_with("kernel", {"fitted"})
            .integer("iterations", &UmapOptions::iterations, {.minimum = 0},
                     "epochs, in each of which the surest edges are sampled once; 0: 500 up to 10,000 points, else 200")
            .integer("negatives", &UmapOptions::negatives, {.minimum = 0, .maximum = 1000},
                     "points that push, drawn for every edge that is sampled; more separate clusters further")
            .number("learning-rate", &UmapOptions::learning_rate, {.minimum = 0.0, .maximum = 1000.0, .open = true},
                    "of the first epoch's steps; it falls to 0 in equal steps")
            .choice("start", &UmapOptions::start,
                    {{"spectral", UmapStart::Spectral}, {"pca", UmapStart::Pca}, {"random", UmapStart::Random}},
                    "where outputs begin; spectral: the smoothest functions on the graph, or pca where it falls apart")
            .number("density-weight", &UmapOptions::density_weight, {.minimum = 0.0, .maximum = 1000.0},
                    "how much dense places stay dense and sparse ones sparse, as in densMAP, whose usual weight is 2; "
                    "0: not at all")
            .number(
                "hold", &UmapOptions::hold, {.minimum = 0.0, .maximum = 1.0},
                "with coordinates to start from: how firmly these rows stay there; 0: they move freely, 1: not at all")
            .integer("seed", &UmapOptions::seed, {.minimum = 0},
                     "of what is drawn, random starts, the noise on others, and approximate neighbours");
    return table;
}

OutputKernel umap_kernel(const UmapOptions& options) {
    return options.kernel == UmapKernel::Fitted ? fit_output_kernel(options.min_distance, options.spread)
                                                : OutputKernel{};
}

namespace {

Embedding fit_umap(const GivenData& given, const UmapOptions& options, const RunContext& context,
                   const FitExtras& extras) {
    const PointsView& x = given.points;
    require_points_or_graph(given, options.dimension, extras);
    require_points_to_start(x, extras, options.start == UmapStart::Pca);
    require_start(extras.start, x.count, options.dimension, SampledLayout::largest_start, StartRows::Some);
    require_start_to_hold(extras.start, options.hold);
    require_given_edges(extras, x.count, edge_options(options));
    require_labels(options, x.count, extras);
    Summary warned;
    const UmapOptions chosen = completed(options, x.count, extras.affinities != nullptr, warned);
    (void)umap_kernel(chosen);  // throws before work starts
    const PowerOfTwoScaling unit = unit_of(x, extras, context);
    const NeighborsWanted wanted{.neighbors = chosen.neighbors,
                                 .metric = chosen.metric,
                                 .seed = chosen.seed,
                                 .given = extras.neighbors,
                                 .unit = unit.unit(),
                                 .shared = extras.shared,
                                 .unequal = true};
    if (extras.affinities == nullptr) {
        require_neighbors(wanted, x.count);
    }
    const RunContext rest = beside(context, unit.bytes());
    state_memory(x.count, chosen, extras, rest);
    Embedding result = unfitted(umap_option_table().values(chosen), chosen.seed, context);
    result.summary.warnings = warned.warnings;
    const UmapFit fit{unit.points(), chosen, extras, rest, result};
    run_steps(result, [&] {
        const bool edges_given = extras.affinities != nullptr;
        UmapGraph made = edges_given ? UmapGraph() : graph_of(fit, wanted);
        made.edges = labelled(std::move(made.edges), fit);
        lay_out(fit, edges_given ? *extras.affinities : made.edges, made.log_radii);
    });
    return result;
}

}  // namespace

Embedding umap(const PointsView& x, const UmapOptions& options, const RunContext& context, const FitExtras& extras) {
    if (options.metric == Metric::Precomputed && extras.affinities == nullptr) {
        return fit_of_table({x, options.neighbors}, options, context, extras, fit_umap);
    }
    return fit_umap({x}, options, context, extras);
}

Method umap_method() {
    return method_entry(
        {.name = "umap",
         .title = "uniform manifold approximation and projection: pictures by sampled attraction and repulsion",
         .source = "McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection, 2018",
         .accepts_init = true,
         .accepts_partial_init = true,
         .uses_neighbors = true,
         .uses_affinities = true,
         .uses_labels = true,
         .accepts_precomputed = true,
         .accepts_sparse = true},
        umap_option_table(), umap);
}

}  // namespace isogon
