#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/rows.hpp"

namespace isogon {

/// Farthest-point traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): the first row
/// by the seed, then always the one that is farthest, by Euclidean distance, from those chosen before; of several the
/// first. Rows that lie on chosen ones come last, in their order. In the order chosen. One pass over the source and
/// n D operations for each; memory farthest_points_bytes(). Throws Interruption.
[[nodiscard]] std::vector<Index> farthest_points(const RowSource& source, Index count, std::uint64_t seed,
                                                 const RunContext& context);

[[nodiscard]] std::uint64_t farthest_points_bytes(const RowSource& source);

}  // namespace isogon
