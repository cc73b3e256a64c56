#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Laplacians of weighted graphs, and the transition matrix of a random walk from new points to those of a graph.
namespace isogon {

/// The kinds of Laplacian of a matrix of weights W with the diagonal matrix D of its row sums:
///   Plain      D - W, positive semidefinite; its null vectors are constant on each component
///   Symmetric  I - D^-1/2 W D^-1/2, eigenvalues in [0, 2]; its null vectors are D^1/2 times those
/// after von Luxburg, "A tutorial on spectral clustering", Statistics and Computing 2007.
enum class LaplacianKind { Plain, Symmetric };

/// The sums of the rows of a matrix of weights, D above, each added from left to right. O(entries).
[[nodiscard]] std::vector<double> degrees(const CsrMatrix<double>& weights, const RunContext& context = {});

/// The Laplacian of a symmetric matrix of weights (graph/affinities.hpp): its entries, and one on every diagonal.
/// A point of degree 0 is a component of its own: its row is 0 throughout, the diagonal too (Chung, "Spectral graph
/// theory", 1997), so that in both kinds there are as many eigenvalues of 0 as components, and never a NaN.
/// Plain and Symmetric are symmetric bit for bit. Throws InvalidArgument for what is no graph (require_graph),
/// LimitExceeded; Interruption when the context ends the run. O(entries) time, 12 bytes an entry and a row more.
[[nodiscard]] CsrMatrix<double> laplacian(const CsrMatrix<double>& weights, LaplacianKind kind,
                                          const RunContext& context = {});

/// The transition matrix of a random walk from points to those in their lists, of which there are `count`, by a
/// Gaussian kernel: p_ij = exp(-(d_ij / sigma)^2) over the sum of its row. The largest weight of a row is factored out,
/// so that no row vanishes, however far its points. The lists must have distances, in the unit of sigma. O(entries log
/// k).
[[nodiscard]] CsrMatrix<double> gaussian_transitions(const NeighborLists& lists, Index count, double sigma);

}  // namespace isogon
