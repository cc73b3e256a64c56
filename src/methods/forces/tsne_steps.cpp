#include "methods/forces/tsne_steps.hpp"

#include <string>

#include "forces/force_layout.hpp"
#include "forces/repulsion.hpp"
#include "graph/calibrated_affinities.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/forces/layout_edges.hpp"

namespace isogon {

namespace {

void require_repulsion(const TsneOptions& options) {
    const std::string dimension = std::to_string(options.dimension);
    if (options.repulsion == TsneRepulsion::Fft && options.dimension > 2) {
        throw InvalidArgument("solver", "fft",
                              "must be barnes-hut or exact in " + dimension + " dimensions: grids are for one and two");
    }
    if (options.repulsion == TsneRepulsion::BarnesHut && options.dimension > 3) {
        throw InvalidArgument("solver", "barnes-hut",
                              "must be exact in " + dimension + " dimensions: trees are for one to three");
    }
}

TsneRepulsion usual_repulsion(int dimension, Index points) {
    constexpr Index most_exact_points = 3000;  // beyond which a grid or a tree takes less time than all pairs
    if (points <= most_exact_points || dimension > 3) {
        return TsneRepulsion::Exact;
    }
    return dimension == 3 ? TsneRepulsion::BarnesHut : TsneRepulsion::Fft;
}

}  // namespace

TsneOptions completed(TsneOptions options, Index points, const NeighborLists* lists) {
    tsne_option_table().validate(options);
    options.perplexity = fitting_perplexity(options.perplexity, points, lists);
    require_repulsion(options);
    if (options.repulsion == TsneRepulsion::Auto) {
        options.repulsion = usual_repulsion(options.dimension, points);
        tsne_option_table().validate(options);  // the resolved scheme decides whether theta has an effect
    }
    return options;
}

std::uint64_t affinities_bytes(std::uint64_t entries, Index points) {
    return entries * (sizeof(Index) + sizeof(float)) + (std::uint64_t{points} + 1) * sizeof(Offset);
}

std::uint64_t layout_bytes(Index points, const TsneOptions& options, const FitExtras& extras) {
    const auto d = static_cast<Index>(options.dimension);
    const std::uint64_t repulsion =
        options.repulsion == TsneRepulsion::BarnesHut ? BarnesHutRepulsion::bytes(points) : 0;
    return 2 * MultiVector<double>::bytes(points, d) + ForceLayout::bytes(points, d) +
           (extras.checkpoint ? 3 * MultiVector<double>::bytes(points, d) : 0) + repulsion;
}

namespace {

/// Bytes of P while it is made, for lists without mutual neighbours; it is half as large if all are mutual.
std::uint64_t largest_graph_bytes(Index points, int neighbors, const FitExtras& extras) {
    const std::uint64_t entries =
        extras.affinities != nullptr ? extras.affinities->entries() : std::uint64_t{2} * points * neighbors;
    return affinities_bytes(entries, points);
}

/// Bytes while lists become P.
void state_edges(Index points, int neighbors, const FitExtras& extras, const RunContext& context) {
    const std::uint64_t lists = neighbor_bytes(points, neighbors);
    const std::uint64_t graph = largest_graph_bytes(points, neighbors, extras);
    const bool given = extras.affinities != nullptr;
    require_memory(
        context,
        {{"the neighbours", given ? 0 : lists},
         {"the neighbours' graph", given ? graph : joint_probabilities_bytes(points, static_cast<Index>(neighbors))}},
        "raise the limit, lower the perplexity (fewer neighbours) or embed fewer points");
}

}  // namespace

void state_tsne(const PointsView& x, const TsneOptions& options, int neighbors, const FitExtras& extras,
                const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    state_edges(x.count, neighbors, extras, context);
    const std::uint64_t graph = largest_graph_bytes(x.count, neighbors, extras);
    require_memory(context,
                   {{"the neighbours' graph", graph},
                    {"the outputs on their way", layout_bytes(x.count, options, extras)},
                    {"the grid", options.repulsion == TsneRepulsion::Fft ? GridRepulsion::bytes(x.count, d) : 0}},
                   "raise the limit, lower the perplexity (fewer neighbours) or embed fewer points");
    if (extras.start.empty() && options.start == LayoutStart::Pca) {
        require_memory(
            context,
            {{"the neighbours' graph", graph},
             {"the start", truncated_svd_bytes(x.count, x.dimension, d) + std::uint64_t{x.count} * d * sizeof(float)}},
            "raise the limit, or begin at random");
    }
}

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

Termination run_schedule(ForceLayout& layout, Checkpoints& checkpoints) {
    constexpr int iterations_between_checkpoints = 10;  // at least; the interval in seconds is checked then
    if (checkpoints.resume() != nullptr) {
        layout.restore(*checkpoints.resume());
    }
    const auto save = [&](Archive& archive) { layout.save(archive); };
    while (true) {
        const Termination end = layout.run_to(layout.iteration() + iterations_between_checkpoints);
        checkpoints.take(save, was_interrupted(end));
        if (end != Termination::IterationLimit) {
            return end;
        }
    }
}

}  // namespace isogon
