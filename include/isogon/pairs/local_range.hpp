#pragma once
#include <cstddef>
#include <span>

#include "isogon/core/communicator.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/types.hpp"

namespace isogon {

/// The blocks of `count` points, as for_each_pair_tile cuts them, whose sums this rank of the context's communicator
/// makes, and nobody else: all of them without a communicator.
[[nodiscard]] Range own_blocks(Index count, const RunContext& context);

/// The points of those blocks.
[[nodiscard]] Range local_points(Index count, const RunContext& context);

/// The points as the ranks of the context's communicator divide them, each its own: of points that are all here, on
/// every rank, a view of those; others as they are.
[[nodiscard]] DistributedPoints distributed(const DistributedPoints& points, const RunContext& context);

/// `count` points in all, of which this rank holds its own.
[[nodiscard]] DistributedPoints distributed(const PointsView& own, Index count, const RunContext& context);

/// `items` holds equally many bytes for each of `count` points, and this rank has those of its own points: afterwards
/// all ranks have all. Does nothing without a communicator.
void all_gather_points(Index count, std::span<std::byte> items, const RunContext& context);

/// The same with as many bytes for each block of points.
void all_gather_blocks(Index count, std::span<std::byte> items, const RunContext& context);

}  // namespace isogon
