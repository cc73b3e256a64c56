#include "pairs/pair_tiles.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

Index PairSchedule::rounds() const {
    if (blocks_ < 2) {
        return blocks_;
    }
    return blocks_ % 2 == 0 ? blocks_ : blocks_ + 1;
}

std::vector<PairSchedule::BlockPair> PairSchedule::round(Index r) const {
    std::vector<BlockPair> pairs;
    if (r == 0) {
        for (Index b = 0; b < blocks_; ++b) {
            pairs.emplace_back(b, b);
        }
        return pairs;
    }
    // With an odd number of blocks, the partner of the dummy block has no pair in that round.
    const Index participants = blocks_ + blocks_ % 2;
    const Index circle = participants - 1;
    const auto block_at = [&](Index place) { return (place + r - 1) % circle; };
    const auto add_pair = [&](Index a, Index b) {
        if (a < blocks_ && b < blocks_) {
            pairs.emplace_back(std::min(a, b), std::max(a, b));
        }
    };
    add_pair(block_at(0), circle);
    for (Index place = 1; place < participants / 2; ++place) {
        add_pair(block_at(place), block_at(circle - place));
    }
    return pairs;
}

namespace {

/// So many that a few thousand points give every thread work. Depends on the problem only, not on the number of
/// threads.
Index panels_in_block(Index panels) {
    return std::clamp<Index>(panels / 16, 1, most_panels_in_block);
}

Index blocks_for(Index panels) {
    return static_cast<Index>(block_count(panels, panels_in_block(panels)));
}

Index points_in_panel(const PackedPoints& points, Index p) {
    return static_cast<Index>(std::min<std::size_t>(panel_width, points.count() - p * panel_width));
}

/// Multiplies two panels, which are `of_pairs` i < j or of rows and other columns, and visits their tile.
void visit_tile(const PackedPoints& left, const PackedPoints& right, const PanelPair& pair, bool of_pairs,
                const std::function<void(PairTile&)>& visit) {
    alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
    multiply_panels(left.panel(pair.rows), right.panel(pair.columns), left.depth(), values.data(), tile_width);
    const bool diagonal = of_pairs && pair.rows == pair.columns;
    for (std::size_t i = 0; diagonal && i < tile_width; ++i) {
        std::fill_n(values.data() + i * tile_width, i + 1, 0.0F);
    }
    PairTile tile{static_cast<Index>(pair.rows * panel_width),
                  static_cast<Index>(pair.columns * panel_width),
                  points_in_panel(left, pair.rows),
                  points_in_panel(right, pair.columns),
                  diagonal,
                  pair.first_in_block,
                  pair.task,
                  pair.row_block,
                  values.data()};
    visit(tile);
}

/// The pairs of panels of a pair of blocks.
void visit_blocks(PairSchedule::BlockPair pair, Index panels,
                  const std::function<void(std::span<const PanelPair>)>& visit) {
    const Index block = panels_in_block(panels);
    const auto rows = block_range(pair.first, panels, block);
    const auto columns = block_range(pair.second, panels, block);
    std::array<PanelPair, most_panel_pairs> pairs;
    std::size_t count = 0;
    for (std::size_t p = rows.begin; p < rows.end; ++p) {
        const std::size_t first = std::max(p, columns.begin);
        for (std::size_t q = first; q < columns.end; ++q) {
            pairs[count++] = {.rows = static_cast<Index>(p),
                              .columns = static_cast<Index>(q),
                              .first_in_block = q == first,
                              .task = std::size_t{pair.first} * blocks_for(panels) + pair.second,
                              .row_block = pair.first};
        }
    }
    visit(std::span(pairs).first(count));
}

}  // namespace

RowBlocks pair_blocks(Index count) {
    const auto panels = static_cast<Index>(block_count(count, panel_width));
    return {count, blocks_for(panels), std::size_t{panels_in_block(panels)} * panel_width};
}

DistributedPoints distributed(const DistributedPoints& points) {
    const RankGroup ranks = ranks_of(points);
    if (!ranks.is_shared() || points.is_distributed()) {
        return points;
    }
    const RowBlocks blocks = pair_blocks(points.count());
    const Range own = ranks.own_rows(blocks);
    const PointsView& all = points.local();
    return ranks.distributed(
        {all.data + own.begin * all.stride, static_cast<Index>(own.size()), all.dimension, all.stride}, blocks);
}

