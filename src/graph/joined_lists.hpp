#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// What symmetric_graph(lists, GraphSymmetry::Either) is, in float32, and with little beside it: the lists are put in
/// the order of indices where they stand, and every entry goes to its place at once; a byte a neighbour says whether
/// the other lists it too. Lists as directed_edges() asks for them. The same bits for any number of threads.
/// O(n k log k).
[[nodiscard]] CsrMatrix<float> joined_lists(NeighborLists lists, const RunContext& context);

}  // namespace isogon
