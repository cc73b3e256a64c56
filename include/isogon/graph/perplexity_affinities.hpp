#pragma once
#include <span>

#include "isogon/core/run_context.hpp"
#include "isogon/core/sparse_matrix.hpp"

namespace isogon {

/// One row of what follows: distances become p_j, whose entropy is log(perplexity), in place.
void perplexity_probabilities(std::span<double> distances, double perplexity);

/// From a graph of distances to weights by entropy, as in van der Maaten & Hinton, "Visualizing data using t-SNE", JMLR
/// 2008: p_j|i is proportional to exp(-beta_i d_ij^2), where beta_i makes the entropy of row i log(perplexity), as if
/// the point had that many neighbours. What comes back is (p_j|i + p_i|j) / 2, so that all weights together sum to the
/// number of points that have edges and every such row to at least 1/2 (t-SNE divides by n besides).
///
/// Lists of some three times as many neighbours as the perplexity are usual. A point with no more edges than the
/// perplexity weighs them all alike; one with more nearest neighbours at one distance than that weighs these alike and
/// the others nothing.
/// Throws InvalidArgument (what is no graph; a perplexity not above 1, or that no point has more edges than),
/// Interruption when the context ends the run. Some 50 exponentials an entry; 12 bytes an entry besides the graph.
[[nodiscard]] WideSparseMatrix perplexity_affinities(WideSparseMatrix graph, double perplexity,
                                                     const RunContext& context = {});

}  // namespace isogon
