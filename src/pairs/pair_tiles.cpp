#include "isogon/pairs/pair_tiles.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/tile_kernel.hpp"

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

/// Panels in a block: few enough that 2 blocks of packed points and sums stay in the second-level cache, and that a
/// few thousand points give every thread work. Depends on the problem only, not on the number of threads.
Index panels_in_block(Index panels) {
    return std::clamp<Index>(panels / 16, 1, 8);
}

Index blocks_for(Index panels) {
    return static_cast<Index>(block_count(panels, panels_in_block(panels)));
}

void clear_lower_triangle(float* values) {
    for (std::size_t i = 0; i < tile_width; ++i) {
        std::fill_n(values + i * tile_width, i + 1, 0.0F);
    }
}

Index points_in_panel(const PackedPoints& points, Index p) {
    return static_cast<Index>(std::min<std::size_t>(panel_width, points.count() - p * panel_width));
}

class PairVisitor {
public:
    PairVisitor(const PackedPoints& left, const PackedPoints& right, const std::function<void(PairTile&)>& visit)
        : left_(left), right_(right), visit_(visit), block_(panels_in_block(left.panels())) {}

    void run(PairSchedule::BlockPair pair) const {
        const auto rows = block_range(pair.first, left_.panels(), block_);
        const auto columns = block_range(pair.second, left_.panels(), block_);
        for (std::size_t p = rows.begin; p < rows.end; ++p) {
            const std::size_t first = std::max(p, columns.begin);
            for (std::size_t q = first; q < columns.end; ++q) {
                tile(pair, static_cast<Index>(p), static_cast<Index>(q), q == first);
            }
        }
    }

private:
    void tile(PairSchedule::BlockPair pair, Index p, Index q, bool first) const {
        alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
        multiply_panels(left_.panel(p), right_.panel(q), left_.depth(), values.data(), tile_width);
        if (p == q) {
            clear_lower_triangle(values.data());
        }
        const std::size_t task = std::size_t{pair.first} * blocks_for(left_.panels()) + pair.second;
        PairTile tile{static_cast<Index>(p * panel_width),
                      static_cast<Index>(q * panel_width),
                      points_in_panel(left_, p),
                      points_in_panel(right_, q),
                      p == q,
                      first,
                      task,
                      pair.first,
                      values.data()};
        visit_(tile);
    }

    const PackedPoints& left_;
    const PackedPoints& right_;
    const std::function<void(PairTile&)>& visit_;
    Index block_;
};

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

void for_each_pair_tile_of(Range own, const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                           const std::function<void(PairTile&)>& visit, const char* phase) {
    const PairVisitor visitor(left, right, visit);
    const PairSchedule schedule(blocks_for(left.panels()));
    const auto is_own = [&](std::size_t block) { return own.begin <= block && block < own.end; };
    bool interrupted = false;
    for (Index r = 0; r < schedule.rounds(); ++r) {
        interrupted = context.interruption().has_value();
        if (interrupted) {
            break;
        }
        auto pairs = schedule.round(r);
        std::erase_if(pairs, [&](const auto& pair) { return !is_own(pair.first) && !is_own(pair.second); });
        parallel_tasks(context, pairs.size(), [&](std::size_t i) { visitor.run(pairs[i]); });
        if (phase != nullptr) {
            context.report({phase, r + 1U, schedule.rounds(), 0.0});
        }
    }
    // Ranks run different numbers of rounds, so the collective check is after the last. A single rank that completed
    // all rounds has a valid result and need not check.
    if (interrupted || context.agree_on_stop) {
        throw_if_cancelled(context);
    }
}

void for_each_pair_tile(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                        const std::function<void(PairTile&)>& visit, const char* phase) {
    for_each_pair_tile_of({0, blocks_for(left.panels())}, left, right, context, visit, phase);
}

namespace {

/// The rows of these panels with all columns. A panel of columns is used for all of them while it is in cache.
void visit_cross_tiles(const PackedPoints& rows, Range panels, const PackedPoints& columns,
                       const std::function<void(PairTile&)>& visit) {
    alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
    for (Index q = 0; q < columns.panels(); ++q) {
        for (std::size_t panel = panels.begin; panel < panels.end; ++panel) {
            const auto p = static_cast<Index>(panel);
            multiply_panels(rows.panel(p), columns.panel(q), rows.depth(), values.data(), tile_width);
            PairTile tile{.first_row = static_cast<Index>(p * panel_width),
                          .first_column = static_cast<Index>(q * panel_width),
                          .rows = points_in_panel(rows, p),
                          .columns = points_in_panel(columns, q),
                          .first_in_block = q == 0,
                          .task = panels.begin,
                          .values = values.data()};
            visit(tile);
        }
    }
}

}  // namespace

void for_each_cross_tile(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                         const std::function<void(PairTile&)>& visit, const char* phase) {
    // Tasks of few panels, so that their packed rows stay in the second-level cache; in groups, so that the calling
    // thread can end the run and report progress between groups.
    constexpr std::size_t in_task = 4;
    constexpr std::size_t in_group = 32 * in_task;
    for (std::size_t start = 0; start < rows.panels(); start += in_group) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(in_group, rows.panels() - start);
        parallel_blocks(context, count, in_task, [&](Range panels) {
            visit_cross_tiles(rows, {start + panels.begin, start + panels.end}, columns, visit);
        });
        if (phase != nullptr) {
            context.report({phase, start + count, rows.panels(), 0.0});
        }
    }
}

std::uint64_t row_band_bytes(Index columns, int threads) {
    const std::uint64_t padded = block_count(columns, tile_width) * tile_width;
    return padded * tile_width * sizeof(float) * static_cast<std::uint64_t>(threads);
}

void for_each_row_band(const PackedPoints& rows, const PackedPoints& columns, const RunContext& context,
                       const std::function<void(RowBand&)>& visit, const char* phase) {
    const std::size_t stride = std::size_t{columns.panels()} * tile_width;
    // In groups, so that the calling thread can end the run and report progress between groups.
    constexpr std::size_t group = 32;
    for (std::size_t start = 0; start < rows.panels(); start += group) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(group, rows.panels() - start);
        parallel_tasks(context, count, [&](std::size_t i) {
            const auto p = static_cast<Index>(start + i);
            std::vector<float> storage(stride * tile_width + 16);
            void* aligned = storage.data();
            std::size_t space = storage.size() * sizeof(float);
            auto* values = static_cast<float*>(std::align(64, stride * tile_width * sizeof(float), aligned, space));
            for (Index q = 0; q < columns.panels(); ++q) {
                multiply_panels(rows.panel(p), columns.panel(q), rows.depth(), values + q * tile_width, stride);
            }
            RowBand band{static_cast<Index>(p * panel_width), points_in_panel(rows, p), columns.count(), stride,
                         values};
            visit(band);
        });
        if (phase != nullptr) {
            context.report({phase, start + count, rows.panels(), 0.0});
        }
    }
}

}  // namespace isogon
