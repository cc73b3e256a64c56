#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Affinities whose width is calibrated at each point to its number of neighbours: by entropy, as in t-SNE, or by the
// sum of memberships, as in UMAP. For one width, and for widths by a distance, see affinities.hpp.
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

/// The fuzzy memberships of a point's neighbours, McInnes, Healy and Melville, "UMAP: uniform manifold approximation
/// and projection", 2018, algorithms 2 and 3: ascending `distances` become exp(-max(0, d - rho) / sigma). rho is the
/// least of them above 0, and sigma makes their sum log2(k). The nearest neighbour thus has membership 1. If log2(k)
/// neighbours or more have distance rho, or all have the same distance, sigma is at its lower bound and the others have
/// membership 0. O(k) exponentials, some 10 times.
void fuzzy_memberships(std::span<double> distances);

/// The fuzzy graph of neighbour lists within one set of points: symmetric, in the order of columns, each weight in
/// [0, 1]. The weight of i and j, with memberships a and b, is a mean of their fuzzy union a + b - a b and intersection
/// a b: `either` is the share of the union, 1 in UMAP. In lists of k others each point's memberships sum to log2(k);
/// umap-learn counts the point itself as one of its neighbours, so that its 16 are 15 others. A weight of 0 is no edge.
///
/// Throws as symmetric_graph() does (graph/symmetric_graph.hpp), whose memory it takes, and InvalidArgument unless
/// either is in [0, 1]; Interruption. The same bits for any number of threads.
[[nodiscard]] CsrMatrix<double> fuzzy_affinities(NeighborLists lists, double either = 1.0,
                                                 const RunContext& context = {});

}  // namespace isogon
