#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

/// The k nearest points for every row by a metric of absolute differences: manhattan, hamming, jaccard.
/// Blocks of points that stay in the cache are compared with sixteen queries at a time; every distance is computed,
/// once from each side where queries are the points. Manhattan distances are sums in float32, to about six digits;
/// those between rows of zeros and ones are exact up to their last rounding. Queries, of the dimension of the
/// points, and k are as exact_neighbors() requires them; throws InputError for other rows than the metric is of,
/// LimitExceeded, Interruption. n_queries n D subtractions and additions; memory direct_search_bytes().
[[nodiscard]] NeighborLists direct_neighbors(const SearchedPoints& searched, Index k, const RunContext& context);

/// Bytes besides queries and points.
[[nodiscard]] std::uint64_t direct_search_bytes(Index queries, Index points, Index k);

}  // namespace isogon