std::size_t pair_task_count(Index count) {
    const std::size_t blocks = blocks_for(static_cast<Index>(block_count(count, panel_width)));
    return blocks * blocks;
}

namespace {

/// Runs rounds until the context ends the run (throws Interruption). Ranks have different numbers of rounds, so the
/// collective check is after the last. A single rank that completed all has a valid result and need not check.
void run_rounds(std::size_t rounds, const RunContext& context, const std::function<void(std::size_t)>& run) {
    bool interrupted = false;
    for (std::size_t r = 0; r < rounds && !interrupted; ++r) {
        interrupted = context.interruption().has_value();
        if (!interrupted) {
            run(r);
        }
    }
    if (interrupted || context.agree_on_stop) {
        throw_if_cancelled(context);
    }
}

/// The pairs of a schedule, round by round.
void run_schedule(const PairSchedule& schedule, const RunContext& context,
                  const std::function<void(PairSchedule::BlockPair)>& visit, const char* phase) {
    run_rounds(schedule.rounds(), context, [&](std::size_t r) {
        const auto pairs = schedule.round(static_cast<Index>(r));
        parallel_tasks(context, pairs.size(), [&](std::size_t i) { visit(pairs[i]); });
        if (phase != nullptr) {
            context.report({phase, r + 1U, schedule.rounds(), 0.0});
        }
    });
}

/// The pairs of two runs of blocks of which at least one block is own.
void visit_blocks_of(Range row_blocks, Range column_blocks, Range own, Index panels,
                     const std::function<void(std::span<const PanelPair>)>& visit) {
    const auto is_own = [&](std::size_t block) { return own.begin <= block && block < own.end; };
    for (std::size_t a = row_blocks.begin; a < row_blocks.end; ++a) {
        for (std::size_t b = std::max(a, column_blocks.begin); b < column_blocks.end; ++b) {
            if (is_own(a) || is_own(b)) {
                visit_blocks({static_cast<Index>(a), static_cast<Index>(b)}, panels, visit);
            }
        }
    }
}

}  // namespace

void for_each_block_pair_of(Range own, Index count, const RunContext& context,
                            const std::function<void(std::span<const PanelPair>)>& visit, const char* phase) {
    const auto panels = static_cast<Index>(block_count(count, panel_width));
    const auto visit_pair = [&](PairSchedule::BlockPair two) {
        visit_blocks_of({two.first, two.first + 1U}, {two.second, two.second + 1U}, own, panels, visit);
    };
    run_schedule(PairSchedule(blocks_for(panels)), context, visit_pair, phase);
}

void for_each_block_pair_by_runs_of(Range own, Index count, const RunContext& context,
                                    const std::function<void(std::span<const PanelPair>)>& visit, const char* phase) {
    constexpr std::size_t most_in_run = 8;
    constexpr std::size_t least_runs = 64;  // half of them are visited at a time
    const auto panels = static_cast<Index>(block_count(count, panel_width));
    const std::size_t blocks = blocks_for(panels);
    const std::size_t in_run = std::clamp<std::size_t>(blocks / least_runs, 1, most_in_run);
    const auto visit_pair = [&](PairSchedule::BlockPair two) {
        visit_blocks_of(block_range(two.first, blocks, in_run), block_range(two.second, blocks, in_run), own, panels,
                        visit);
    };
    run_schedule(PairSchedule(static_cast<Index>(block_count(blocks, in_run))), context, visit_pair, phase);
}

RowBlocks wide_blocks(Index count) {
    constexpr std::size_t most_blocks_in_wide = 8;
    constexpr std::size_t least_wide_blocks = 8;  // for threads
    const RowBlocks blocks = pair_blocks(count);
    const std::size_t in_wide = std::clamp<std::size_t>(blocks.blocks / least_wide_blocks, 1, most_blocks_in_wide);
    return {count, block_count(blocks.blocks, in_wide), in_wide * blocks.rows};
}

