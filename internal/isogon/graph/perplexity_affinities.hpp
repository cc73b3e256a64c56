#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Replaces the distances of one row by probabilities p_j whose entropy is log(perplexity), as below.
void perplexity_probabilities(std::span<double> distances, double perplexity);

/// From a graph of distances to weights by entropy, as in van der Maaten & Hinton, "Visualizing data using t-SNE", JMLR
/// 2008: p_j|i is proportional to exp(-beta_i d_ij^2), where beta_i makes the entropy of row i log(perplexity), as if
/// the point had that many neighbours. Returns (p_j|i + p_i|j) / 2: all weights sum to the number of points that have
/// edges, and each of their rows to at least 1/2 (t-SNE also divides by n).
///
/// Lists of some three times as many neighbours as the perplexity are usual. A point with no more edges than the
/// perplexity has equal weights; one with more nearest neighbours at one distance than that has equal weights for these
/// and 0 for the others. Throws InvalidArgument (what is no graph; a perplexity not above 1, or that no point has more
/// edges than), Interruption when the context ends the run. Some 50 exponentials an entry; 8 bytes a point besides the
/// graph.
[[nodiscard]] CsrMatrix<double> perplexity_affinities(CsrMatrix<double> graph, double perplexity,
                                                      const RunContext& context = {});

/// t-SNE's P directly from neighbour lists, joined where either lists the other: those affinities divided by their sum,
/// so that all weights sum to 1; without a perplexity, all neighbours have equal weight. In float32 and in place,
/// because with many points this graph dominates the memory: if the caller moves the lists in, the peak is the lists,
/// the graph of at most 16 bytes a neighbour, and one byte a neighbour. An edge whose weight is rounded to 0 remains an
/// edge. Throws as symmetric_graph() and perplexity_affinities() do, and LimitExceeded.
[[nodiscard]] CsrMatrix<float> joint_probabilities(NeighborLists lists, const std::optional<double>& perplexity,
                                                   const RunContext& context = {});

/// Memory in addition to the lists, with the graph that is returned.
[[nodiscard]] std::uint64_t joint_probabilities_bytes(Index points, Index neighbors);

}  // namespace isogon
