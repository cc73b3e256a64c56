#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// The k nearest other points of every point. Evaluates every pair once, in tiles that fit into the cache. "Exact"
/// means up to the rounding of distances: two candidates whose distances agree to about six digits may change places;
/// the order is that of the distances returned, equal ones by index. A distance beyond float32 is infinite. Correlation
/// first copies the rows, less their means, n D floats; manhattan, hamming and jaccard look at every pair from both
/// sides, n^2 D subtractions. Throws InvalidArgument (neighbors) unless 1 <= k < points.count; InputError for NaN, and
/// for anything but zeros and ones by hamming and jaccard. n^2 D / 2 multiplications and additions, memory
/// exact_neighbors_bytes().
[[nodiscard]] NeighborLists exact_neighbors(const PointsView& points, Index k, Metric metric,
                                            const RunContext& context = {});

/// The k nearest of `points` for every one of `queries`, another set of the same dimension. Throws InvalidArgument
/// unless 1 <= k <= points.count. n_queries n D multiplications and additions.
[[nodiscard]] NeighborLists exact_neighbors(const PointsView& queries, const PointsView& points, Index k, Metric metric,
                                            const RunContext& context = {});

/// Upper bound of the memory of the first function, without its input, with the lists that it returns.
[[nodiscard]] std::uint64_t exact_neighbors_bytes(Index points, Index dimension, Index k);
/// The same for the second function, which holds a packed copy of the queries and of some 25,000 points at a time.
[[nodiscard]] std::uint64_t exact_search_bytes(Index queries, Index points, Index dimension, Index k);

/// All pairs i < j with cos(x_i, x_j) above `cosine`, and their cosines: the upper half of a symmetric matrix, by row
/// and ascending column. A zero vector is in no pair. Cosines are rounded as float32 products are, to about 1e-6.
/// Throws InvalidArgument unless 0 < cosine < 1, InputError (NaN), LimitExceeded by an estimate from 1,000 rows. n^2 D
/// / 2 multiplications; n D floats, and 8 to 20 bytes a pair.
[[nodiscard]] CsrMatrix<float> pairs_above(const PointsView& points, double cosine, const RunContext& context = {});

}  // namespace isogon
