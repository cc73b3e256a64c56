#include "isogon/methods/umap.hpp"

#include <optional>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/forces/output_kernel.hpp"
#include "isogon/forces/sampled_layout.hpp"
#include "isogon/graph/calibrated_affinities.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "isogon/linalg/eigenproblem.hpp"
#include "methods/fit_steps.hpp"
#include "methods/forces/layout_start.hpp"
#include "methods/forces/umap_options.hpp"
#include "methods/input_points.hpp"
#include "methods/method_entry.hpp"

namespace isogon {

namespace {

/// At most two entries for a neighbour, a number and its place.
std::uint64_t graph_bytes(Index points, Index neighbors, const FitExtras& extras) {
    const std::uint64_t entries =
        extras.affinities != nullptr ? extras.affinities->entries() : std::uint64_t{2} * points * neighbors;
    return entries * (sizeof(double) + sizeof(Index)) + (std::uint64_t{points} + 1) * sizeof(Offset);
}

void state_memory(Index points, const UmapOptions& options, const FitExtras& extras, const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    const auto k = static_cast<Index>(options.neighbors);
    const char* remedy = "raise the limit, take fewer neighbors or embed fewer points";
    const std::uint64_t graph = graph_bytes(points, k, extras);
    const bool given = extras.affinities != nullptr;
    if (!given) {
        require_memory(context,
                       {{"the neighbours", std::uint64_t{points} * k * (sizeof(Index) + sizeof(float))},
                        {"their graph", symmetric_graph_bytes(points, k)}},
                       remedy);
    }
    const MemoryItem held{"the graph of neighbours", given ? 0 : graph};  // a given one is the caller's
    if (extras.start.empty() && options.start == UmapStart::Spectral) {
        require_memory(context, {held, {"its Laplacian", graph}, {"the eigenvectors", eigen_bytes(points, d)}}, remedy);
    }
    require_memory(context,
                   {held,
                    {"a copy of it to be kept", extras.keep_affinities ? graph : 0},
                    {"the outputs", SampledLayout::bytes(points, d) + 2 * MultiVector<double>::bytes(points, d)}},
                   remedy);
}

/// The fuzzy union of the points' neighbourhoods (McInnes, Healy and Melville 2018, algorithms 2 and 3); or t-SNE's P.
CsrMatrix<double> graph_of(const PointsView& points, const NeighborsWanted& wanted, UmapAffinities affinities,
                           Summary& summary, const RunContext& context) {
    if (affinities == UmapAffinities::Perplexity) {
        const double perplexity = perplexity_of_neighbors(wanted.neighbors);
        return widen(neighbor_affinities(points, wanted, perplexity > 1.0 ? std::optional(perplexity) : std::nullopt,
                                         summary, context));
    }
    NeighborLists lists = neighbors_of(points, wanted, summary, context);
    const PhaseTimer timer(summary, "graph");
    return fuzzy_affinities(std::move(lists), 1.0, context);
}

/// Where outputs begin, 10 wide: the graph's spectrum, directions of most variance, or random places.
MultiVector<double> start_of(const PointsView& points, const CsrMatrix<double>& graph, const UmapOptions& options,
                             const FitExtras& extras, Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "start");
    if (!extras.start.empty()) {
        return given_start(extras.start);
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
    if (has_graph_alone(points, extras)) {
        summary.warn("outputs begin at random places: there are no points whose shape they could begin with");
        return widened(random_start(points.count, d, options.seed), options.seed);
    }
    return widened(pca_start(points, d, options.seed, context), options.seed);
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
    summary.message = "all " + made + " are done, the loss of a sample is " + rounded(loss);
}

/// Sampled attraction along edges and repulsion from drawn points (algorithm 5).
void lay_out(const PointsView& points, const CsrMatrix<double>& graph, const UmapOptions& options,
             const FitExtras& extras, const RunContext& context, Embedding& result) {
    const OutputKernel kernel = umap_kernel(options);
    result.summary.measure("a", kernel.a);
    result.summary.measure("b", kernel.b);
    const MultiVector<double> start = start_of(points, graph, options, extras, result.summary, context);
    const PhaseTimer timer(result.summary, "layout");
    SampledLayout layout(graph, start, {kernel, options.epochs, options.negatives, options.learning_rate, options.seed},
                         context);
    const Termination end = layout.run_to(options.epochs);
    result.coordinates = layout.outputs();
    record_end(layout, end, result.summary, uninterrupted(context));
}

}  // namespace

Embedding umap(const PointsView& x, const UmapOptions& options, const RunContext& context, const FitExtras& extras) {
    require_points_or_graph(x, options.dimension, extras);
    require_points_to_start(x, extras, options.start == UmapStart::Pca);
    require_start(extras.start, x.count, options.dimension, SampledLayout::largest_start);
    require_given_edges(extras, x.count, edge_options(options));
    Summary warned;
    const UmapOptions chosen = completed(options, x.count, extras.affinities != nullptr, warned);
    (void)umap_kernel(chosen);  // throws before work starts
    const PowerOfTwoScaling unit = unit_of(x, extras, context);
    const NeighborsWanted wanted{chosen.neighbors, chosen.metric, chosen.seed,          extras.neighbors,
                                 unit.unit(),      extras.shared, extras.keep_neighbors};
    if (extras.affinities == nullptr) {
        require_neighbors(wanted, x.count);
    }
    const RunContext rest = beside(context, unit.bytes());
    state_memory(x.count, chosen, extras, rest);
    Embedding result = unfitted(umap_option_table().values(chosen), chosen.seed, context);
    result.summary.warnings = warned.warnings;
    run_steps(result, [&] {
        const bool given = extras.affinities != nullptr;
        const CsrMatrix<double> made =
            given ? CsrMatrix<double>() : graph_of(unit.points(), wanted, chosen.affinities, result.summary, rest);
        const CsrMatrix<double>& graph = given ? *extras.affinities : made;
        if (extras.keep_affinities) {
            extras.keep_affinities(graph);
        }
        lay_out(unit.points(), graph, chosen, extras, rest, result);
    });
    return result;
}

Method umap_method() {
    Method method = method_entry(
        {.name = "umap",
         .title = "uniform manifold approximation and projection: pictures by sampled attraction and repulsion",
         .source = "McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection, 2018"},
        umap_option_table(), umap);
    method.uses_neighbors = true;
    method.uses_affinities = true;
    method.accepts_precomputed = true;
    method.accepts_init = true;
    return method;
}

}  // namespace isogon
