#include "isogon/pairs/own_points.hpp"

#include <algorithm>
#include <vector>

#include "isogon/core/team.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

Range own_blocks(Index count, const RunContext& context) {
    const std::size_t blocks = pair_blocks(count).blocks;
    return context.team == nullptr ? Range{0, blocks}
                                   : part_of_rank(blocks, context.team->rank(), context.team->size());
}

namespace {

/// The first point of each rank, and the number of all.
std::vector<Index> begins_of_ranks(Index count, const Team& team) {
    const PairBlocks blocks = pair_blocks(count);
    std::vector<Index> begins;
    for (std::size_t rank = 0; rank < team.size(); ++rank) {
        const std::size_t first = part_of_rank(blocks.blocks, rank, team.size()).begin;
        begins.push_back(static_cast<Index>(std::min<std::size_t>(count, first * blocks.points)));
    }
    begins.push_back(count);
    return begins;
}

}  // namespace

Range own_points(Index count, const RunContext& context) {
    if (context.team == nullptr) {
        return {0, count};
    }
    const auto begins = begins_of_ranks(count, *context.team);
    return {begins[context.team->rank()], begins[context.team->rank() + 1]};
}

DividedPoints divided(const DividedPoints& points, const RunContext& context) {
    if (context.team == nullptr || points.divided()) {
        return points;
    }
    const Range own = own_points(points.count(), context);
    const PointsView& all = points.here();
    const PointsView here(all.data + own.begin * all.stride, static_cast<Index>(own.size()), all.dimension, all.stride);
    return divided(here, points.count(), context);
}

DividedPoints divided(const PointsView& own, Index count, const RunContext& context) {
    return context.team == nullptr ? DividedPoints(own)
                                   : DividedPoints(own, begins_of_ranks(count, *context.team), *context.team);
}

void gather_points(Index count, std::span<std::byte> items, const RunContext& context) {
    if (context.team != nullptr && count > 0) {
        const PairBlocks blocks = pair_blocks(count);
        gather_parts(*context.team, blocks.blocks, blocks.points * (items.size() / count), items);
    }
}

void gather_blocks(Index count, std::span<std::byte> items, const RunContext& context) {
    const std::size_t blocks = pair_blocks(count).blocks;
    if (context.team != nullptr && blocks > 0) {
        gather_parts(*context.team, blocks, items.size() / blocks, items);
    }
}

}  // namespace isogon
