#pragma once
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

// Weights of the edges of a graph of distances (graph/symmetric_graph.hpp): the nearer, the larger. Every function
// returns the graph with weights in place of distances: the same entries, symmetric bit for bit, each weight in [0,
// 1]. Points without edges remain without edges. A row never vanishes: if its weights would sum to less than
// least_affinity_sum, InvalidArgument names the row, the distance of its nearest neighbour, and a valid parameter. All
// throw InvalidArgument for what is no graph, and Interruption when the context ends the run. O(entries).
namespace isogon {

/// Spectral methods divide eigenvectors by the square root of these sums: from 1e-8 an error of 1e-6 grows to 1e-2.
inline constexpr double least_affinity_sum = 1e-8;

/// 1 for every edge.
[[nodiscard]] CsrMatrix<double> connectivity(CsrMatrix<double> graph, const RunContext& context = {});

/// exp(-(d / sigma)^2), as in Vladymyrov & Carreira-Perpinan, "Locally linear landmarks", ECML 2013. Others write
/// exp(-d^2 / (2 s^2)) (scikit-learn: exp(-gamma d^2)): sigma = sqrt(2) s = 1 / sqrt(gamma). `sigma` is in the unit of
/// the distances, above 0, and at least smallest_sigma().
[[nodiscard]] CsrMatrix<double> gaussian_affinities(CsrMatrix<double> graph, double sigma,
                                                    const RunContext& context = {});

/// The sigma from which on no row vanishes, however far its nearest neighbour: 0.233 of the largest such distance.
[[nodiscard]] double smallest_sigma(const CsrMatrix<double>& graph, const RunContext& context = {});

/// A sigma that fits most rows: the median, over the points that have edges, of the distance to the `neighbor`-th
/// nearest (the last one, where there are fewer edges), or smallest_sigma() if that is more. Where more than half of
/// the points are duplicates, the median of those distances that are not 0; 1 if there are none.
/// Throws InvalidArgument for neighbor = 0.
[[nodiscard]] double default_sigma(const CsrMatrix<double>& graph, Index neighbor, const RunContext& context = {});

/// The input of default_sigma() and self_tuning_affinities(): the distance of every row to its `neighbor`-th nearest,
/// or to the first after it that is not 0; 0 where there is none. The rows may be some of a graph's.
[[nodiscard]] std::vector<double> neighbor_distances(const CsrMatrix<double>& rows, Index neighbor,
                                                     const RunContext& context = {});

/// default_sigma() of a graph from these, and from its smallest_sigma().
[[nodiscard]] double default_sigma(std::vector<double> neighbor_distances, double smallest);

/// exp(-d^2 / (s_i s_j)), where s_i is the distance of point i to its `neighbor`-th nearest (the last one, where there
/// are fewer edges): Zelnik-Manor & Perona, "Self-tuning spectral clustering", NIPS 2004, who take the 7th. Dense and
/// sparse regions then have similar weights. Where that distance is 0, the first that is not 0 is used; duplicates have
/// weight 1.
[[nodiscard]] CsrMatrix<double> self_tuning_affinities(CsrMatrix<double> graph, Index neighbor,
                                                       const RunContext& context = {});

/// A check of given weights for the attraction of a layout. Throws InputError that names `source` and the first entry
/// that is wrong, rows and columns counted from 0, unless there is a row and a column for each of `points` points, no
/// weight is below 0 or above 1e100 and the heaviest at least 1e-100, none is on the diagonal, entries (i, j) and (j,
/// i) are equal bit for bit, as in P + P^T, and every point has a weight above 0: a point without attraction would be
/// repelled without limit. InvalidArgument for an invalid sparse matrix, NaN and infinity. O(entries), 8 bytes a point.
void require_affinities(const CsrMatrix<double>& weights, Index points, const std::string& source);

/// The weights less their diagonal: no point pulls at itself, and graphs of other programs say that a point is its own
/// neighbour. Nothing is copied where it is empty. InvalidArgument for an invalid sparse matrix.
[[nodiscard]] CsrMatrix<double> without_diagonal(CsrMatrix<double> weights);

/// The weights divided by their sum, in float32, as joint_probabilities() returns them. If the sum is 1 to six digits,
/// the weights are not divided, so that stored probabilities are reproduced bit for bit.
[[nodiscard]] CsrMatrix<float> shares_of(const CsrMatrix<double>& weights);

}  // namespace isogon
