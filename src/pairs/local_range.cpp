#include "isogon/pairs/local_range.hpp"

#include <algorithm>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

Range own_blocks(Index count, const RunContext& context) {
    const std::size_t blocks = pair_blocks(count).blocks;
    return context.communicator == nullptr
               ? Range{0, blocks}
               : rank_range(blocks, context.communicator->rank(), context.communicator->size());
}

namespace {

/// The first point of each rank, followed by the number of all points.
std::vector<Index> begins_of_ranks(Index count, const Communicator& communicator) {
    const PairBlocks blocks = pair_blocks(count);
    std::vector<Index> begins;
    for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
        const std::size_t first = rank_range(blocks.blocks, rank, communicator.size()).begin;
        begins.push_back(static_cast<Index>(std::min<std::size_t>(count, first * blocks.points)));
    }
    begins.push_back(count);
    return begins;
}

}  // namespace

Range local_points(Index count, const RunContext& context) {
    if (context.communicator == nullptr) {
        return {0, count};
    }
    const auto begins = begins_of_ranks(count, *context.communicator);
    return {begins[context.communicator->rank()], begins[context.communicator->rank() + 1]};
}

DistributedPoints distributed(const DistributedPoints& points, const RunContext& context) {
    if (context.communicator == nullptr || points.is_distributed()) {
        return points;
    }
    const Range own = local_points(points.count(), context);
    const PointsView& all = points.local();
    const PointsView here(all.data + own.begin * all.stride, static_cast<Index>(own.size()), all.dimension, all.stride);
    return distributed(here, points.count(), context);
}

DistributedPoints distributed(const PointsView& own, Index count, const RunContext& context) {
    return context.communicator == nullptr
               ? DistributedPoints(own)
               : DistributedPoints(own, begins_of_ranks(count, *context.communicator), *context.communicator);
}

void all_gather_points(Index count, std::span<std::byte> items, const RunContext& context) {
    if (context.communicator != nullptr && count > 0) {
        const PairBlocks blocks = pair_blocks(count);
        all_gather_parts(*context.communicator, blocks.blocks, blocks.points * (items.size() / count), items);
    }
}

void all_gather_blocks(Index count, std::span<std::byte> items, const RunContext& context) {
    const std::size_t blocks = pair_blocks(count).blocks;
    if (context.communicator != nullptr && blocks > 0) {
        all_gather_parts(*context.communicator, blocks, items.size() / blocks, items);
    }
}

}  // namespace isogon