namespace {

/// The blocks of a wide block.
Range blocks_of(std::size_t wide, Index count) {
    const RowBlocks blocks = pair_blocks(count);
    return block_range(wide, blocks.blocks, wide_blocks(count).rows / blocks.rows);
}

bool overlap(Range a, Range b) {
    return a.begin < b.end && b.begin < a.end;
}

}  // namespace

void for_each_wide_pair_of(Range own, Index count, const RunContext& context,
                           const std::function<void(const WidePair&)>& visit) {
    constexpr std::size_t in_group = 256;
    const std::size_t wide = wide_blocks(count).blocks;
    std::vector<WidePair> pairs;
    for (std::size_t a = 0; a < wide; ++a) {
        for (std::size_t b = a; b < wide; ++b) {
            if (overlap(blocks_of(a, count), own) || overlap(blocks_of(b, count), own)) {
                pairs.push_back({a, b});
            }
        }
    }
    run_rounds(block_count(pairs.size(), in_group), context, [&](std::size_t g) {
        const Range group = block_range(g, pairs.size(), in_group);
        parallel_tasks(context, group.size(), [&](std::size_t i) { visit(pairs[group.begin + i]); });
    });
}

void visit_block_pairs(const WidePair& pair, Range own, Index count,
                       const std::function<void(std::span<const PanelPair>)>& visit) {
    const auto panels = static_cast<Index>(block_count(count, panel_width));
    visit_blocks_of(blocks_of(pair.rows, count), blocks_of(pair.columns, count), own, panels, visit);
}

void for_each_pair_tile_of(Range own, const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                           const std::function<void(PairTile&)>& visit, const char* phase) {
    for_each_block_pair_of(
        own, left.count(), context,
        [&](std::span<const PanelPair> pairs) {
            for (const PanelPair& pair : pairs) {
                visit_tile(left, right, pair, true, visit);
            }
        },
        phase);
}

void for_each_pair_tile(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                        const std::function<void(PairTile&)>& visit, const char* phase) {
    for_each_pair_tile_of({0, blocks_for(left.panels())}, left, right, context, visit, phase);
}

void for_each_cross_panel_pair(Index row_panels, Index column_panels, const RunContext& context,
                               const std::function<void(const PanelPair&)>& visit, const char* phase) {
    // Tasks of few panels, so that their packed rows stay in the second-level cache. A panel of columns is used for all
    // of them while it is in cache.
    parallel_groups(context, row_panels, {.block = 4, .tasks = 32, .phase = phase}, [&](Range panels) {
        for (Index q = 0; q < column_panels; ++q) {
            for (std::size_t p = panels.begin; p < panels.end; ++p) {
                visit({.rows = static_cast<Index>(p), .columns = q, .first_in_block = q == 0, .task = panels.begin});
            }
        }
    });
}

void for_each_cross_tile(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                         const std::function<void(PairTile&)>& visit, const char* phase) {
    for_each_cross_panel_pair(
        rows.panels(), columns.panels(), context,
        [&](const PanelPair& pair) { visit_tile(rows, columns, pair, false, visit); }, phase);
}

std::uint64_t row_band_bytes(Index columns, int threads) {
    const std::uint64_t padded = block_count(columns, tile_width) * tile_width;
    return padded * tile_width * sizeof(float) * static_cast<std::uint64_t>(threads);
}

void for_each_row_band(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                       const std::function<void(RowBand&)>& visit, const char* phase) {
    const std::size_t stride = std::size_t{columns.panels()} * tile_width;
    parallel_groups(context, rows.panels(), {.tasks = 32, .phase = phase}, [&](Range panel) {
        const auto p = static_cast<Index>(panel.begin);
        std::vector<float> storage(stride * tile_width + 16);
        void* aligned = storage.data();
        std::size_t space = storage.size() * sizeof(float);
        auto* values = static_cast<float*>(std::align(64, stride * tile_width * sizeof(float), aligned, space));
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(rows.panel(p), columns.panel(q), rows.depth(), values + q * tile_width, stride);
        }
        RowBand band{static_cast<Index>(p * panel_width), points_in_panel(rows, p), columns.count(), stride, values};
        visit(band);
    });
}

}  // namespace isogon
