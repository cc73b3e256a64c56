#pragma once
#include <cstddef>
#include <span>

#include "isogon/core/communicator.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The blocks of `count` points (as for_each_pair_tile partitions them) whose sums are computed by this rank of the
/// context's communicator alone; all blocks without a communicator.
[[nodiscard]] Range own_blocks(Index count, const RunContext& context);

/// The range of points of these blocks.
[[nodiscard]] Range local_points(Index count, const RunContext& context);

/// The points distributed over the ranks of the context's communicator. If every rank has all points, a view of the
/// local range; distributed points are returned unchanged.
[[nodiscard]] DistributedPoints distributed(const DistributedPoints& points, const RunContext& context);

/// Distributed points, `count` in all, from the local points of each rank.
[[nodiscard]] DistributedPoints distributed(const PointsView& own, Index count, const RunContext& context);

/// All-gather of data for `count` points: `items` holds equally many bytes for each point, and on entry those of the
/// local points are valid. No operation without a communicator.
void all_gather_points(Index count, std::span<std::byte> items, const RunContext& context);

/// The same with equally many bytes for each block of points.
void all_gather_blocks(Index count, std::span<std::byte> items, const RunContext& context);

}  // namespace isogon
