#include "methods/forces/tsne_memory.hpp"

#include "isogon/core/csr_matrix.hpp"
#include "isogon/forces/force_layout.hpp"
#include "isogon/forces/repulsion.hpp"
#include "isogon/graph/calibrated_affinities.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/linalg/truncated_svd.hpp"

namespace isogon {

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
    if (extras.start.empty() && options.start == TsneStart::Pca) {
        require_memory(
            context,
            {{"the neighbours' graph", graph},
             {"the start", truncated_svd_bytes(x.count, x.dimension, d) + std::uint64_t{x.count} * d * sizeof(float)}},
            "raise the limit, or begin at random");
    }
}

}  // namespace isogon
