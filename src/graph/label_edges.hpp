#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Whether any label is known, that is, not below 0.
[[nodiscard]] bool any_known(std::span<const std::int64_t> labels);

/// Weakens the edges of a symmetric graph that labels speak against, as supervised UMAP does (McInnes, Healy and
/// Melville, "UMAP: uniform manifold approximation and projection", 2018, whose fuzzy intersection of the graph with
/// that of the labels this is; factors as in umap-learn at its default weight 1/2). An edge between different labels is
/// multiplied by exp(-5 w / (1 - w)), at least 1e-12; one with an end of unknown label (below 0) by exp(-2 w); w is
/// `weight`, 0 to 1. Then local connectivity is restored: each edge times the larger of the factors by which the
/// heaviest edges of its two ends have become lighter, so that every point keeps as sure a neighbour as it had, and
/// weights that shrink alike come back. A weight of 0, and labels none of which is known, change no bit.
///
/// Changes the graph in place; O(entries). Throws InvalidArgument for a weight outside [0, 1] and another number of
/// labels than points. The same bits for any number of threads.
[[nodiscard]] CsrMatrix<double> with_labels(CsrMatrix<double> graph, std::span<const std::int64_t> labels,
                                            double weight, const RunContext& context = {});

}  // namespace isogon
