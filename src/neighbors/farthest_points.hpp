#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Farthest-point traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): the first row
/// by the seed, then always the row with the largest Euclidean distance from the chosen ones; ties go to the smaller
/// index. Rows that coincide with chosen ones come last, in their order. In the order chosen. One pass over the source
/// and n D operations for each; memory farthest_points_bytes(). Throws Interruption.
[[nodiscard]] std::vector<Index> farthest_points(const RowSource& source, Index count, std::uint64_t seed,
                                                 const RunContext& context);

[[nodiscard]] std::uint64_t farthest_points_bytes(const RowSource& source);

}  // namespace isogon
