#pragma once
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// How sure each of a point's neighbours belongs to it, McInnes, Healy and Melville, "UMAP: uniform manifold
/// approximation and projection", 2018, algorithms 2 and 3: `distances`, ascending, become
/// exp(-max(0, d - rho) / sigma), rho the least of them above 0 and sigma such that together they are log2(k). The
/// nearest is in for sure, however far. Where that many are at rho already, or all at one distance, sigma is so small
/// that the others count for nothing. O(k) exponentials, some 10 times.
void fuzzy_memberships(std::span<double> distances);

/// The fuzzy graph of neighbour lists within one set of points: symmetric, in the order of columns, each weight in
/// [0, 1]. i and j are joined as surely as one of them says so, a + b - a b, or both do, a b: `either` is the share of
/// the first, 1 in UMAP. In lists of k others each point's memberships sum to log2(k); umap-learn counts the point
/// itself as one of its neighbours, so that its 16 are 15 others. Weights that are 0 in the end are no edges.
///
/// Throws as symmetric_graph() does (graph/symmetric_graph.hpp), whose memory it takes, and InvalidArgument unless
/// either is in [0, 1]; Interruption. The same bits for any number of threads.
[[nodiscard]] CsrMatrix<double> fuzzy_affinities(NeighborLists lists, double either = 1.0,
                                                 const RunContext& context = {});

}  // namespace isogon
