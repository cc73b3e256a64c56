#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Added to mean squared distances before their logarithm is taken: umap-learn's.
constexpr double least_local_radius = 1e-8;

/// The logarithm of each point's local radius: of the mean of the squared distances to its neighbours in the lists,
/// weighted by the graph that is made of them (densMAP, methods, eq. 1). A pair in both lists counts once. O(n k^2).
[[nodiscard]] std::vector<double> log_local_radii(const NeighborLists& lists, const CsrMatrix<double>& graph);

}  // namespace isogon
