#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The transition matrix of a random walk from points to those in their lists, of which there are `count`, by a
/// Gaussian kernel: p_ij = exp(-(d_ij / sigma)^2) over the sum of its row. The largest weight of a row is factored out,
/// so that no row vanishes, however far its points. The lists must have distances, in the unit of sigma. O(entries log
/// k).
[[nodiscard]] CsrMatrix<double> gaussian_transitions(const NeighborLists& lists, Index count, double sigma);

}  // namespace isogon
