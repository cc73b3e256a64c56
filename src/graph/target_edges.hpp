#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The fuzzy intersection of a symmetric graph with that of the points' targets, by which UMAP learns from numbers
/// (McInnes, Healy and Melville 2018; umap-learn's general_simplicial_set_intersection): an edge of weight a in one
/// and b in the other has a b^(w / (1 - w)), or a^((1 - w) / w) b for a `weight` w above 1/2; one that a graph lacks
/// has half of its least weight there, but at most 1e-4 among the targets. Then local connectivity is restored: each
/// row is divided by its largest weight, and both directions of an edge become a + b - a b.
///
/// `targets` has as many points; one without edges is of unknown target, and a pair with it has the weight of half way,
/// by factors, between that of equal targets, 1, and of a pair that is no edge there. Throws InvalidArgument for a
/// weight outside [0, 1] and another number of points. A weight of 0 changes no bit. O(entries).
[[nodiscard]] CsrMatrix<double> with_targets(CsrMatrix<double> graph, const CsrMatrix<double>& targets, double weight,
                                             const RunContext& context = {});

}  // namespace isogon
