#pragma once
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

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
