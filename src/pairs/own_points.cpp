#include "isogon/pairs/own_points.hpp"

#include <algorithm>

#include "isogon/core/team.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

Range own_blocks(Index count, const RunContext& context) {
    const std::size_t blocks = pair_blocks(count).blocks;
    return context.team == nullptr ? Range{0, blocks}
                                   : part_of_rank(blocks, context.team->rank(), context.team->size());
}

Range own_points(Index count, const RunContext& context) {
    const Range blocks = own_blocks(count, context);
    const std::size_t points = pair_blocks(count).points;
    return {std::min<std::size_t>(count, blocks.begin * points), std::min<std::size_t>(count, blocks.end * points)};
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
