#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/forces/output_kernel.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// What the edges of a graph do to outputs: each costs w_ij cost(|y_i - y_j|^2) and pulls its ends together. `edges` is
/// a symmetric matrix of weights (graph/perplexity_affinities.hpp), y has a row for each of its points.

/// Row i of `pulls` becomes sum_j w_ij pull(|y_i - y_j|^2) (y_i - y_j), a quarter of the gradient of attraction_cost by
/// y_i: learning rates count in quarters since openTSNE. Every row is gathered by itself: the same bits for any number
/// of threads. O(entries d).
void attract(const CsrMatrix<float>& edges, const OutputKernel& kernel, const WideVectors& y, WideVectors& pulls,
             const RunContext& context);

/// sum_ij w_ij cost(|y_i - y_j|^2), over both directions of each edge. O(entries d), and a logarithm an entry.
[[nodiscard]] double attraction_cost(const CsrMatrix<float>& edges, const OutputKernel& kernel, const WideVectors& y,
                                     const RunContext& context);

/// sum_ij w_ij log w_ij, what is left of a divergence of w from its copy in the outputs when these are taken away.
[[nodiscard]] double negative_entropy(const CsrMatrix<float>& edges, const RunContext& context);

}  // namespace isogon
