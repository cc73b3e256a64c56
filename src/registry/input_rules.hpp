#pragma once
#include <optional>

#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"

namespace isogon {

/// How many neighbours of a point a method on a graph of them asks for; t-SNE as many as its perplexity needs.
[[nodiscard]] std::optional<Index> listed_neighbors(const Method& method, const OptionValues& values, Index points);

/// Counts rows without a direction and warns of them: `left_out` of the fit, or at right angles to all.
void record_undirected(Index undirected, Metric metric, bool left_out, Summary& summary);

/// The method with what all methods do about their input, whatever it is of:
///   - Rows that equal earlier ones in float32 are counted ("duplicates").
///   - Methods on neighbour graphs fit each distinct row once (by angles, each direction), and all get the
///     coordinates of the one that they equal: copies in a graph would be parted by their order, and where they are
///     more than a list holds, lists would hold nothing else. Neighbours and dimensions are as many as the distinct
///     rows allow.
///   - Rows without a direction (DistinctPoints) have no nearest by angle. They are counted ("zero_vectors"); methods
///     on neighbour graphs leave them out, and they lie at the mean of the others' coordinates.
///   - A warning says so, and where one coordinate makes distances or angles nearly alone (input_points.hpp).
/// A graph or affinities that the user gives are taken as they are, unless such a fit has kept them. Of points that
/// ranks share copies and zero vectors are counted, too. O(n D) time and 16 bytes a point before the fit, a copy of the
/// distinct rows where some are not fitted.
[[nodiscard]] Method with_input_rules(const Method& method);

/// The method with what methods do about inputs that come as a sparse matrix (FitExtras::sparse), none of which makes
/// them dense: pca and svd multiply with it; methods on neighbour graphs get the lists of sparse_neighbors(), and for
/// starts by pca its components. Equal rows and rows without a direction are dealt with as above. Throws
/// InvalidArgument for other methods, landmarks, and edge weights or neighbours of the user's, beside which the method
/// needs no inputs.
[[nodiscard]] Method with_sparse_rows(const Method& method);

}  // namespace isogon
